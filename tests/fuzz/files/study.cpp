// Any text as a study, from the bytes to the checked choices and the resolved configuration. Lines "#set KEY=VALUE",
// comments to TOML, are settings of the command line.
#include "platform/study/study.h"

#include <nlohmann/json.hpp>

#include "tests/fuzz/files/toml_words.h"
#include "tests/fuzz/support/input_error.h"
#include "tests/fuzz/support/text_mutator.h"

FTLAB_TEXT_MUTATOR(ftlab::fuzz::kTomlWords, 0)

namespace {

std::vector<ftlab::platform::Setting> settings_in(std::string_view text) {
  constexpr std::string_view kMark = "#set ";
  constexpr std::size_t kMax = 8;
  std::vector<ftlab::platform::Setting> settings;
  for (std::size_t at = text.find(kMark); at != std::string_view::npos && settings.size() < kMax;
       at = text.find(kMark, at)) {
    at += kMark.size();
    settings.push_back(ftlab::platform::parse_setting(text.substr(at, text.find('\n', at) - at)));
  }
  return settings;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ftlab;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  fuzz::reads_or_refuses([&] {
    const auto settings = settings_in(text);
    const platform::Study study = platform::parse_study(text, "study.toml", settings);
    const auto config = platform::resolved_config(study);
    fuzz::require(config.contains("ftl") && config.contains("workload"), "a checked study has all its tables");
  });
  return 0;
}
