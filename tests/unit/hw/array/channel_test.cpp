// Reservations of a channel, against a plain list that looks through everything.
#include "hw/array/commands/channel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "hw/array/commands/transfers.h"

namespace ftlab::hw::array {
namespace {

Ticks ticks(std::int64_t count) { return Ticks{count}; }

TEST(Channel, is_free_again_after_a_stop_and_was_taken_up_to_it) {
  Channel channel(ticks(10));
  channel.reserve(ticks(0), ticks(0), ticks(1000));
  channel.reserve(ticks(0), ticks(2000), ticks(500));
  channel.stop(ticks(1200));
  EXPECT_EQ(channel.time(), ticks(300));
  EXPECT_EQ(channel.reserve(ticks(300), ticks(300), ticks(10)), ticks(300));
  EXPECT_EQ(channel.time(), ticks(310));
}

TEST(Transfers, take_a_channel_up_to_a_time_without_the_gaps_between_them) {
  Transfers transfers;
  transfers.add(ticks(0), ticks(100), ticks(200));
  transfers.add(ticks(0), ticks(203), ticks(303));
  transfers.add(ticks(0), ticks(20), ticks(50));
  EXPECT_EQ(transfers.behind(ticks(0)), ticks(230));
  EXPECT_EQ(transfers.behind(ticks(40)), ticks(210));
  EXPECT_EQ(transfers.behind(ticks(200)), ticks(100));
  EXPECT_EQ(transfers.behind(ticks(202)), ticks(100));
  EXPECT_EQ(transfers.behind(ticks(303)), ticks(0));
  for (int i = 1; i <= 1000; ++i) transfers.add(ticks(100 * i), ticks(400 + 100 * i), ticks(450 + 100 * i));
  EXPECT_EQ(transfers.behind(ticks(100'000)), ticks(5 * 50)) << "those that have not ended are all there";
}

/// Earliest gap by trying every end.
class Reference {
 public:
  std::int64_t reserve(std::int64_t from, std::int64_t length) {
    std::vector<std::int64_t> begins{from};
    for (const auto& [begin, end] : taken_) {
      if (end > from) begins.push_back(end);
    }
    std::sort(begins.begin(), begins.end());
    for (const std::int64_t begin : begins) {
      const bool free = std::none_of(taken_.begin(), taken_.end(),
                                     [&](const auto& r) { return r.first < begin + length && begin < r.second; });
      if (!free) continue;
      taken_.emplace_back(begin, begin + length);
      return begin;
    }
    return -1;
  }

 private:
  std::vector<std::pair<std::int64_t, std::int64_t>> taken_;
};

TEST(Channel, agrees_with_a_plain_list_while_few_are_ahead) {
  for (std::uint32_t seed = 1; seed <= 30; ++seed) {
    std::mt19937 random(seed);
    Channel channel(ticks(20));
    Reference reference;
    std::int64_t now = 0;
    for (int i = 0; i < 300; ++i) {
      now += random() % 60;
      const std::int64_t from = now + random() % 900;
      const std::int64_t length = 20 + random() % 2;
      ASSERT_EQ(channel.reserve(ticks(now), ticks(from), ticks(length)).count(), reference.reserve(from, length))
          << "seed " << seed << " step " << i;
    }
  }
}

TEST(Channel, never_gives_a_time_twice_however_many_are_ahead) {
  std::mt19937 random(1);
  Channel channel(ticks(20));
  std::vector<std::pair<std::int64_t, std::int64_t>> taken;
  for (int i = 0; i < 2000; ++i) {
    const std::int64_t from = random() % 400'000;
    const std::int64_t begin = channel.reserve(ticks(0), ticks(from), ticks(20)).count();
    ASSERT_GE(begin, from);
    taken.emplace_back(begin, begin + 20);
  }
  std::sort(taken.begin(), taken.end());
  for (std::size_t i = 1; i < taken.size(); ++i) ASSERT_GE(taken[i].first, taken[i - 1].second) << i;
}

}  // namespace
}  // namespace ftlab::hw::array
