// The pool whose victim has the fewest valid pages: one greedy cleaning over all pools (Desnoyers, section 5).
#include "firmware/policy/members.h"

namespace ftlab::fms::pools {
namespace {

class FewestValid final : public PoolChoice {
 public:
  std::int64_t score(const PoolView& view, std::uint32_t pool) override {
    return view.segments.valid(view.victims[pool]);
  }
};

}  // namespace

constexpr PoolChoiceEntry greedy = member<FewestValid>("greedy", "the fewest valid pages over all pools");

}  // namespace ftlab::fms::pools
