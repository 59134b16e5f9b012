// Any traffic on the bus of a Series 2+ card.
#include "tests/fuzz/devices/card_bus.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return ftlab::fuzz::run_bus<ftlab::fuzz::CardBus>(data, size);
}
