// Any traffic on the bus of a Flex-OneNAND.
#include "tests/fuzz/devices/onenand_bus.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ftlab::fuzz;
  static OneNandBus bus;
  constexpr int kSteps = 96;
  Input in(data, size);
  bus.renew();
  bus.run(in, kSteps);
  return 0;
}
