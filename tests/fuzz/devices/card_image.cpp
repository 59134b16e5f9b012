// Any bytes as the image file of a Series 2+ card.
#include <array>

#include "tests/fuzz/devices/card_bus.h"
#include "tests/fuzz/devices/image.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ftlab::fuzz;
  static const auto use = [] {
    std::array<std::uint8_t, 4096> dice{};
    std::uint32_t state = 1;
    for (std::uint8_t& byte : dice) byte = static_cast<std::uint8_t>((state = state * 1664525 + 1013904223) >> 24);
    return dice;
  }();
  static ImageTarget<CardBus> target(use);
  Input in(data, size);
  target.run(in);
  return 0;
}
