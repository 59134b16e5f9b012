// The segments (erase blocks) of a log: how many of their pages are valid, and the lists in which those that are full
// wait to be cleaned. Every change is constant time. Knows no flash, no policy and no page's address.
//
// A group is what one cleaning chooses from: the segments of one die that belong to one pool. Its lists are numbered by
// bin; a segment is in the bin of its valid pages, or where sort_by_valid is off stays in the bin that it was put in.
// Within a bin the one that came first is first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/base/prefetch.h"
#include "firmware/map/segment_lists.h"

namespace ftlab {

inline constexpr std::uint32_t kNoSegment = kNone;
inline constexpr std::uint16_t kNoBin = 0xFFFF;

class ListedSegments {
 public:
  struct Shape {
    std::uint32_t segments = 0;
    std::uint32_t groups = 1;
    std::uint32_t bins = 1;  ///< of a group
    bool sort_by_valid = true;
  };

  /// The same code measures and lays out. clear() comes before any other call.
  void layout(Arena& arena, const Shape& shape) {
    shape_ = shape;
    rows_ = arena.take<Row>(shape.segments);
    heads_ = arena.take<SegmentList>(std::size_t{shape.groups} * shape.bins);
    groups_ = arena.take<Group>(shape.groups);
  }
  void clear() {
    std::ranges::fill(rows_, Row{});
    std::ranges::fill(heads_, SegmentList{});
    std::ranges::fill(groups_, Group{});
  }

  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(rows_.size()); }
  [[nodiscard]] std::uint32_t valid(std::uint32_t segment) const { return rows_[segment].valid; }
  [[nodiscard]] bool listed(std::uint32_t segment) const { return rows_[segment].bin != kNoBin; }
  [[nodiscard]] std::uint32_t group_of(std::uint32_t segment) const { return rows_[segment].group; }
  [[nodiscard]] std::uint32_t bin_of(std::uint32_t segment) const { return rows_[segment].bin; }
  /// Segments that the group's lists hold.
  [[nodiscard]] std::uint32_t listed_in(std::uint32_t group) const { return groups_[group].count; }
  /// Valid pages in them.
  [[nodiscard]] std::uint64_t valid_in(std::uint32_t group) const { return groups_[group].valid; }

  /// On a list, too, where a page is back whose program or copy has failed.
  void add_valid(std::uint32_t segment, std::uint32_t count = 1) {
    Row& row = rows_[segment];
    const std::uint16_t was = row.valid;
    row.valid = static_cast<std::uint16_t>(was + count);
    if (row.bin == kNoBin) return;
    groups_[row.group].valid += count;
    if (!shape_.sort_by_valid || row.bin != was) return;
    unlink(row);
    link(segment, row, row.valid);
  }
  /// Of a segment on no list; how many are left.
  std::uint32_t drop_unlisted(std::uint32_t segment, std::uint32_t count) {
    return rows_[segment].valid = static_cast<std::uint16_t>(rows_[segment].valid - count);
  }
  /// How many are left.
  std::uint32_t drop_valid(std::uint32_t segment) {
    Row& row = rows_[segment];
    const std::uint16_t was = row.valid--;
    if (row.bin != kNoBin) {
      --groups_[row.group].valid;
      if (shape_.sort_by_valid && row.bin == was) {
        unlink(row);
        link(segment, row, row.valid);
      }
    }
    return row.valid;
  }
  void prefetch(std::uint32_t segment) const { prefetch_to_write(&rows_[segment]); }

  void put(std::uint32_t segment, std::uint32_t group, std::uint32_t bin) {
    Row& row = rows_[segment];
    row.group = static_cast<std::uint16_t>(group);
    ++groups_[group].count;
    groups_[group].valid += row.valid;
    link(segment, row, static_cast<std::uint16_t>(bin));
  }
  void take(std::uint32_t segment) {
    Row& row = rows_[segment];
    --groups_[row.group].count;
    groups_[row.group].valid -= row.valid;
    unlink(row);
    row.bin = kNoBin;
  }
  void move_to_bin(std::uint32_t segment, std::uint32_t bin) {
    Row& row = rows_[segment];
    unlink(row);
    link(segment, row, static_cast<std::uint16_t>(bin));
  }

  [[nodiscard]] std::uint32_t first(std::uint32_t group, std::uint32_t bin) const { return head(group, bin).first; }
  /// It is on a list, and no bin of its group before its own has a segment.
  [[nodiscard]] bool is_lowest(std::uint32_t segment) const {
    return rows_[segment].bin <= groups_[rows_[segment].group].lowest;
  }
  [[nodiscard]] std::uint32_t next(std::uint32_t segment) const { return rows_[segment].next; }
  /// The first of the lowest bin that has any, of all or of those below `end`; kNoSegment: none has.
  [[nodiscard]] std::uint32_t lowest(std::uint32_t group) { return lowest(group, shape_.bins); }
  [[nodiscard]] std::uint32_t lowest(std::uint32_t group, std::uint32_t end) {
    const std::span<const SegmentList> lists = heads_.subspan(std::size_t{group} * shape_.bins, end);
    return first_of_lowest(lists, groups_[group].lowest);
  }

 private:
  struct Row {
    std::uint32_t before = kNoSegment;
    std::uint32_t next = kNoSegment;
    std::uint16_t valid = 0;
    std::uint16_t bin = kNoBin;
    std::uint16_t group = 0;
  };
  struct Group {
    std::uint64_t valid = 0;
    std::uint32_t count = 0;
    std::uint32_t lowest = 0;  ///< no bin before this one has a segment
  };

  [[nodiscard]] SegmentList& head(std::uint32_t group, std::uint32_t bin) {
    return heads_[std::size_t{group} * shape_.bins + bin];
  }
  [[nodiscard]] const SegmentList& head(std::uint32_t group, std::uint32_t bin) const {
    return heads_[std::size_t{group} * shape_.bins + bin];
  }
  void link(std::uint32_t segment, Row& row, std::uint16_t bin) {
    row.bin = bin;
    append_to(head(row.group, bin), rows_, segment, row);
    groups_[row.group].lowest = std::min<std::uint32_t>(groups_[row.group].lowest, bin);
  }
  void unlink(const Row& row) { remove_from(head(row.group, row.bin), rows_, row); }

  Shape shape_;
  std::span<Row> rows_;
  std::span<SegmentList> heads_;
  std::span<Group> groups_;
};

}  // namespace ftlab
