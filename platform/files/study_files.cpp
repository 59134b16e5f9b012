// Part, host and scenario differ only in folder and loader.
#include "platform/files/study_files.h"

#include "platform/files/data_files.h"
#include "platform/files/file_document.h"
#include "platform/files/host_file.h"
#include "platform/files/scenario_file.h"

namespace ftlab::platform {
namespace {

/// What a result holds of a file.
struct Embedded {
  const std::string& text;  ///< empty: the file itself is read
  std::string name;
};

spec::TomlFile open_with(std::string_view kind, const std::string& name, const std::string& where,
                         const Embedded& embedded, const std::vector<FileOverride>& overrides) {
  // Paths in a study are already relative to the working directory.
  spec::TomlFile file = embedded.text.empty() ? spec::TomlFile::load(data_file(kind, name, {}, where).string())
                                              : spec::TomlFile::parse_unseen(embedded.text, embedded.name);
  for (const FileOverride& o : overrides) file.set(o.key, o.text, o.origin);
  return file;
}

}  // namespace

spec::TomlFile open_part(const Study& study) {
  return open_with("parts", study.part, study.part_where, {study.documents.part, study.documents.where + ".part"},
                   study.part_overrides);
}

spec::TomlFile open_host(const Study& study) {
  return open_with("hosts", study.host, study.host_where, {study.documents.host, study.documents.where + ".host"},
                   study.host_overrides);
}

spec::TomlFile open_scenario(const Study& study) {
  return open_with("scenarios", study.workload.scenario, study.scenario_where,
                   {study.documents.scenario, study.documents.where + ".scenario"}, study.scenario_overrides);
}

ProcessorProfile load_host(const Study& study) { return load_processor_profile(open_host(study)); }

nlohmann::ordered_json study_documents(const Study& study) {
  nlohmann::ordered_json documents{{"part", document_of(open_part(study))}, {"host", document_of(open_host(study))}};
  if (study.workload.kind == "scenario") documents["scenario"] = document_of(open_scenario(study));
  return documents;
}

workloads::ScenarioConfig load_scenario(const Study& study) { return load_scenario_config(open_scenario(study)); }

}  // namespace ftlab::platform
