// Any content of a part, mounted by the layer of tests/powerloss/layers.txt that the build names.
#include "tests/fuzz/firmware/media.h"
#include "tests/fuzz/firmware/pairs.h"
#include "tests/powerloss/all_layers.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ftlab;
  static fuzz::Media<fuzz::Refusing<fuzz::Pair<tests::FTLAB_FUZZ_LAYER>>> media;
  fuzz::Input in(data, size);
  media.run(in);
  return 0;
}
