#include "workloads/traces/reorder.h"

#include <gmock/gmock.h>

#include "tests/unit/workloads/support.h"

namespace ftlab::workloads {
namespace {

/// Records with these times; offset = place in the file.
class Listed final : public TraceReader {
 public:
  explicit Listed(std::vector<std::int64_t> times) : times_(std::move(times)) {}
  std::size_t next(std::span<TraceRecord> batch) override {
    std::size_t n = 0;
    for (; n < batch.size() && at_ < times_.size(); ++n, ++at_) {
      batch[n] = {.time = Ticks{times_[at_]}, .offset = at_};
    }
    return n;
  }
  [[nodiscard]] std::string device_name(std::uint32_t) const override { return "0"; }
  [[nodiscard]] std::string where(std::uint64_t) const override { return "list"; }

 private:
  std::vector<std::int64_t> times_;
  std::size_t at_ = 0;
};

std::vector<std::uint64_t> order(std::vector<std::int64_t> times, std::uint32_t window) {
  Reorder sorted(std::make_unique<Listed>(std::move(times)), window);
  std::vector<std::uint64_t> places;
  std::array<TraceRecord, 1> one;
  while (sorted.next(one) != 0) places.push_back(one[0].offset);
  return places;
}

TEST(Reorder, sorts_by_time_and_keeps_the_order_of_equal_times) {
  EXPECT_THAT(order({3, 1, 2, 2, 1}, 8), testing::ElementsAre(1, 4, 2, 3, 0));
}

TEST(Reorder, reaches_as_far_as_the_window_and_not_farther) {
  std::vector<std::int64_t> times(2000);
  for (std::size_t i = 0; i < times.size(); ++i) times[i] = static_cast<std::int64_t>(i) + 10;
  times[1500] = 0;
  const auto places = order(times, 400);
  const auto at = std::ranges::find(places, 1500U) - places.begin();
  EXPECT_GT(at, 0) << "out of reach: cannot come first";
  EXPECT_LE(at, 1500 - 400);
  EXPECT_THAT(order(times, 1600).front(), 1500U);
}

TEST(Reorder, window_of_zero_still_gives_every_record) { EXPECT_EQ(order({3, 1, 2}, 0).size(), 3U); }

}  // namespace
}  // namespace ftlab::workloads
