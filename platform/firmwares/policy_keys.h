// Keys and texts that firmwares have of the policies in firmware/policy, from the policies' own rows.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "firmware/policy/policies.h"
#include "platform/study/firmware_keys.h"

namespace ftlab::platform::firmwares {

/// The i-th selection; empty behind the last one.
[[nodiscard]] std::string_view selection_name(std::size_t i);

/// A part of the configuration.
template <class Config, class Part>
struct Inside {
  Part part;
  const auto& operator()(const Study& study) const { return part(study.configs.get<Config>()); }
  auto& operator()(Study& study) const { return part(study.configs.edit<Config>()); }
};
template <class Config, class Part>
auto inside(Part part) {
  return Inside<Config, Part>{part};
}

/// Keys of the parameters of the members that the key of a family chooses from; the firmware keeps all of them in
/// Config::params.
template <class Config>
void add_params_of(FirmwareKeys& keys, std::string_view key) {
  for (const fms::PolicyFamily& family : fms::policy_families()) {
    if (family.key != key) continue;
    for (const fms::PolicyEntry& entry : family.members) {
      keys.add(entry.fields, inside<Config>([&entry](auto& config) -> auto& { return config.params.of(entry); }),
               {{"ftl." + std::string(family.key), std::string(entry.name)}}, family.of_all_layers);
    }
  }
}

/// When a key that several policies share counts: where one that uses it is chosen of those that `is_asked` names, by
/// family and member. No key: none does.
using IsAsked = bool (*)(const fms::PolicyFamily&, const fms::PolicyEntry&);
Condition users_of(const Field<fms::SharedParams>& field, IsAsked is_asked);

/// What else must hold where the firmware asks some selections in their listed form, which goes by none of these keys,
/// when pools are cleaned each by itself. No key: no selection with lists uses this one.
Condition unless_pools_are_asked(const Field<fms::SharedParams>& field);

/// Those keys; the firmware keeps them in Config::shared. `asks_pools`: for victims, in a selection's listed form.
template <class Config>
void add_shared_params(FirmwareKeys& keys, IsAsked is_asked, bool asks_pools) {
  for (const Field<fms::SharedParams>& field : fms::kSharedFields) {
    std::vector<Condition> conditions{users_of(field, is_asked)};
    if (conditions.front().key.empty()) continue;
    if (Condition more = unless_pools_are_asked(field); asks_pools && !more.key.empty())
      conditions.push_back(std::move(more));
    keys.add(std::span(&field, 1), inside<Config>([](auto& config) -> auto& { return config.shared; }),
             std::move(conditions));
  }
}

/// The members of the family that the key chooses from, with how many segments each keeps open and the keys that count
/// with it.
void append_members(std::vector<PolicyText>& out, std::string_view key);

}  // namespace ftlab::platform::firmwares
