#include "platform/host/parts_recorder.h"

#include "tests/unit/platform/host/host_fixture.h"

namespace ftlab::platform {
namespace {

/// All but 10 us of it waits for the die.
LatencyParts of(std::int64_t latency) {
  LatencyParts parts;
  parts[LatencyPart::cells] = us(10);
  parts[LatencyPart::die] = us(latency - 10);
  return parts;
}

double die_us(const PartsRecorder::Means& means) { return 1e6 * means[static_cast<std::size_t>(LatencyPart::die)]; }
double cells_us(const PartsRecorder::Means& means) { return 1e6 * means[static_cast<std::size_t>(LatencyPart::cells)]; }

const PercentileBand& band(std::string_view name) {
  for (const PercentileBand& one : kPercentileBands)
    if (one.name == name) return one;
  throw std::out_of_range("no such band");
}

TEST(PartsRecorder, gives_means_of_all_and_of_those_around_a_percentile) {
  PartsRecorder recorder;
  // A bin for each, in no order: 110, 120, ... 1100.
  for (std::uint32_t i = 0; i < 100; ++i) {
    const std::uint32_t rank = i * 37 % 100;
    recorder.add(rank + 3, us(110 + 10 * rank), of(110 + 10 * rank));
  }
  EXPECT_EQ(recorder.count(), 100U);
  EXPECT_DOUBLE_EQ(die_us(recorder.mean_s()), 100 + 10 * 49.5);
  EXPECT_DOUBLE_EQ(cells_us(recorder.mean_s()), 10);
  EXPECT_DOUBLE_EQ(die_us(recorder.mean_s(band("p50"))), 100 + 10 * 49.5) << "ranks 45 to 54";
  EXPECT_DOUBLE_EQ(die_us(recorder.mean_s(band("p90"))), 100 + 10 * 89.5);
  EXPECT_DOUBLE_EQ(die_us(recorder.mean_s(band("p99"))), 100 + 10 * 98.5) << "ranks 98 and 99 of 0 to 99";
  EXPECT_DOUBLE_EQ(die_us(recorder.mean_s(band("max"))), 100 + 10 * 99);
}

TEST(PartsRecorder, takes_of_a_bin_the_share_that_lies_in_the_band) {
  PartsRecorder recorder;
  for (int i = 0; i < 500; ++i) recorder.add(1, us(20), of(20));
  for (int i = 0; i < 500; ++i) recorder.add(2, us(110), of(110));
  EXPECT_DOUBLE_EQ(die_us(recorder.mean_s(band("p50"))), 55) << "50 of each";
  EXPECT_DOUBLE_EQ(die_us(recorder.mean_s(band("p90"))), 100);
}

TEST(PartsRecorder, of_one_request_has_it_in_all_bands_and_of_none_nothing) {
  PartsRecorder recorder;
  for (const PercentileBand& one : kPercentileBands) EXPECT_EQ(die_us(recorder.mean_s(one)), 0);
  EXPECT_EQ(die_us(recorder.mean_s()), 0);
  recorder.add(9, us(60), of(60));
  for (const PercentileBand& one : kPercentileBands) EXPECT_DOUBLE_EQ(die_us(recorder.mean_s(one)), 50) << one.name;
}

TEST(PartsRecorder, holds_more_than_64_bits_of_ticks) {
  PartsRecorder recorder;
  constexpr Ticks kLong = Ticks::max() / 2 + Ticks{1};
  LatencyParts parts;
  parts[LatencyPart::queue] = kLong;
  for (int i = 0; i < 5; ++i) recorder.add(1, kLong, parts);
  EXPECT_DOUBLE_EQ(recorder.mean_s()[0], to_seconds(kLong));
}

}  // namespace
}  // namespace ftlab::platform
