// A page of a request on its way to or from the array. Its number is the tag of its operation, and its buffer.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ftlab::volume {

struct PageInFlight {
  enum class State : std::uint8_t {
    reading,
    merging,  ///< a write of a part of the page, until its program is queued
    writing,
    shared,  ///< writing, and other requests wait for the same program
  };

  std::uint32_t lpn = 0;
  std::uint32_t ppn = 0;
  std::uint32_t skip = 0;   ///< read, part: bytes of the page before those wanted
  std::uint32_t bytes = 0;  ///< read, part: how many are wanted
  std::uint32_t epoch = 0;  ///< write: see Log::begin_write()
  std::uint16_t request = 0;
  std::uint8_t data_class = 0;  ///< write
  State state = State::reading;
  std::byte* into = nullptr;  ///< read
  /// Write: where the version before lies, which counts if the program fails; all ones: nowhere.
  std::uint32_t before = 0xFFFFFFFF;
  bool read_only = false;  ///< write: see WriteHint
};

}  // namespace ftlab::volume
