// The DMA of the board (hw/regs/dma_regs.h): registers and when a transfer has ended. What moves, and how long that
// takes, is for the mover to say. Knows cycles of the core; neither memory nor windows.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "platform/machine/core/core_clock.h"

namespace ftlab::platform {

class Dma {
 public:
  struct Transfer {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint32_t bytes = 0;
  };

  class Mover {
   public:
    /// Moves all of it and sets the cycles that it takes. False: it cannot be moved, and `why` says the reason.
    virtual bool move(const Transfer& transfer, std::uint64_t& cycles, std::string& why) = 0;

   protected:
    ~Mover() = default;
  };

  explicit Dma(Mover& mover) : mover_(mover) {}

  /// Nothing is under way.
  void reset();
  // False: no such register. `cycle`: of the access.
  bool read(std::uint32_t offset, std::uint64_t cycle, std::uint32_t& value) const;
  bool write(std::uint32_t offset, std::uint64_t cycle, std::uint32_t value);

  /// When the transfer that is under way, or was the last one, ends; nobody may have the part's bus before.
  [[nodiscard]] std::uint64_t busy_until() const { return busy_until_; }
  /// When the line rises; CoreClock::kNeverCycle.
  [[nodiscard]] std::uint64_t edge() const { return edge_; }
  void line_has_risen() { edge_ = CoreClock::kNeverCycle; }
  /// What firmware may not do; empty: it has done nothing of the kind.
  [[nodiscard]] const std::string& misuse() const { return misuse_; }

 private:
  void begin(std::uint64_t cycle);

  Mover& mover_;
  Transfer transfer_;
  std::uint64_t busy_until_ = 0;
  std::uint64_t edge_ = CoreClock::kNeverCycle;
  std::string misuse_;
};

}  // namespace ftlab::platform
