// eNVy cleans when a partition has filled all segments that it owns; the reserve stays as it is, because each cleaning
// releases as many segments as it takes.
#include "firmware/policy/members.h"
#include "firmware/policy/partitions.h"

namespace ftlab::fms::trigger {
namespace {

class PartitionFull final : public Trigger {
 public:
  static constexpr bool kPartitioned = true;
  static constexpr std::string_view kUses[] = {"partitions"};

  explicit PartitionFull(const PolicySetup& setup) : partitions_(setup) {}

  bool goes_on(const CleaningView& view, const RoomLeft& room) override {
    if (room.free <= (room.full ? room.low : room.low - 1)) return true;
    if (!room.full || view.waiting == kNone) return false;
    const Partitions::Census census = partitions_.look(view);
    const Partitions::Part& part = census.parts[view.waiting];
    // One without garbage takes a segment more than its share.
    return part.owned >= partitions_.share(census, view.waiting) && part.oldest != kNone;
  }

 private:
  Partitions partitions_;
};

}  // namespace

constexpr TriggerEntry partition_full =
    member<PartitionFull>("partition_full", "eNVy: when the page's partition has filled all its segments");

}  // namespace ftlab::fms::trigger
