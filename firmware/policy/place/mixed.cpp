// All pages of the host go to one segment after the other, whatever the hint says.
#include "firmware/policy/members.h"

namespace ftlab::fms::place {
namespace {

class Mixed final : public HostPlacement {
 public:
  static constexpr std::uint32_t kStreams = 0;
  StreamId stream_of(const CleaningView&, std::uint32_t, const WriteHint&) override { return kHot; }
};

}  // namespace

constexpr PlacementEntry mixed = member<Mixed>("mixed", "marks of the host are ignored");

}  // namespace ftlab::fms::place
