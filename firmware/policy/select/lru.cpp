// Least recently written first: segments are cleaned in the order in which they became full (Desnoyers, section 3.1),
// as lists keep it. The view of segments has the order in which they were taken into use instead, so that where all are
// looked at it is fifo. With one open segment on a die the two orders are the same.
#include "firmware/policy/members.h"
#include "firmware/policy/select/first_opened.h"

namespace ftlab::fms::select {
namespace {

class ListedLru final : public ListedSelection {
 public:
  using ListedSelection::ListedSelection;
  void sealed(std::uint32_t segment, std::uint32_t group) override { s_.segments.put(segment, group, 0); }
  std::uint32_t pick(std::uint32_t group) override { return s_.segments.first(group, 0); }
};

}  // namespace

constexpr SelectionEntry lru = with_listed<ListedLru>(member<FirstOpened>("lru", "least recently written first"));

}  // namespace ftlab::fms::select
