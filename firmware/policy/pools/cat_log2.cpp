// CAT between the pools' victims, with f(age) = log2(age), ages in segments.
#include <algorithm>

#include "firmware/policy/members.h"
#include "firmware/policy/pools/cat.h"

namespace ftlab::fms::pools {
namespace {

class CatLog2 final : public PoolChoice {
 public:
  std::int64_t score(const PoolView& view, std::uint32_t pool) override {
    return cat_score(view, pool, [&view](std::int64_t log_age) {
      // Below two segments the logarithm would turn the order round.
      constexpr std::int64_t kOne = std::int64_t{1} << 32;
      const std::int64_t in_segments = std::max(kOne, log_age - log2_q32(view.pages_per_segment));
      return log2_q32(static_cast<std::uint64_t>(in_segments)) - 32 * kOne;
    });
  }
};

}  // namespace

constexpr PoolChoiceEntry cat_log2 =
    member<CatLog2>("cat_log2", "CAT between the pools' victims, f(age) = log2(age) (Eq. 26-27)");

}  // namespace ftlab::fms::pools
