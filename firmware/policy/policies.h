// All policies there are, by family, and the values of their parameters. A new member appears here by itself.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "firmware/policy/families.h"
#include "firmware/policy/members.h"

namespace ftlab::fms {

/// The members of a family, or of all: entries that lie in the members' files.
template <class Entry>
class PolicyList {
 public:
  class Iterator {
   public:
    constexpr Iterator(const PolicyList& list, std::size_t at) : list_(&list), at_(at) {}
    constexpr const Entry& operator*() const { return (*list_)[at_]; }
    constexpr Iterator& operator++() {
      ++at_;
      return *this;
    }
    constexpr bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const PolicyList* list_;
    std::size_t at_;
  };

  constexpr PolicyList(std::size_t size, const Entry& (*at)(std::size_t)) : size_(size), at_(at) {}
  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr const Entry& operator[](std::size_t i) const { return at_(i); }
  [[nodiscard]] constexpr Iterator begin() const { return {*this, 0}; }
  [[nodiscard]] constexpr Iterator end() const { return {*this, size_}; }
  /// Null when there is none of that name.
  [[nodiscard]] constexpr const Entry* find(std::string_view name) const {
    for (const Entry& entry : *this)
      if (entry.name == name) return &entry;
    return nullptr;
  }

 private:
  std::size_t size_;
  const Entry& (*at_)(std::size_t);
};

[[nodiscard]] const PolicyList<TriggerEntry>& triggers();
[[nodiscard]] const PolicyList<SelectionEntry>& selections();
[[nodiscard]] const PolicyList<RedistributionEntry>& redistributions();
[[nodiscard]] const PolicyList<PlacementEntry>& placements();
[[nodiscard]] const PolicyList<WearLevelingEntry>& wear_levelers();
[[nodiscard]] const PolicyList<SeparationEntry>& separations();
[[nodiscard]] const PolicyList<PoolChoiceEntry>& pool_choices();

struct PolicyFamily {
  std::string_view key;  ///< of a study, which names the member
  PolicyList<PolicyEntry> members;
  bool of_all_layers = false;  ///< layers without policies of the other families have them, too
};

[[nodiscard]] std::span<const PolicyFamily> policy_families();

/// A value for each parameter of each policy, chosen or not.
class PolicyParams {
 public:
  PolicyParams();
  [[nodiscard]] ParamBlock& of(const PolicyEntry& entry);
  [[nodiscard]] const ParamBlock& of(const PolicyEntry& entry) const {
    return const_cast<PolicyParams*>(this)->of(entry);
  }
  /// A whole number, in steps of the member, a yes or no, or the place of a name among the choices, by its key. False:
  /// no policy has such a parameter.
  bool set(std::string_view key, std::uint64_t value);
  /// The same the other way; nothing: no policy has such a parameter.
  [[nodiscard]] std::optional<std::uint64_t> get(std::string_view key) const;

 private:
  std::array<ParamBlock, kPolicies> blocks_;
};

/// What a configuration names; null where there is no such policy.
struct ChosenPolicies {
  const TriggerEntry* trigger = nullptr;
  const SelectionEntry* selection = nullptr;
  const RedistributionEntry* redistribution = nullptr;
  const PlacementEntry* placement = nullptr;
  const WearLevelingEntry* wear_leveling = nullptr;

  [[nodiscard]] bool complete() const {
    return trigger != nullptr && selection != nullptr && redistribution != nullptr && placement != nullptr &&
           wear_leveling != nullptr;
  }
  /// Calls f(entry) for each.
  template <class F>
  void for_each(F&& f) const {
    const std::array<const PolicyEntry*, 5> all{trigger, selection, redistribution, placement, wear_leveling};
    for (const PolicyEntry* entry : all)
      if (entry != nullptr) f(*entry);
  }
};

}  // namespace ftlab::fms
