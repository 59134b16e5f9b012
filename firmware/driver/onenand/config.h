// Choices a system makes for its Flex-OneNAND driver, and what attaching to a part can end with.
// Knows no registers and no sequences; every time is nanoseconds.
#pragma once

#include <cstdint>

#include "firmware/driver/common/driver_wait.h"

namespace ftlab {

/// The defaults are those of the public driver: loads polled, programs and erases by the INT pin.
struct OneNandDriverConfig {
  DriverWait read_wait = DriverWait::poll;  ///< poll: busy, the wait is shorter than a context switch
  DriverWait program_wait = DriverWait::interrupt;
  DriverWait erase_wait = DriverWait::interrupt;

  /// An erase stays unreaped while the other die works. Parts of one die ignore it.
  bool background_erase = false;
  /// Programs of one submit to ascending pages of one segment overlap transfer and array time (not on 3.3 V parts).
  bool cache_program = false;
  /// Synchronous burst reads; reads of one submit then overlap array and transfer time (superload). Needs a host bus
  /// that clocks the part.
  bool sync_burst = false;

  std::uint64_t read_poll_ns = 0;         ///< between two reads of the interrupt register; 0 = as fast as the bus goes
  std::uint64_t program_poll_ns = 2'000;  ///< busy, when program_wait is poll
  std::uint64_t erase_poll_ns = 10'000;
  /// Both dies at work: the window shows one at a time, and so long is waited for it before a look at the other.
  std::uint64_t die_turn_ns = 50'000;
  /// Longest wait for any operation. The public driver allows 20 ms and three tries while the part is busy.
  std::uint64_t deadline_ns = 60'000'000;

  /// 0: what the density in the device ID says. Otherwise of a part that has fewer, which an override or a study of a
  /// smaller die makes.
  std::uint32_t segments_per_die = 0;
  std::uint32_t rated_erase_cycles = 10'000;  ///< promised by the part's data sheet; the part does not report it
};

enum class OneNandAttachStatus : std::uint8_t {
  ok,
  wrong_device,   ///< identifiers are not those of a Flex-OneNAND, or the two ways to read them disagree
  bad_geometry,   ///< buffer sizes unlike the family's, or dies with different partition boundaries
  not_ready,      ///< the part stayed busy
  bad_partition,  ///< a die's partition word has none of its forms: its erase or program was interrupted or failed
  locked,         ///< segments stay write protected: locked tight until the next cold or warm reset
};

}  // namespace ftlab
