// One value for each --set, so that `--set a=1 STUDY.toml` does not swallow the file name.
#include "platform/cli/study_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "common/input_error.h"
#include "platform/study/result_file.h"

namespace ftlab::platform::cli {

void add_study_options(CLI::App& command, StudyOptions& options, StudyFile need) {
  if (need == StudyFile::required) {
    command.add_option("STUDY", options.file, "study to run (`ftlab init` writes one), or a result.json to repeat")
        ->required();
  } else {
    options.defaults = true;
    // Noted apart from the name, so that an empty name is a mistake and not a study of defaults.
    command
        .add_option("STUDY", options.file,
                    "study (`ftlab init` writes one), or a result.json; without one every key has its default")
        ->each([&options](const std::string&) { options.defaults = false; });
  }
  command
      .add_option(
          "--set", options.settings,
          "override a key of the study, for example --set ftl.selection=cat or, with a unit, --set workload.total=2GiB")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command.add_option("--seed", options.seed, "seed of every random stream")->type_name("N");
}

namespace {

/// Other commands take the folder of a result for the result.
void refuse_folder_of_result(const std::filesystem::path& path) {
  std::error_code ignored;
  const std::filesystem::path result = path / "result.json";
  if (std::filesystem::is_regular_file(result, ignored))
    throw InputError(fmt::format("{}: is a directory; give the result in it, {}", path.string(), result.string()));
}

Study opened(const StudyOptions& options, const std::vector<Setting>& settings) {
  if (options.defaults) return parse_study(options.default_study, "defaults", settings);
  refuse_folder_of_result(options.file);
  if (looks_like_result(options.file)) return study_of_result(options.file, read_result(options.file), settings);
  return platform::load_study(options.file, settings);
}

}  // namespace

Study load_study(const StudyOptions& options) {
  if (options.file.empty() && !options.defaults)
    throw InputError("STUDY: must not be empty; name a study file (`ftlab init` writes one)");
  std::vector<Setting> settings;
  for (const std::string& text : options.settings) settings.push_back(parse_setting(text));
  if (!options.seed.empty()) settings.push_back({"seed", options.seed, "--seed"});
  Study study = opened(options, settings);
  for (const std::string& note : study.notes) fmt::print(stderr, "ftlab: note: {}\n", note);
  return study;
}

}  // namespace ftlab::platform::cli
