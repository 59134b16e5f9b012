// Data that will not be rewritten has segments of its own, which then are hardly ever worth cleaning.
#include "firmware/policy/members.h"

namespace ftlab::fms::place {
namespace {

class Apart final : public HostPlacement {
 public:
  static constexpr std::uint32_t kStreams = 1;
  StreamId stream_of(const CleaningView&, std::uint32_t, const WriteHint& hint) override {
    return hint.read_only ? kReadOnly : kHot;
  }
};

}  // namespace

constexpr PlacementEntry apart = member<Apart>("apart", "data marked read-only gets segments of its own");

}  // namespace ftlab::fms::place
