// Random selection: each candidate is as likely as any other, whatever it holds. What every policy is worth is measured
// against it.
#include "firmware/policy/members.h"
#include "firmware/policy/select/drawn.h"

namespace ftlab::fms::select {
namespace {

class ByChance final : public DrawingSelection {
 public:
  explicit ByChance(const PolicySetup& setup) : DrawingSelection(Draws::Consumer::random, setup) {}

  std::optional<std::uint32_t> pick(const CleaningView& view) override {
    if (candidates_.count() == 0) return std::nullopt;
    Random random = draws_.stream();
    return draw(view, random);
  }
};

}  // namespace

constexpr SelectionEntry random = member<ByChance>("random", "any segment with something to gain, drawn at random");

}  // namespace ftlab::fms::select
