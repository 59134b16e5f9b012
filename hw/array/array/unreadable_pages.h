// Pages that read as uncorrectable: torn and failed programs, and copies of such. Rare, so they are a set beside the
// table of segments. A page counts for one erase cycle of its segment: an erase makes it good, and an erase that never
// happened leaves it as it was. Nothing is forgotten: what was once unreadable is rare enough. A copy of such a page is
// a whole page that says of itself that its data are lost, so its metadata can be read.
#pragma once

#include <cstdint>
#include <unordered_map>

namespace ftlab::hw::array {

class UnreadablePages {
 public:
  void add(std::uint32_t page, std::uint32_t erase_count, bool has_metadata = false) {
    pages_[key(page, erase_count)] = has_metadata;
  }
  void remove(std::uint32_t page, std::uint32_t erase_count) { pages_.erase(key(page, erase_count)); }
  [[nodiscard]] bool contains(std::uint32_t page, std::uint32_t erase_count) const {
    return pages_.contains(key(page, erase_count));
  }
  [[nodiscard]] bool has_metadata(std::uint32_t page, std::uint32_t erase_count) const {
    const auto found = pages_.find(key(page, erase_count));
    return found != pages_.end() && found->second;
  }
  void clear() { pages_.clear(); }

 private:
  static std::uint64_t key(std::uint32_t page, std::uint32_t erase_count) {
    return std::uint64_t{erase_count} << 32 | page;
  }

  std::unordered_map<std::uint64_t, bool> pages_;  ///< whether its metadata can be read
};

}  // namespace ftlab::hw::array
