// eNVy's locality preservation: a page stays in its partition, whoever writes it.
#include "firmware/policy/members.h"
#include "firmware/policy/partitions.h"

namespace ftlab::fms::redistribute {
namespace {

class LocalityPreservation final : public Redistribution {
 public:
  static constexpr bool kPartitioned = true;
  static constexpr std::uint32_t kStreams = SharedParams{}.partitions;
  static constexpr std::string_view kUses[] = {"partitions"};
  static std::uint32_t streams(const SharedParams& shared) { return shared.partitions; }

  explicit LocalityPreservation(const PolicySetup& setup) : partitions_(setup) {}

  void plan(const CleaningView& view, std::span<PageMove> moves) override {
    for (PageMove& move : moves) move.stream = static_cast<StreamId>(partitions_.of_segment(view, move.segment));
  }
  StreamId stream_of(const CleaningView& view, std::uint32_t lpn) override {
    return static_cast<StreamId>(partitions_.of_page(view, lpn));
  }

 private:
  Partitions partitions_;
};

}  // namespace

constexpr RedistributionEntry locality_preservation =
    member<LocalityPreservation>("locality_preservation", "eNVy: pages stay in their partition");

}  // namespace ftlab::fms::redistribute
