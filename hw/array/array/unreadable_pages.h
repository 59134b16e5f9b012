// Pages that read as uncorrectable: torn and failed programs, and copies of such; and those that would, had the
// controller not kept them. Rare, so they are a set beside the table of segments. A page counts for one erase cycle of
// its segment: an erase makes it good, and an erase that never happened leaves it as it was. Nothing is forgotten: what
// was once unreadable is rare enough. A copy of such a page is a whole page that says of itself that its data are lost,
// so its metadata can be read.
#pragma once

#include <cstdint>
#include <unordered_map>

namespace ftlab::hw::array {

/// What is left of a page; as images have it.
enum class PageMark : std::uint8_t {
  none,      ///< all
  lost,      ///< nothing
  metadata,  ///< a copy of a lost page
  kept       ///< all, since the controller has kept it: it should be moved
};

class UnreadablePages {
 public:
  void add(std::uint32_t page, std::uint32_t erase_count, PageMark mark) { pages_[key(page, erase_count)] = mark; }
  void remove(std::uint32_t page, std::uint32_t erase_count) { pages_.erase(key(page, erase_count)); }
  [[nodiscard]] PageMark mark(std::uint32_t page, std::uint32_t erase_count) const {
    const auto found = pages_.find(key(page, erase_count));
    return found != pages_.end() ? found->second : PageMark::none;
  }
  void clear() { pages_.clear(); }

 private:
  static std::uint64_t key(std::uint32_t page, std::uint32_t erase_count) {
    return std::uint64_t{erase_count} << 32 | page;
  }

  std::unordered_map<std::uint64_t, PageMark> pages_;  ///< never none
};

}  // namespace ftlab::hw::array
