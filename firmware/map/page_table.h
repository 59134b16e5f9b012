// The translation table of the papers, with what the policies remember of each page. Knows no segment.
// A page that is not mapped has no updates and no stamp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "common/ids.h"
#include "firmware/base/arena.h"
#include "firmware/map/page_watcher.h"

namespace ftlab {

inline constexpr std::uint32_t kUnmapped = 0xFFFFFFFF;

class PageTable {
 public:
  void layout(Arena& arena, std::uint32_t pages) {
    ppn_ = arena.take<std::uint32_t>(pages);
    updates_ = arena.take<std::uint32_t>(pages);
    stamps_ = arena.take<std::uint64_t>(pages);
  }
  void clear() {
    std::fill(ppn_.begin(), ppn_.end(), kUnmapped);
    std::fill(updates_.begin(), updates_.end(), 0);
    std::fill(stamps_.begin(), stamps_.end(), 0);
    mapped_ = 0;
    updates_sum_ = 0;
  }
  /// Reports every change of a page's history from now on; null: to nobody.
  void watch(PageWatcher* watcher) { watcher_ = watcher; }
  /// The same once the table is filled: passes on the pages that are mapped first.
  void join(PageWatcher& watcher) {
    for (std::uint32_t page = 0; page < size(); ++page)
      if (ppn_[page] != kUnmapped) watcher.on_page({}, {updates_[page], stamps_[page]});
    watcher_ = &watcher;
  }
  void map(Lpn lpn, Ppn ppn, std::uint32_t updates, std::uint64_t stamp) {
    const std::uint32_t page = lpn.value();
    if (watcher_ != nullptr) watcher_->on_page({updates_[page], stamps_[page]}, {updates, stamp});
    if (ppn_[page] == kUnmapped) ++mapped_;
    ppn_[page] = ppn.value();
    updates_sum_ += updates - std::uint64_t{updates_[page]};
    updates_[page] = updates;
    stamps_[page] = stamp;
  }
  /// Copied by cleaning: updates and stamp stay.
  void move(Lpn lpn, Ppn ppn) { ppn_[lpn.value()] = ppn.value(); }
  void unmap(std::uint32_t lpn) {
    if (watcher_ != nullptr) watcher_->on_page({updates_[lpn], stamps_[lpn]}, {});
    ppn_[lpn] = kUnmapped;
    updates_sum_ -= updates_[lpn];
    updates_[lpn] = 0;
    stamps_[lpn] = 0;
    --mapped_;
  }

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(ppn_.size()); }
  [[nodiscard]] std::uint32_t mapped() const { return mapped_; }
  [[nodiscard]] std::uint32_t ppn(std::uint32_t lpn) const { return ppn_[lpn]; }
  [[nodiscard]] std::uint32_t updates(std::uint32_t lpn) const { return updates_[lpn]; }
  /// Of its next version; the last number stays.
  [[nodiscard]] std::uint32_t next_updates(std::uint32_t lpn) const {
    constexpr std::uint32_t kLast = 0xFFFFFFFF;
    return updates_[lpn] < kLast ? updates_[lpn] + 1 : kLast;
  }
  /// Of all pages.
  [[nodiscard]] std::uint64_t updates_sum() const { return updates_sum_; }
  [[nodiscard]] std::uint64_t stamp(std::uint32_t lpn) const { return stamps_[lpn]; }

 private:
  std::span<std::uint32_t> ppn_;
  std::span<std::uint32_t> updates_;
  std::span<std::uint64_t> stamps_;
  std::uint32_t mapped_ = 0;
  std::uint64_t updates_sum_ = 0;
  PageWatcher* watcher_ = nullptr;
};

}  // namespace ftlab
