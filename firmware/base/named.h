// Tables whose entries have names: policies, schemes, choices. Knows nothing of what an entry does.
#pragma once

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

}  // namespace ftlab
