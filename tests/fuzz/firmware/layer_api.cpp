// Calls, power losses and faults in any order: the layer of tests/powerloss/layers.txt that the build names.
#include "tests/fuzz/firmware/pairs.h"
#include "tests/fuzz/firmware/session.h"
#include "tests/powerloss/all_layers.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return ftlab::fuzz::run_session<ftlab::fuzz::Pair<ftlab::tests::FTLAB_FUZZ_LAYER>>(data, size);
}
