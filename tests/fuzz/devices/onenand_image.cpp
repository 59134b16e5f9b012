// Any bytes as the image file of a Flex-OneNAND.
#include "tests/fuzz/devices/image.h"
#include "tests/fuzz/devices/onenand_bus.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return ftlab::fuzz::run_image<ftlab::fuzz::OneNandBus>(data, size);
}
