// One program under many names: which layer of tests/powerloss/layers.txt it runs, its name says, as fuzz_fms_nor_api.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tests/powerloss/all_layers.h"

namespace ftlab::fuzz {

using Target = int (*)(const std::uint8_t* data, std::size_t size);

/// What a program called `fuzz_LAYER_KIND` runs, of the functions `make.template operator()<Layer>()`; nullptr for any
/// other name.
template <class Make>
Target target_of(std::string_view program, std::string_view kind, Make make) {
  program.remove_prefix(program.rfind('/') + 1);
  Target found = nullptr;
  tests::FuzzedLayers::for_each([&]<class Layer>() {
    std::string name = "fuzz_" + std::string(Layer::kName) + "_" + std::string(kind);
    std::ranges::replace(name, '-', '_');
    if (program == name) found = make.template operator()<Layer>();
  });
  return found;
}

}  // namespace ftlab::fuzz
