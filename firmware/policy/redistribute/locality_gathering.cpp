// eNVy's locality gathering: partitions exchange pages with their neighbours until cleaning frequency times cleaning
// cost is the same for all. One above the mean gives the pages at the beginning of its victim, which have stayed the
// longest, to the next partition; one below gives those at its end, which were written last, to the partition before.
// So hot data gathers in the first partitions, which become emptier, and cold data in the last. With partitions of
// several segments, cleaned first in, first out, it is eNVy's hybrid cleaning; with one that is cleaned as a whole
// (ftl.clean_at_once) its segments of several erase blocks. How many pages move the papers do not say.
#include <algorithm>

#include "firmware/policy/members.h"
#include "firmware/policy/partitions.h"

namespace ftlab::fms::redistribute {
namespace {

class LocalityGathering final : public Redistribution {
 public:
  static constexpr bool kPartitioned = true;
  static constexpr std::uint32_t kStreams = SharedParams{}.partitions;
  static constexpr std::string_view kUses[] = {"partitions"};
  struct Params {
    std::uint64_t share_ppm = 100'000;
  };
  static constexpr Field<Params> kFields[] = {
      scaled_field<&Params::share_ppm>("gathering_share", "", 1e6, 0, 1,
                                       "locality_gathering: share of a victim's valid pages, in whole pages rounded "
                                       "down, that goes to a neighbouring "
                                       "partition, as far as its open segment has room")
          .not_published(),
  };
  static std::uint32_t streams(const SharedParams& shared) { return shared.partitions; }

  LocalityGathering(const Params& params, const PolicySetup& setup) : params_(params), partitions_(setup) {}

  void layout(Arena& arena, const PolicySetup&) override {
    cleanings_ = arena.take<std::uint32_t>(partitions_.count());
  }
  void clear() override { std::ranges::fill(cleanings_, 0U); }
  void on_erase(const SegmentView& segments, std::uint32_t segment) override;

  void plan(const CleaningView& view, std::span<PageMove> moves) override;
  StreamId stream_of(const CleaningView& view, std::uint32_t lpn) override {
    return static_cast<StreamId>(partitions_.of_page(view, lpn));
  }

 private:
  /// Cleanings of this many segments a partition, on the average, make its frequency; then older ones count half.
  static constexpr std::uint32_t kMemory = 16;

  /// `moves` of one partition. Takes the room that they need from the census.
  void exchange(const CleaningView& view, Partitions::Census& census, std::span<PageMove> moves);
  /// Cleaning frequency times cost u / (1 - u), in units that are the same for all.
  [[nodiscard]] std::uint64_t burden(const CleaningView& view, const Partitions::Part& part, std::uint32_t id) const {
    const std::uint64_t room = std::uint64_t{part.owned} * view.segments.slots();
    const std::uint64_t garbage = room > part.valid ? room - part.valid : 1;
    return ((std::uint64_t{cleanings_[id]} * part.valid) << 16) / garbage;
  }

  Params params_;
  Partitions partitions_;
  std::span<std::uint32_t> cleanings_;
};

void LocalityGathering::on_erase(const SegmentView& segments, std::uint32_t segment) {
  const StreamId stream = segments.row(segment).stream;
  if (stream == kReadOnly) return;
  ++cleanings_[std::min(cleaning_number(stream), partitions_.count() - 1)];
  std::uint64_t sum = 0;
  for (const std::uint32_t count : cleanings_) sum += count;
  if (sum < std::uint64_t{kMemory} * partitions_.count()) return;
  for (std::uint32_t& count : cleanings_) count /= 2;
}

void LocalityGathering::plan(const CleaningView& view, std::span<PageMove> moves) {
  for (PageMove& move : moves) move.stream = static_cast<StreamId>(partitions_.of_segment(view, move.segment));
  const auto next = [](std::span<PageMove> left) {
    return std::ranges::find_if(left, [&](const PageMove& move) { return move.stream != left.front().stream; });
  };
  Partitions::Census census = partitions_.look(view);
  for (std::span<PageMove> left = moves; !left.empty();) {
    const auto count = static_cast<std::size_t>(next(left) - left.begin());
    exchange(view, census, left.first(count));
    left = left.subspan(count);
  }
}

void LocalityGathering::exchange(const CleaningView& view, Partitions::Census& census, std::span<PageMove> moves) {
  const std::uint32_t own = moves.front().stream;
  const std::uint32_t last = partitions_.count() - 1;
  std::uint64_t sum = 0;
  for (std::uint32_t id = 0; id <= last; ++id) sum += burden(view, census.parts[id], id);
  const bool above = burden(view, census.parts[own], own) * partitions_.count() > sum;
  view.probe.count(Work::segment_compare, partitions_.count());
  const bool up = above && own < last;
  if (!up && own == 0) return;
  const std::uint32_t to = up ? own + 1 : own - 1;
  const std::uint64_t share = moves.size() * params_.share_ppm / 1'000'000;
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(share, census.parts[to].open_room));
  census.parts[to].open_room -= static_cast<std::uint32_t>(count);
  for (PageMove& move : up ? moves.first(count) : moves.last(count)) move.stream = static_cast<StreamId>(to);
}

}  // namespace

constexpr RedistributionEntry locality_gathering = member<LocalityGathering>(
    "locality_gathering",
    "eNVy: hot pages move to the partition before, cold ones to the next, until all cost the same");

}  // namespace ftlab::fms::redistribute
