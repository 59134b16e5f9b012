// Part, host and scenario differ only in folder and loader.
#include "platform/files/study_files.h"

#include "platform/files/data_files.h"
#include "platform/files/host_file.h"
#include "platform/files/scenario_file.h"

namespace ftlab::platform {
namespace {

spec::TomlFile open_with(std::string_view kind, const std::string& name, const std::string& where,
                         const std::vector<FileOverride>& overrides) {
  // Paths in a study are already relative to the working directory.
  spec::TomlFile file = spec::TomlFile::load(data_file(kind, name, {}, where).string());
  for (const FileOverride& o : overrides) file.set(o.key, o.text, o.origin);
  return file;
}

}  // namespace

spec::TomlFile open_part(const Study& study) {
  return open_with("parts", study.part, study.part_where, study.part_overrides);
}

spec::TomlFile open_host(const Study& study) {
  return open_with("hosts", study.host, study.host_where, study.host_overrides);
}

spec::TomlFile open_scenario(const Study& study) {
  return open_with("scenarios", study.workload.scenario, study.scenario_where, study.scenario_overrides);
}

ProcessorProfile load_host(const Study& study) { return load_processor_profile(open_host(study)); }

workloads::ScenarioConfig load_scenario(const Study& study) { return load_scenario_config(open_scenario(study)); }

}  // namespace ftlab::platform
