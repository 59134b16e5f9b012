// Pages lie apart and are cleaned as one pool: the selection looks at all segments, and there is nothing to score.
#include "firmware/policy/members.h"

namespace ftlab::fms::pools {
namespace {

class OnePool final : public PoolChoice {
 public:
  static constexpr bool kOnePool = true;
  std::int64_t score(const PoolView&, std::uint32_t) override { return 0; }
};

}  // namespace

constexpr PoolChoiceEntry together = member<OnePool>("together", "one pool: the selection looks at all segments");

}  // namespace ftlab::fms::pools
