// Whoever keeps something of what the page table remembers of each page. Knows no table.
#pragma once

#include <cstdint>

namespace ftlab {

/// Of a page's last host write; of one that is not mapped no updates.
struct PageHistory {
  std::uint32_t updates = 0;
  std::uint64_t stamp = 0;
};

class PageWatcher {
 public:
  PageWatcher() = default;
  PageWatcher(const PageWatcher&) = delete;
  PageWatcher& operator=(const PageWatcher&) = delete;

  /// A page was written, is there when the volume is mounted, or is gone. Not told of copies.
  virtual void on_page(PageHistory /*before*/, PageHistory /*after*/) {}

 protected:
  ~PageWatcher() = default;
};

}  // namespace ftlab
