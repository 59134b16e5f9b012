// Segments in order of their number of valid pages, kept with every change: finding one with the fewest takes no look
// at pages, and none at segments with more. Knows no states: free and bad segments are among those with none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/map/segment_table.h"
#include "firmware/map/segment_watcher.h"

namespace ftlab {

class ValidIndex final : public SegmentWatcher {
 public:
  static constexpr std::uint32_t kEnd = 0xFFFFFFFF;

  /// The same code measures and lays out.
  void layout(Arena& arena, std::uint32_t segments, std::uint32_t slots) {
    links_ = arena.take<Links>(segments);
    lists_ = arena.take<List>(std::size_t{slots} + 1);
  }
  /// No segment has a valid page.
  void clear() override {
    std::fill(lists_.begin(), lists_.end(), List{});
    for (std::uint32_t id = 0; id < links_.size(); ++id) append(id, 0);
    least_ = 0;
  }
  void on_write(const SegmentTable& segments, std::uint32_t segment, std::uint32_t) override {
    change(segment, segments.row(segment).valid - 1U, segments.row(segment).valid);
  }
  void on_invalidate(const SegmentTable& segments, std::uint32_t segment, std::uint32_t) override {
    change(segment, segments.row(segment).valid + 1U, segments.row(segment).valid);
  }
  /// The segment's number of valid pages changed.
  void change(std::uint32_t segment, std::uint32_t before, std::uint32_t now) {
    remove(segment, before);
    append(segment, now);
    least_ = std::min(least_, now);
  }

  /// The segment with the fewest for which accept(segment) holds, of several the one that has had so many the longest;
  /// kEnd when there is none with fewer than `below`.
  template <class Accept>
  [[nodiscard]] std::uint32_t fewest(std::uint32_t below, Accept&& accept) {
    while (least_ < lists_.size() && lists_[least_].first == kEnd) ++least_;
    for (std::uint32_t valid = least_; valid < below && valid < lists_.size(); ++valid)
      for (std::uint32_t id = lists_[valid].first; id != kEnd; id = links_[id].next)
        if (accept(id)) return id;
    return kEnd;
  }

  /// For checks: whether the segment is listed under this number.
  [[nodiscard]] bool lists(std::uint32_t segment, std::uint32_t valid) const {
    for (std::uint32_t id = lists_[valid].first; id != kEnd; id = links_[id].next)
      if (id == segment) return true;
    return false;
  }

 private:
  struct Links {
    std::uint32_t before = kEnd;
    std::uint32_t next = kEnd;
  };
  struct List {
    std::uint32_t first = kEnd;
    std::uint32_t last = kEnd;
  };

  void append(std::uint32_t segment, std::uint32_t valid) {
    List& list = lists_[valid];
    links_[segment] = {list.last, kEnd};
    (list.last == kEnd ? list.first : links_[list.last].next) = segment;
    list.last = segment;
  }
  void remove(std::uint32_t segment, std::uint32_t valid) {
    const Links links = links_[segment];
    (links.before == kEnd ? lists_[valid].first : links_[links.before].next) = links.next;
    (links.next == kEnd ? lists_[valid].last : links_[links.next].before) = links.before;
  }

  std::span<Links> links_;
  std::span<List> lists_;
  std::uint32_t least_ = 0;  ///< no segment has fewer
};

}  // namespace ftlab
