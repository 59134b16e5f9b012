// Tables whose entries have names: policies, schemes, choices. Knows nothing of what an entry does.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace ftlab {

/// The entry of that name; null when the table has none.
template <class Entry>
[[nodiscard]] const Entry* find_named(std::span<const Entry> table, std::string_view name) {
  for (const Entry& entry : table)
    if (entry.name == name) return &entry;
  return nullptr;
}

/// The name of the i-th entry; empty behind the last one.
template <class Entry>
[[nodiscard]] constexpr std::string_view name_at(std::span<const Entry> table, std::size_t i) {
  return i < table.size() ? table[i].name : std::string_view{};
}

}  // namespace ftlab
