// Greedy selection: fewest valid pages.
#include "firmware/policy/families.h"
#include "firmware/policy/members.h"
#include "firmware/policy/select/fewest_valid.h"

namespace ftlab::fms::select {
namespace {

class Greedy final : public Selection {
 public:
  std::optional<std::uint32_t> pick(const CleaningView& view) override { return fewest_valid(view); }
};

}  // namespace

constexpr SelectionEntry greedy = member<Greedy>("greedy", "the segment with the fewest valid pages");

}  // namespace ftlab::fms::select
