#include "firmware/policy/policies.h"

namespace ftlab::fms {
namespace {

#define FTLAB_MEMBER(name) &trigger::name,
constexpr const TriggerEntry* kTriggerTable[] = {
#include "firmware/policy/trigger/members.inc"
};
#undef FTLAB_MEMBER

#define FTLAB_MEMBER(name) &select::name,
constexpr const SelectionEntry* kSelectionTable[] = {
#include "firmware/policy/select/members.inc"
};
#undef FTLAB_MEMBER

#define FTLAB_MEMBER(name) &redistribute::name,
constexpr const RedistributionEntry* kRedistributionTable[] = {
#include "firmware/policy/redistribute/members.inc"
};
#undef FTLAB_MEMBER

#define FTLAB_MEMBER(name) &place::name,
constexpr const PlacementEntry* kPlacementTable[] = {
#include "firmware/policy/place/members.inc"
};
#undef FTLAB_MEMBER

#define FTLAB_MEMBER(name) &wear::name,
constexpr const WearLevelingEntry* kWearLevelingTable[] = {
#include "firmware/policy/wear/members.inc"
};
#undef FTLAB_MEMBER

#define FTLAB_MEMBER(name) &separate::name,
constexpr const SeparationEntry* kSeparationTable[] = {
#include "firmware/policy/separate/members.inc"
};
#undef FTLAB_MEMBER

#define FTLAB_MEMBER(name) &pools::name,
constexpr const PoolChoiceEntry* kPoolChoiceTable[] = {
#include "firmware/policy/pools/members.inc"
};
#undef FTLAB_MEMBER

template <class Entry, auto& kTable>
constexpr PolicyList<Entry> list_of() {
  return {std::size(kTable), [](std::size_t i) -> const Entry& { return *kTable[i]; }};
}

constexpr PolicyList<TriggerEntry> kTriggerList = list_of<TriggerEntry, kTriggerTable>();
constexpr PolicyList<SelectionEntry> kSelectionList = list_of<SelectionEntry, kSelectionTable>();
constexpr PolicyList<RedistributionEntry> kRedistributionList = list_of<RedistributionEntry, kRedistributionTable>();
constexpr PolicyList<PlacementEntry> kPlacementList = list_of<PlacementEntry, kPlacementTable>();
constexpr PolicyList<WearLevelingEntry> kWearLevelingList = list_of<WearLevelingEntry, kWearLevelingTable>();
constexpr PolicyList<SeparationEntry> kSeparationList = list_of<SeparationEntry, kSeparationTable>();
constexpr PolicyList<PoolChoiceEntry> kPoolChoiceList = list_of<PoolChoiceEntry, kPoolChoiceTable>();

constexpr PolicyFamily kFamilies[] = {
    {"trigger", list_of<PolicyEntry, kTriggerTable>()},
    {"selection", list_of<PolicyEntry, kSelectionTable>(), true},
    {"redistribution", list_of<PolicyEntry, kRedistributionTable>()},
    {"read_only", list_of<PolicyEntry, kPlacementTable>()},
    {"wear_leveling", list_of<PolicyEntry, kWearLevelingTable>()},
    {"separation", list_of<PolicyEntry, kSeparationTable>(), true},
    {"pool_choice", list_of<PolicyEntry, kPoolChoiceTable>(), true},
};

bool store(const Field<ParamBlock>& field, ParamBlock& block, std::uint64_t value) {
  void* at = field.at(block);
  switch (field.type) {
    case FieldType::choice:
      if (field.names(value).empty()) return false;
      field.set(block, value);
      return true;
    case FieldType::boolean:
      *static_cast<bool*>(at) = value != 0;
      return true;
    case FieldType::u32:
      *static_cast<std::uint32_t*>(at) = static_cast<std::uint32_t>(value);
      return true;
    case FieldType::u64:
    case FieldType::scaled:
      *static_cast<std::uint64_t*>(at) = value;
      return true;
    default:
      return false;
  }
}

std::optional<std::uint64_t> load(const Field<ParamBlock>& field, ParamBlock block) {
  const void* at = field.at(block);
  switch (field.type) {
    case FieldType::choice:
      return field.get(block);
    case FieldType::boolean:
      return *static_cast<const bool*>(at) ? 1 : 0;
    case FieldType::u32:
      return *static_cast<const std::uint32_t*>(at);
    case FieldType::u64:
    case FieldType::scaled:
      return *static_cast<const std::uint64_t*>(at);
    default:
      return std::nullopt;
  }
}

}  // namespace

const PolicyList<TriggerEntry>& triggers() { return kTriggerList; }
const PolicyList<SelectionEntry>& selections() { return kSelectionList; }
const PolicyList<RedistributionEntry>& redistributions() { return kRedistributionList; }
const PolicyList<PlacementEntry>& placements() { return kPlacementList; }
const PolicyList<WearLevelingEntry>& wear_levelers() { return kWearLevelingList; }
const PolicyList<SeparationEntry>& separations() { return kSeparationList; }
const PolicyList<PoolChoiceEntry>& pool_choices() { return kPoolChoiceList; }
std::span<const PolicyFamily> policy_families() { return kFamilies; }

PolicyParams::PolicyParams() {
  for (const PolicyFamily& family : kFamilies)
    for (const PolicyEntry& entry : family.members)
      if (entry.fill != nullptr) entry.fill(of(entry));
}

ParamBlock& PolicyParams::of(const PolicyEntry& entry) {
  std::size_t at = 0;
  for (const PolicyFamily& family : kFamilies)
    for (const PolicyEntry& other : family.members) {
      if (&other == &entry) return blocks_[at];
      ++at;
    }
  return blocks_[0];  // no member of any family: there is none
}

bool PolicyParams::set(std::string_view key, std::uint64_t value) {
  for (const PolicyFamily& family : kFamilies)
    for (const PolicyEntry& entry : family.members)
      for (const Field<ParamBlock>& field : entry.fields)
        if (field.name == key) return store(field, of(entry), value);
  return false;
}

std::optional<std::uint64_t> PolicyParams::get(std::string_view key) const {
  for (const PolicyFamily& family : kFamilies)
    for (const PolicyEntry& entry : family.members)
      for (const Field<ParamBlock>& field : entry.fields)
        if (field.name == key) return load(field, of(entry));
  return std::nullopt;
}

}  // namespace ftlab::fms
