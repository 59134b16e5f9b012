// The DMA of the board (hw/regs/dma_regs.h): registers and when a transfer has ended. What moves, and how long that
// takes, is for the mover to say. Knows cycles of the core; neither memory nor windows.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "platform/machine/core/core_clock.h"
#include "platform/machine/core/register_target.h"

namespace ftlab::platform {

class Dma final : public RegisterTarget {
 public:
  struct Transfer {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint32_t bytes = 0;
  };

  /// Called while firmware accesses the DMA.
  class Mover {
   public:
    /// Moves all of it and sets the cycles that it takes. False: it cannot be moved, and `why` says the reason.
    virtual bool move(const Transfer& transfer, std::uint64_t& cycles, std::string& why) = 0;

   protected:
    ~Mover() = default;
  };

  Dma(sc_core::sc_module_name name, const CoreClock& clock, Mover& mover);

  /// Nothing is under way.
  void reset();

  /// When the transfer that is under way, or was the last one, ends; nobody may have the part's bus before.
  [[nodiscard]] std::uint64_t busy_until() const { return busy_until_; }
  /// When the line rises; CoreClock::kNeverCycle.
  [[nodiscard]] std::uint64_t edge() const { return edge_; }
  void line_has_risen() { edge_ = CoreClock::kNeverCycle; }
  /// What firmware may not do; empty: it has done nothing of the kind.
  [[nodiscard]] const std::string& misuse() const { return misuse_; }

  [[nodiscard]] Ticks steady_until(std::uint32_t offset, Ticks now) const override;

 private:
  bool read_register(std::uint32_t offset, Ticks now, std::uint32_t& value) const override;
  bool write_register(std::uint32_t offset, Ticks now, std::uint32_t value) override;
  void begin(std::uint64_t cycle);

  const CoreClock& clock_;
  Mover& mover_;
  Transfer transfer_;
  std::uint64_t busy_until_ = 0;
  std::uint64_t edge_ = CoreClock::kNeverCycle;
  std::string misuse_;
};

}  // namespace ftlab::platform
