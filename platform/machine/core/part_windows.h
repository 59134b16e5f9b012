// The windows of the part on the board's external bus, 16 bits wide, over TLM: what one cycle or a burst does there and
// how long it takes. Knows the board's addresses and the bridge; neither the core nor what asks.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <systemc>
#include <tlm>
#include <vector>

#include "common/units.h"
#include "hw/shell/bus_pace.h"
#include "platform/files/processor_profile.h"
#include "platform/machine/processor.h"
#include "platform/machine/quiet_backward.h"

namespace ftlab::platform {

class PartWindows {
 public:
  class Window;

  /// Of `profile` the cycles of the bridge count.
  explicit PartWindows(const ProcessorProfile& profile);
  ~PartWindows();
  PartWindows(const PartWindows&) = delete;
  PartWindows& operator=(const PartWindows&) = delete;

  /// Inside the construction of a module. Throws InputError for a window that the board has no place for.
  WindowSocket& add(std::string_view name, BusCycle cycle);
  /// All are bound.
  void connect();
  /// Null: no window is there.
  [[nodiscard]] Window* find(std::uint32_t address) const;

  struct Access {
    tlm::tlm_command command = tlm::TLM_READ_COMMAND;
    std::uint32_t address = 0;  ///< of the core
    unsigned size = 0;          ///< bytes: one, or an even number, which is a burst from 4 on
    void* data = nullptr;
    Ticks begun{};
    Ticks kernel_now{};
  };
  /// False: the part does not answer. `taken`: by the slower of part and bridge.
  bool transport(Window& window, const Access& access, Ticks& taken);
  /// Without time or effect; as many bytes as it gives.
  unsigned look(Window& window, std::uint32_t address, unsigned size, std::uint8_t* into);

 private:
  const ProcessorProfile& profile_;
  QuietBackward backward_;
  hw::BusPace pace_;
  tlm::tlm_generic_payload cell_;   ///< of cycles, which look for no extension
  tlm::tlm_generic_payload burst_;  ///< with the pace
  std::vector<std::unique_ptr<Window>> windows_;
};

}  // namespace ftlab::platform
