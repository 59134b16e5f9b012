// The host machine as data: bus cycles, timer, interrupt and CPU cost per counted piece of firmware work.
// Knows no policy and no workload: every cost multiplies a counted event.
#pragma once

#include <array>
#include <string>

#include "common/units.h"
#include "firmware/port/mmio_port.h"
#include "firmware/port/probe_port.h"

namespace ftlab::platform {

struct ProcessorProfile {
  std::string name;
  std::string title;
  Ticks bus_read_cycle{};                ///< one 16-bit read of common memory through the host's bridge
  Ticks bus_write_cycle{};               ///< one 16-bit write
  Ticks attribute_cycle{};               ///< one attribute-memory access
  Ticks timer_tick{};                    ///< sleeping rounds up to this grid (Linux 2.0: 10 ms)
  Ticks program_poll{};                  ///< poll interval while waiting for a program without ready interrupt
  Ticks erase_poll{};                    ///< poll interval while waiting for an erase
  Ticks interrupt_latency{};             ///< ready edge to the driver running again
  bool ready_interrupt = true;           ///< the bridge delivers the card's ready edge
  std::array<Ticks, kWorkKinds> work{};  ///< CPU time per Work, indexed by static_cast<size_t>(Work)
};

}  // namespace ftlab::platform
