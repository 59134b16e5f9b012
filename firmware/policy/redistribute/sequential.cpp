// M1: one active segment for host writes and copies, slot order.
#include "firmware/policy/policies.h"

namespace ftlab::fms {

void plan_sequential(const CleaningView&, std::uint32_t, std::span<PageMove> moves) {
  for (PageMove& move : moves) move.stream = kHot;
}

}  // namespace ftlab::fms
