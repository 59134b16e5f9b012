// No free space: cleaning waits until free segments are left for copies alone, and ends once the page that waits has
// room.
#include "firmware/policy/members.h"

namespace ftlab::fms::trigger {
namespace {

class NoFreeSpace final : public Trigger {
 public:
  bool goes_on(const CleaningView&, const RoomLeft& room) override { return room.full && room.free <= room.least; }
};

}  // namespace

constexpr TriggerEntry no_free_space =
    member<NoFreeSpace>("no_free_space", "once free segments are left for copies alone");

}  // namespace ftlab::fms::trigger
