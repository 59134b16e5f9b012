// Part, host, core and scenario differ only in folder and loader.
#include "platform/study/study_files.h"

#include <fmt/format.h>

#include "common/input_error.h"
#include "platform/files/core_file.h"
#include "platform/files/data_files.h"
#include "platform/files/derived_file.h"
#include "platform/files/file_document.h"
#include "platform/files/former_part_keys.h"
#include "platform/files/host_file.h"
#include "platform/files/scenario_file.h"

namespace ftlab::platform {
namespace {

/// What a result holds of a file.
struct Embedded {
  const std::string& text;  ///< empty: the file itself is read
  std::string name;
};

DerivedFile read_with(std::string_view kind, const std::string& name, const std::string& where,
                      const Embedded& embedded, const std::vector<FileOverride>& overrides) {
  // Paths in a study are already relative to the working directory.
  DerivedFile file = embedded.text.empty()
                         ? read_derived(kind, data_file(kind, name, {}, where))
                         : DerivedFile{spec::TomlFile::parse_unseen(embedded.text, embedded.name), {}, {}};
  if (kind == "parts" && !embedded.text.empty()) take_former_part_keys(file.base);
  file.overrides = overrides;
  return file;
}

DerivedFile read_part(const Study& study) {
  return read_with("parts", study.part, study.part_where, {study.documents.part, study.documents.where + ".part"},
                   study.part_overrides);
}

DerivedFile read_host(const Study& study) {
  return read_with("hosts", study.host, study.host_where, {study.documents.host, study.documents.where + ".host"},
                   study.host_overrides);
}

DerivedFile read_core(const Study& study) {
  return read_with("cores", study.core, study.core_where, {study.documents.core, study.documents.where + ".core"},
                   study.core_overrides);
}

DerivedFile read_scenario(const Study& study) {
  return read_with("scenarios", study.workload.scenario, study.scenario_where,
                   {study.documents.scenario, study.documents.where + ".scenario"}, study.scenario_overrides);
}

using Load = std::function<void(spec::TomlFile&)>;

bool loads(const DerivedFile& file, std::size_t left_out, const Load& load) {
  try {
    spec::TomlFile whole = file.whole(left_out);
    load(whole);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

/// A refusal at a line of the base is the fault of the change without which there would be none.
void load_whole(const DerivedFile& file, const Load& load) {
  spec::TomlFile whole = file.whole();
  try {
    load(whole);
  } catch (const InputError& error) {
    if (!std::string_view(error.what()).starts_with(file.base.path() + ":")) throw;
    for (std::size_t i = file.changes.size() + file.overrides.size(); i-- > 0;) {
      if (!loads(file, i, load)) continue;
      const FileOverride& change = i < file.changes.size() ? file.changes[i] : file.overrides[i - file.changes.size()];
      throw InputError(fmt::format("{}{}{} = {} does not suit the rest: {}", change.origin,
                                   i < file.changes.size() ? ": " : ".", change.key, change.text, error.what()));
    }
    throw;
  }
}

}  // namespace

spec::TomlFile open_part(const Study& study) { return read_part(study).whole(); }
spec::TomlFile open_host(const Study& study) { return read_host(study).whole(); }
spec::TomlFile open_core(const Study& study) { return read_core(study).whole(); }
spec::TomlFile open_scenario(const Study& study) { return read_scenario(study).whole(); }

void load_part(const Study& study, const Load& load) { load_whole(read_part(study), load); }

ProcessorProfile load_host(const Study& study) {
  ProcessorProfile profile;
  load_whole(read_host(study), [&profile](const spec::TomlFile& file) { profile = load_processor_profile(file); });
  return profile;
}

CoreSpec load_core(const Study& study) {
  CoreSpec profile;
  load_whole(read_core(study),
             [&](const spec::TomlFile& file) { profile = load_core_spec(file, study.platform.core_mhz); });
  const std::string_view wanted = study.platform.processor == ProcessorKind::arm ? "arm" : "riscv";
  if (profile.instruction_set != wanted)
    throw InputError(fmt::format("{}{} executes programs of \"{}\", and platform.processor is \"{}\"; give another one",
                                 study.core_where, profile.name, profile.instruction_set, wanted));
  return profile;
}

nlohmann::ordered_json study_documents(const Study& study) {
  nlohmann::ordered_json documents{{"part", document_of(open_part(study))}, {"host", document_of(open_host(study))}};
  if (study.on_core()) documents["core"] = document_of(open_core(study));
  if (study.workload.kind == "scenario") documents["scenario"] = document_of(open_scenario(study));
  return documents;
}

workloads::ScenarioConfig load_scenario(const Study& study) {
  workloads::ScenarioConfig config;
  load_whole(read_scenario(study), [&config](const spec::TomlFile& file) { config = load_scenario_config(file); });
  return config;
}

workloads::WorkloadConfig workload_config_for(const Study& study, std::uint64_t logical_pages,
                                              std::uint32_t page_bytes) {
  workloads::WorkloadConfig config{study.workload.kind, study.generator, study.trace, {}, study.arrival};
  if (config.kind == "scenario") {
    config.scenario = load_scenario(study);
    config.scenario.page_bytes = page_bytes;
  }
  config.generator.page_bytes = page_bytes;
  config.generator.pages = logical_pages;
  config.trace.path = study.workload.path;
  config.trace.page_bytes = page_bytes;
  return config;
}

}  // namespace ftlab::platform
