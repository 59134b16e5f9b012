// Any text as a scenario file.
#include "platform/files/scenario_file.h"
#include "tests/fuzz/files/data_file.h"

FTLAB_TEXT_MUTATOR(ftlab::fuzz::kTomlWords, 1)

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ftlab;
  static const fuzz::DataFiles scenarios(FTLAB_DATA_FILES "/workloads/scenarios");
  scenarios.run(data, size, [](const spec::TomlFile& file, std::uint8_t) {
    const auto config = platform::load_scenario_config(file);
    (void)platform::unpublished_parameters(file);
    const bool shaped = config.shape == "bursts" || config.shape == "probes" || config.shape == "windows" ||
                        config.shape == "applications";
    fuzz::require(shaped, "a checked scenario has a known shape", config.shape);
  });
  return 0;
}
