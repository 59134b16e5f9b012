// No wear leveling beyond the selection's own.
#include "firmware/policy/members.h"

namespace ftlab::fms::wear {
namespace {

class None final : public WearLeveling {
 public:
  std::optional<WearMove> pick(const CleaningView&) override { return std::nullopt; }
};

}  // namespace

constexpr WearLevelingEntry none = member<None>("none", "only what the selection does by itself");

}  // namespace ftlab::fms::wear
