// eNVy: within the partition whose page waits, first in, first out. In idle time, and where that partition has nothing
// to clean, the segment with the fewest valid pages of all.
#include "firmware/policy/members.h"
#include "firmware/policy/partitions.h"
#include "firmware/policy/select/fewest_valid.h"

namespace ftlab::fms::select {
namespace {

class PartitionFifo final : public Selection {
 public:
  static constexpr bool kPartitioned = true;
  static constexpr std::string_view kUses[] = {"partitions", "ties"};

  explicit PartitionFifo(const PolicySetup& setup) : partitions_(setup), ties_(setup.shared.ties) {}

  std::optional<std::uint32_t> pick(const CleaningView& view) override {
    if (view.waiting == kNone) return fewest_valid(view, ties_);
    const Partitions::Census census = partitions_.look(view);
    // A partition below its share takes back what another has taken beyond its own.
    const std::uint32_t from = lacks(census, view.waiting) ? richest(census) : view.waiting;
    for (const std::uint32_t partition : {from, view.waiting})
      if (census.parts[partition].oldest != kNone) return census.parts[partition].oldest;
    // Those of other partitions would not make one segment of eNVy's with what is cleaned already.
    if (census.cleaning) return std::nullopt;
    return fewest_valid(view, ties_);
  }

 private:
  [[nodiscard]] bool lacks(const Partitions::Census& census, std::uint32_t partition) const {
    return census.parts[partition].owned < partitions_.share(census, partition);
  }
  /// The one furthest above its share, or nearest below it where none is; of several the first.
  [[nodiscard]] std::uint32_t richest(const Partitions::Census& census) const {
    const auto beyond = [&](std::uint32_t partition) {
      return static_cast<std::int64_t>(census.parts[partition].owned) - partitions_.share(census, partition);
    };
    std::uint32_t best = 0;
    for (std::uint32_t partition = 1; partition < partitions_.count(); ++partition)
      if (beyond(partition) > beyond(best)) best = partition;
    return best;
  }

  Partitions partitions_;
  Ties ties_;
};

}  // namespace

constexpr SelectionEntry partition_fifo =
    member<PartitionFifo>("partition_fifo", "eNVy: of the page's partition the segment that was taken into use first");

}  // namespace ftlab::fms::select
