// Calls, power losses and faults in any order.
#include "tests/fuzz/firmware/layer_of_name.h"
#include "tests/fuzz/firmware/page_pair.h"
#include "tests/fuzz/firmware/pairs.h"
#include "tests/fuzz/firmware/session.h"
#include "tests/fuzz/support/require.h"

namespace {
ftlab::fuzz::Target target = nullptr;
}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*count*/, char*** arguments) {
  target = ftlab::fuzz::target_of(**arguments, "api", []<class Layer>() -> ftlab::fuzz::Target {
    return ftlab::fuzz::run_session<ftlab::fuzz::Pair<Layer>>;
  });
  ftlab::fuzz::require(target != nullptr, "the program is called fuzz_LAYER_api");
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { return target(data, size); }
