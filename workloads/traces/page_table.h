// A number per touched page of a traced device: counts, or places. Untouched pages cost nothing; memory grows with the
// pages touched (6 to 100 bytes each, least when neighbours are touched too).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "workloads/random_stream.h"

namespace ftlab::workloads {

class PageTable {
 public:
  /// The page's number, 0 at first touch. Sequential pages share a lookup.
  std::uint32_t& at(std::uint32_t device, std::uint64_t page) {
    const Key key{page / kGroup, device};
    if (last_ == nullptr || !(key == last_key_)) {
      last_ = &groups_[key];
      last_key_ = key;
    }
    return (*last_)[page % kGroup];
  }

  /// Calls f(number) for every number that is not 0, in no particular order.
  template <class F>
  void for_each(F&& f) const {
    for (const auto& [key, group] : groups_) {
      for (const std::uint32_t number : group) {
        if (number != 0) f(number);
      }
    }
  }

  /// Calls f(page, number) for the numbers that are not 0 among `count` pages from `first` on, in ascending order.
  /// Takes no longer than the table is large, however long the range.
  template <class F>
  void for_range(std::uint32_t device, std::uint64_t first, std::uint64_t count, F&& f) const {
    const std::uint64_t end = first + count;
    const auto visit = [&](const Key& key, const Group& group) {
      for (std::uint64_t i = 0; i < kGroup; ++i) {
        const std::uint64_t page = key.group * kGroup + i;
        if (group[i] != 0 && page >= first && page < end) f(page, group[i]);
      }
    };
    if (count / kGroup <= groups_.size()) {
      for (std::uint64_t g = first / kGroup; g * kGroup < end; ++g) {
        if (const auto found = groups_.find({g, device}); found != groups_.end()) visit(found->first, found->second);
      }
      return;
    }
    std::vector<std::uint64_t> present;
    for (const auto& [key, group] : groups_) {
      if (key.device == device) present.push_back(key.group);
    }
    std::sort(present.begin(), present.end());
    for (const std::uint64_t g : present) visit({g, device}, groups_.find({g, device})->second);
  }

 private:
  static constexpr std::uint64_t kGroup = 16;
  using Group = std::array<std::uint32_t, kGroup>;
  struct Key {
    std::uint64_t group = 0;
    std::uint32_t device = 0;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const { return mix64(key.group ^ (std::uint64_t{key.device} << 40)); }
  };

  std::unordered_map<Key, Group, Hash> groups_;
  Group* last_ = nullptr;  ///< map nodes do not move
  Key last_key_;
};

}  // namespace ftlab::workloads
