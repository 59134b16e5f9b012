// The board's DMA as firmware uses it: one transfer, during which the core sleeps.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ftlab::target {

class Dma {
 public:
  /// Addresses of the core, one of which may be in a window of the part. Returns when all has been moved.
  static void move(std::uintptr_t from, std::uintptr_t to, std::size_t bytes);
};

}  // namespace ftlab::target
