// Any content of a part, mounted by a layer.
#include "tests/fuzz/firmware/layer_of_name.h"
#include "tests/fuzz/firmware/media.h"
#include "tests/fuzz/firmware/page_pair.h"
#include "tests/fuzz/firmware/pairs.h"
#include "tests/fuzz/support/require.h"

namespace {

ftlab::fuzz::Target target = nullptr;

template <class Layer>
int mount(const std::uint8_t* data, std::size_t size) {
  static ftlab::fuzz::Media<ftlab::fuzz::Refusing<ftlab::fuzz::Pair<Layer>>> media;
  ftlab::fuzz::Input in(data, size);
  media.run(in);
  return 0;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*count*/, char*** arguments) {
  target =
      ftlab::fuzz::target_of(**arguments, "media", []<class Layer>() -> ftlab::fuzz::Target { return mount<Layer>; });
  ftlab::fuzz::require(target != nullptr, "the program is called fuzz_LAYER_media");
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { return target(data, size); }
