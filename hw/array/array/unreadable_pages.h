// Pages that read as uncorrectable: torn and failed programs, and copies of such. Rare, so they are a set beside the
// table of segments. A page counts for one erase cycle of its segment: an erase makes it good, and an erase that never
// happened leaves it as it was. Nothing is forgotten: what was once unreadable is rare enough.
#pragma once

#include <cstdint>
#include <unordered_set>

namespace ftlab::hw::array {

class UnreadablePages {
 public:
  void add(std::uint32_t page, std::uint32_t erase_count) { pages_.insert(key(page, erase_count)); }
  void remove(std::uint32_t page, std::uint32_t erase_count) { pages_.erase(key(page, erase_count)); }
  [[nodiscard]] bool contains(std::uint32_t page, std::uint32_t erase_count) const {
    return pages_.contains(key(page, erase_count));
  }
  void clear() { pages_.clear(); }

 private:
  static std::uint64_t key(std::uint32_t page, std::uint32_t erase_count) {
    return std::uint64_t{erase_count} << 32 | page;
  }

  std::unordered_set<std::uint64_t> pages_;
};

}  // namespace ftlab::hw::array
