// The pool that loses the least by giving up a segment (Desnoyers, section 5.1, Eq. 29-30): r |dA|, where r is the
// pool's share of the host's writes and dA = A'(alpha) dalpha with dalpha = N_p / valid pages of the pool.
#include <algorithm>

#include "firmware/policy/fixed_point.h"
#include "firmware/policy/members.h"

namespace ftlab::fms::pools {
namespace {

/// log2 |A'(alpha)| in 1 / 2^16, from the table over log2(alpha - 1).
std::int64_t log_derivative(const PoolArithmetic& arithmetic, std::int64_t log_excess_q32) {
  const auto last = static_cast<std::int64_t>(arithmetic.derivative_q16.size()) - 1;
  const std::int64_t at = (log_excess_q32 >> 16) * PoolArithmetic::kDerivativeSteps -
                          std::int64_t{PoolArithmetic::kDerivativeFrom} * PoolArithmetic::kDerivativeSteps * 65536;
  const std::int64_t cell = std::clamp<std::int64_t>(at >> 16, 0, last - 1);
  const std::int64_t within = std::clamp<std::int64_t>(at - cell * 65536, 0, 65536);
  const std::int64_t low = arithmetic.derivative_q16[static_cast<std::size_t>(cell)];
  const std::int64_t high = arithmetic.derivative_q16[static_cast<std::size_t>(cell) + 1];
  return low + ((high - low) * within >> 16);
}

class Marginal final : public PoolChoice {
 public:
  std::int64_t score(const PoolView& view, std::uint32_t pool) override {
    const std::uint64_t valid = view.valid_of(pool);
    const std::uint64_t invalid = view.pages_of(pool) - valid;
    if (valid == 0) return INT64_MIN;
    const std::int64_t log_excess = log2_q32(std::max<std::uint64_t>(1, invalid)) - log2_q32(valid);
    return (log2_q32(view.writes[pool]) >> 16) + log_derivative(view.arithmetic, log_excess) - (log2_q32(valid) >> 16);
  }
};

}  // namespace

constexpr PoolChoiceEntry marginal = member<Marginal>("marginal", "the least marginal cost (Eq. 29-30)");

}  // namespace ftlab::fms::pools
