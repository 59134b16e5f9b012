// Low and high water: cleaning starts at the low mark, when the active segment is full, and goes on to the high one.
#include "firmware/policy/members.h"

namespace ftlab::fms::trigger {
namespace {

class Watermark final : public Trigger {
 public:
  bool goes_on(const CleaningView&, const RoomLeft& room) override {
    return room.full ? room.free <= room.low : room.free < room.high;
  }
};

}  // namespace

constexpr TriggerEntry watermark =
    member<Watermark>("watermark", "from ftl.low_water free segments on, up to ftl.high_water");

}  // namespace ftlab::fms::trigger
