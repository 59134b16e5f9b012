// M1: one active segment for host writes and copies, slot order.
#include "firmware/policy/members.h"

namespace ftlab::fms::redistribute {
namespace {

class Sequential final : public Redistribution {
 public:
  static constexpr std::uint32_t kStreams = 1;
  void plan(const CleaningView&, std::span<PageMove> moves) override {
    for (PageMove& move : moves) move.stream = kHot;
  }
};

}  // namespace

constexpr RedistributionEntry sequential =
    member<Sequential>("sequential", "M1: into the active segment, in slot order");

}  // namespace ftlab::fms::redistribute
