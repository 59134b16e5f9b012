// The translation table of the papers as policies see it: where each logical page lies, which the log's map says, and
// what they remember of each page. Knows no segment.
// A page that is not mapped has no updates and no stamp; one that is has been updated once or more.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/map/page_watcher.h"

namespace ftlab {

inline constexpr std::uint32_t kUnmapped = 0xFFFFFFFF;

class PageTable {
 public:
  /// `places`: the map, which outlives this; empty where the arena only measures.
  void layout(Arena& arena, std::uint32_t pages, std::span<const std::uint32_t> places) {
    places_ = places;
    updates_ = arena.take<std::uint32_t>(pages);
    stamps_ = arena.take<std::uint64_t>(pages);
  }
  /// Nothing is remembered.
  void clear() {
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
      if (is_mapped(page)) watcher.on_page({}, {updates_[page], stamps_[page]});
    watcher_ = &watcher;
  }
  /// The page is written, and has been `updates` times by now, at least once. Copies change nothing here.
  void write(std::uint32_t lpn, std::uint32_t updates, std::uint64_t stamp) {
    if (watcher_ != nullptr) watcher_->on_page({updates_[lpn], stamps_[lpn]}, {updates, stamp});
    if (!is_mapped(lpn)) ++mapped_;
    updates_sum_ += updates - std::uint64_t{updates_[lpn]};
    updates_[lpn] = updates;
    stamps_[lpn] = stamp;
  }
  /// It lies nowhere any more.
  void forget(std::uint32_t lpn) {
    if (!is_mapped(lpn)) return;
    if (watcher_ != nullptr) watcher_->on_page({updates_[lpn], stamps_[lpn]}, {});
    updates_sum_ -= updates_[lpn];
    updates_[lpn] = 0;
    stamps_[lpn] = 0;
    --mapped_;
  }

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(updates_.size()); }
  [[nodiscard]] bool is_mapped(std::uint32_t lpn) const { return updates_[lpn] > 0; }
  [[nodiscard]] std::uint32_t mapped() const { return mapped_; }
  /// kUnmapped: nowhere.
  [[nodiscard]] std::uint32_t ppn(std::uint32_t lpn) const { return is_mapped(lpn) ? places_[lpn] : kUnmapped; }
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
  std::span<const std::uint32_t> places_;
  std::span<std::uint32_t> updates_;
  std::span<std::uint64_t> stamps_;
  std::uint32_t mapped_ = 0;
  std::uint64_t updates_sum_ = 0;
  PageWatcher* watcher_ = nullptr;
};

}  // namespace ftlab
