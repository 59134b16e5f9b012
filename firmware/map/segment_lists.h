// Lists of segments by a small number, such as valid pages: every change is constant time, and of the lowest list that
// has any the one that came first is found without a look at others. Knows no table and no policy.
#pragma once

#include <cstdint>
#include <span>

namespace ftlab {

inline constexpr std::uint32_t kNone = 0xFFFFFFFF;

struct SegmentList {
  std::uint32_t first = kNone;
  std::uint32_t last = kNone;
};

/// `rows[i]` has `before` and `next`; `row`: of the segment, which is on no list.
template <class Row>
void append_to(SegmentList& list, std::span<Row> rows, std::uint32_t segment, Row& row) {
  row.before = list.last;
  row.next = kNone;
  (list.last == kNone ? list.first : rows[list.last].next) = segment;
  list.last = segment;
}

/// `row`: of a segment that is on the list.
template <class Row>
void remove_from(SegmentList& list, std::span<Row> rows, const Row& row) {
  (row.before == kNone ? list.first : rows[row.before].next) = row.next;
  (row.next == kNone ? list.last : rows[row.next].before) = row.before;
}

/// The first of the lowest list that has any; kNone: none has. `lowest`: no list before it has one, kept up to date.
[[nodiscard]] inline std::uint32_t first_of_lowest(std::span<const SegmentList> lists, std::uint32_t& lowest) {
  while (lowest < lists.size() && lists[lowest].first == kNone) ++lowest;
  return lowest < lists.size() ? lists[lowest].first : kNone;
}

}  // namespace ftlab
