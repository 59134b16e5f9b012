// CAT between the pools' victims, with f(age) = age.
#include "firmware/policy/members.h"
#include "firmware/policy/pools/cat.h"

namespace ftlab::fms::pools {
namespace {

class CatLinear final : public PoolChoice {
 public:
  std::int64_t score(const PoolView& view, std::uint32_t pool) override {
    return cat_score(view, pool, [](std::int64_t log_age) { return log_age; });
  }
};

}  // namespace

constexpr PoolChoiceEntry cat_linear =
    member<CatLinear>("cat_linear", "CAT between the pools' victims, f(age) = age (Eq. 28)");

}  // namespace ftlab::fms::pools
