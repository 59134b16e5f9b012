// Any bytes as the image file of a Series 2+ card.
#include "tests/fuzz/devices/card_bus.h"
#include "tests/fuzz/devices/image.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return ftlab::fuzz::run_image<ftlab::fuzz::CardBus>(data, size);
}
