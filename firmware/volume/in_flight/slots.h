// How many of something there is room for, and which of it is unused. Knows not what it is.
#pragma once

#include <cstdint>
#include <span>

namespace ftlab::volume {

struct Slots {
  std::span<std::uint16_t> unused;
  std::uint32_t count = 0;
  void fill() {
    for (count = 0; count < unused.size(); ++count)
      unused[count] = static_cast<std::uint16_t>(unused.size() - 1 - count);
  }
  std::uint16_t take() { return unused[--count]; }
  void put(std::uint16_t slot) { unused[count++] = slot; }
};

}  // namespace ftlab::volume
