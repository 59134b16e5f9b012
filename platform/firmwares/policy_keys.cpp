#include "platform/firmwares/policy_keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ftlab::platform::firmwares {
namespace {

std::string needs_of(const fms::PolicyEntry& entry) {
  std::string text;
  if (entry.partitioned) text += "; works on partitions, with others that do";
  if (entry.streams > 0)
    text += entry.streams == 1 ? "; 1 open segment" : fmt::format("; {} open segments", entry.streams);
  std::vector<std::string> keys;
  for (const Field<fms::ParamBlock>& field : entry.fields) keys.push_back("ftl." + std::string(field.name));
  for (const std::string_view key : entry.uses) keys.push_back("ftl." + std::string(key));
  if (!keys.empty()) text += fmt::format("; keys {}", fmt::join(keys, ", "));
  const fms::SelectionEntry* selection = fms::selections().find(entry.name);
  if (selection == &entry && selection->listed.exists()) text += "; has lists";
  return text;
}

}  // namespace

std::string_view selection_name(std::size_t i) {
  return i < fms::selections().size() ? fms::selections()[i].name : std::string_view{};
}

Condition users_of(const Field<fms::SharedParams>& field, IsAsked is_asked) {
  Condition chosen;
  for (const fms::PolicyFamily& family : fms::policy_families()) {
    Condition one{"ftl." + std::string(family.key), ""};
    for (const fms::PolicyEntry& entry : family.members) {
      if (entry.uses_key(field.name) && is_asked(family, entry))
        one.values += (one.values.empty() ? "" : "|") + std::string(entry.name);
    }
    if (one.values.empty()) continue;
    if (chosen.key.empty())
      chosen = one;
    else
      chosen.others.push_back(one);
  }
  return chosen;
}

Condition unless_pools_are_asked(const Field<fms::SharedParams>& field) {
  bool has_both = false;
  for (const fms::SelectionEntry& entry : fms::selections())
    has_both = has_both || (entry.listed.exists() && entry.uses_key(field.name));
  if (!has_both) return {};
  const auto add = [](Condition& condition, std::string_view name) {
    condition.values += (condition.values.empty() ? "" : "|") + std::string(name);
  };
  Condition together{"ftl.pool_choice", ""};
  for (const fms::PoolChoiceEntry& entry : fms::pool_choices())
    if (entry.one_pool) add(together, entry.name);
  Condition without_pools{"ftl.separation", ""};
  const fms::PolicyParams defaults;
  for (const fms::SeparationEntry& entry : fms::separations())
    if (entry.pools(defaults.of(entry), false) == 1) add(without_pools, entry.name);
  together.others.push_back(without_pools);
  return together;
}

void append_members(std::vector<PolicyText>& out, std::string_view key) {
  for (const fms::PolicyFamily& family : fms::policy_families()) {
    if (family.key != key) continue;
    for (const fms::PolicyEntry& entry : family.members)
      out.push_back({"ftl." + std::string(key), entry.name, std::string(entry.help) + needs_of(entry)});
  }
}

}  // namespace ftlab::platform::firmwares
