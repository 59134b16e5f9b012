// The options of every command that takes a study: the file, --set and --seed.
#pragma once

#include <string>
#include <vector>

#include "platform/study/study.h"

namespace CLI {
class App;
}

namespace ftlab::platform::cli {

struct StudyOptions {
  std::string file;
  std::vector<std::string> settings;  ///< "key=value", as typed
  std::string seed;                   ///< text, so that the study's own check words the message; empty = not given
};

/// STUDY.toml (required), --set KEY=VALUE (any number), --seed N. `options` outlives the parsing.
void add_study_options(CLI::App& command, StudyOptions& options);

/// The study with its overrides; --seed wins over --set seed=N. Throws InputError.
Study load_study(const StudyOptions& options);

}  // namespace ftlab::platform::cli
