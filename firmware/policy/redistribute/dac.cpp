// Dynamic dAta Clustering (Chiang, Lee and Chang, Software: Practice and Experience 29(3), 1999): segments lie in k
// regions. A page moves up one region when the host updates it, and down one when cleaning copies it; a new one begins
// in the lowest. Stream 0 is the highest region. A page's region is that of the segment that holds it, so nothing is
// kept.
#include <algorithm>

#include "firmware/policy/members.h"

namespace ftlab::fms::redistribute {
namespace {

class Dac final : public Redistribution {
 public:
  /// A bound of ours: each region keeps a segment open, and low water covers them all.
  static constexpr std::uint32_t kMaxRegions = 7;
  static constexpr std::uint32_t kStreams = 3;
  struct Params {
    std::uint32_t regions = kStreams;
  };
  static constexpr Field<Params> kFields[] = {
      integer_field<&Params::regions>("regions", "", 2, kMaxRegions,
                                      "dac: regions from cold to hot, each with an open segment")
          .not_published(),
  };
  static std::uint32_t streams(const Params& params) { return params.regions; }
  static const char* check(const Params& params, const FlashGeometry&) {
    return params.regions < 2 || params.regions > kMaxRegions ? "dac works with 2 to 7 regions" : nullptr;
  }

  Dac(const Params& params, const PolicySetup&) : lowest_(params.regions - 1) {}

  void plan(const CleaningView& view, std::span<PageMove> moves) override {
    for (PageMove& move : moves)
      move.stream = static_cast<StreamId>(std::min(region_of(view, move.segment) + 1, lowest_));
  }
  StreamId stream_of(const CleaningView& view, std::uint32_t lpn) override {
    const std::uint32_t ppn = view.pages.ppn(lpn);
    if (ppn == kUnmapped) return static_cast<StreamId>(lowest_);
    const std::uint32_t region = region_of(view, view.segments.segment_of(ppn));
    return static_cast<StreamId>(region > 0 ? region - 1 : 0);
  }

 private:
  /// Pages that another redistribution, or a placement, left in a stream that is no region count as lowest.
  [[nodiscard]] std::uint32_t region_of(const CleaningView& view, std::uint32_t segment) const {
    const StreamId stream = view.segments.row(segment).stream;
    return stream == kReadOnly ? lowest_ : std::min(cleaning_number(stream), lowest_);
  }

  std::uint32_t lowest_;
};

}  // namespace

constexpr RedistributionEntry dac =
    member<Dac>("dac", "k regions: a page moves up one when it is updated and down one when it is copied");

}  // namespace ftlab::fms::redistribute
