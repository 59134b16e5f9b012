// Names come from the tables in firmware/policy/policies.cpp: a policy added there is known here.
#include "platform/study/policy_names.h"

#include "firmware/ftl/flexfs/flexfs_config.h"
#include "firmware/ftl/flexfs/victims.h"
#include "firmware/policy/policies.h"

namespace ftlab::platform {
namespace {

template <class Entry>
std::vector<std::string> names_of(std::span<const Entry> table) {
  std::vector<std::string> names;
  for (const Entry& entry : table) names.emplace_back(entry.name);
  return names;
}

}  // namespace

std::vector<std::string> selection_names() { return names_of(fms::selections()); }
std::vector<std::string> redistribution_names() { return names_of(fms::redistributions()); }
std::vector<std::string> wear_leveling_names() { return names_of(fms::wear_levelers()); }
std::vector<std::string> flexfs_scheme_names() { return names_of(flexfs::schemes()); }
std::vector<std::string> flexfs_victim_names() { return names_of(flexfs::migration_victims()); }
std::vector<std::string> flexfs_free_choice_names() { return names_of(flexfs::free_choices()); }
// The FMS knows one way to update and has no table of them.
std::vector<std::string> update_names() { return {"out_of_place"}; }

}  // namespace ftlab::platform
