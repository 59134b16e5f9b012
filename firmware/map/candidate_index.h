// The segments (erase blocks) that cleaning may take, in lists by their number of valid pages, kept with every change:
// finding one with the fewest takes no look at pages, and none at segments with more.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/map/segment_lists.h"
#include "firmware/map/segment_view.h"
#include "firmware/map/segment_watcher.h"

namespace ftlab {

/// Whether cleaning may take the segment: full, readable, not taken yet, and with fewer valid pages than it must have
/// to gain anything.
[[nodiscard]] inline bool is_candidate(const SegmentRow& row, std::uint32_t below) {
  return row.state == SegmentState::sealed && row.valid < below && !row.cleaning;
}

class CandidateIndex final : public SegmentWatcher {
 public:
  /// Candidates have fewer valid pages than `below`. The same code measures and lays out. clear() comes before any
  /// other call.
  void layout(Arena& arena, std::uint32_t segments, std::uint32_t below) {
    links_ = arena.take<Links>(segments);
    lists_ = arena.take<SegmentList>(below);
  }
  /// There is no candidate.
  void clear() override {
    std::ranges::fill(links_, Links{});
    std::ranges::fill(lists_, SegmentList{});
    count_ = least_ = 0;
  }
  void on_write(const SegmentView& segments, std::uint32_t segment) override { update(segments, segment); }
  void on_invalidate(const SegmentView& segments, std::uint32_t segment) override { update(segments, segment); }
  void on_state(const SegmentView& segments, std::uint32_t segment) override { update(segments, segment); }

  [[nodiscard]] std::uint32_t segments() const { return static_cast<std::uint32_t>(links_.size()); }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] bool has(std::uint32_t segment) const { return links_[segment].valid != kNone; }
  /// Of those with the fewest valid pages the one that has had so many the longest; kNone: there is no candidate.
  [[nodiscard]] std::uint32_t fewest() { return first_of_lowest(lists_, least_); }
  /// The next with as many; kNone: it is the last.
  [[nodiscard]] std::uint32_t next(std::uint32_t segment) const { return links_[segment].next; }

  /// What it keeps otherwise than the table has it, or null.
  [[nodiscard]] const char* self_check(const SegmentView& segments) const {
    std::uint32_t candidates = 0;
    for (std::uint32_t id = 0; id < segments.segments(); ++id) {
      const std::uint32_t valid = list_of(segments, id);
      if (links_[id].valid != valid) return "a candidate for cleaning is not listed under its valid pages";
      candidates += valid != kNone ? 1 : 0;
    }
    std::uint32_t listed = 0;
    for (std::uint32_t valid = 0; valid < lists_.size(); ++valid)
      for (std::uint32_t id = lists_[valid].first; id != kNone && listed <= candidates; id = links_[id].next, ++listed)
        if (links_[id].valid != valid || valid < least_) return "a candidate for cleaning is in a wrong list";
    return listed == candidates && count_ == candidates ? nullptr : "candidates for cleaning are not all listed once";
  }

 private:
  struct Links {
    std::uint32_t valid = kNone;  ///< whose list; kNone: no candidate
    std::uint32_t before = kNone;
    std::uint32_t next = kNone;
  };

  [[nodiscard]] std::uint32_t list_of(const SegmentView& segments, std::uint32_t segment) const {
    const SegmentRow row = segments.row(segment);
    return is_candidate(row, static_cast<std::uint32_t>(lists_.size())) ? row.valid : kNone;
  }

  void update(const SegmentView& segments, std::uint32_t segment) {
    const std::uint32_t valid = list_of(segments, segment);
    if (links_[segment].valid == valid) return;
    if (links_[segment].valid != kNone) remove(segment);
    if (valid != kNone) append(segment, valid);
  }
  void append(std::uint32_t segment, std::uint32_t valid) {
    Links& links = links_[segment];
    links.valid = valid;
    append_to(lists_[valid], links_, segment, links);
    least_ = std::min(least_, valid);
    ++count_;
  }
  void remove(std::uint32_t segment) {
    Links& links = links_[segment];
    remove_from(lists_[links.valid], links_, links);
    links = {};
    --count_;
  }

  std::span<Links> links_;
  std::span<SegmentList> lists_;
  std::uint32_t count_ = 0;
  std::uint32_t least_ = 0;  ///< no list before this one has a candidate
};

}  // namespace ftlab
