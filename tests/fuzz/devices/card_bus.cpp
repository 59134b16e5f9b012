// Any traffic on the bus of a Series 2+ card.
#include "tests/fuzz/devices/card_bus.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ftlab::fuzz;
  static CardBus bus;
  constexpr int kSteps = 96;
  Input in(data, size);
  bus.renew();
  bus.run(in, kSteps);
  return 0;
}
