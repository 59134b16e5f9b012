// First in, first out: the segment that was taken into use first, as a log that goes round its segments.
#include "firmware/policy/members.h"
#include "firmware/policy/select/first_opened.h"

namespace ftlab::fms::select {

constexpr SelectionEntry fifo = member<FirstOpened>("fifo", "the segment that was taken into use first");

}  // namespace ftlab::fms::select
