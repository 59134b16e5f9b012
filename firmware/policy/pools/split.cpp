// Keeps the spare space of the die divided between the pools as ftl.split says (Desnoyers, section 5, Eq. 20-22): the
// pool that exceeds its share the most gives a segment.
#include "firmware/policy/members.h"

namespace ftlab::fms::pools {
namespace {

class FixedSplit final : public PoolChoice {
 public:
  std::int64_t score(const PoolView& view, std::uint32_t pool) override {
    std::uint64_t spare = 0;
    for (std::uint32_t p = 0; p < view.pools; ++p) spare += view.pages_of(p) - view.valid_of(p);
    const std::uint64_t own = view.pages_of(pool) - view.valid_of(pool);
    const std::uint64_t wanted = spare * view.arithmetic.split_q16[pool] >> 16;
    return static_cast<std::int64_t>(wanted) - static_cast<std::int64_t>(own);
  }
};

}  // namespace

constexpr PoolChoiceEntry split = member<FixedSplit>("split", "keeps a fixed division of the spare space (Eq. 20-22)");

}  // namespace ftlab::fms::pools
