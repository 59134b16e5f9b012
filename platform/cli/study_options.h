// The options of every command that takes a study: the file, --set and --seed.
#pragma once

#include <string>
#include <vector>

#include "platform/study/study.h"

namespace CLI {
class App;
}

namespace ftlab::platform::cli {

/// Whether a command needs a STUDY.
enum class StudyFile : char { required, optional };

struct StudyOptions {
  std::string file;
  bool defaults = false;              ///< there is no STUDY, and none is needed
  std::string default_study;          ///< TOML text that stands for a STUDY that is absent; empty: every key's default
  std::vector<std::string> settings;  ///< "key=value", as typed
  std::string seed;                   ///< text, so that the study's own check words the message; empty = not given
};

/// STUDY.toml, --set KEY=VALUE (any number), --seed N. `options` outlives the parsing.
void add_study_options(CLI::App& command, StudyOptions& options, StudyFile need = StudyFile::required);

/// The study with its overrides; --seed wins over --set seed=N. Throws InputError.
Study load_study(const StudyOptions& options);

}  // namespace ftlab::platform::cli
