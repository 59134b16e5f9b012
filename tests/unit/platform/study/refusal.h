// What a study file is refused for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "platform/study/study.h"
#include "tests/fixtures/error_text.h"

namespace ftlab::platform {

/// The line about the file `s.toml` that says `text`, with these settings of the command line.
inline std::string refusal_of(std::string_view text, const std::vector<Setting>& settings = {}) {
  return test::error_text([&] { (void)parse_study(text, "s.toml", settings); });
}

}  // namespace ftlab::platform
