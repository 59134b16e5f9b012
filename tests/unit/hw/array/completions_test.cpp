#include "hw/array/commands/completions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <span>
#include <vector>

namespace ftlab::hw::array {
namespace {

void add(Completions& completions, std::int64_t end, std::uint32_t sequence) {
  Completion& completion = completions.add(Ticks{end}, sequence);
  completion.tag = static_cast<std::uint16_t>(sequence);
  // A copy ends where its target lies.
  completion.op = sequence % 2 == 0 ? Op::copy : Op::program;
  completion.page = sequence % 2 == 0 ? 0 : sequence % 3;
  completion.target = sequence % 2 == 0 ? sequence % 3 : 0;
}

TEST(Completions, come_by_their_end_and_then_in_the_order_of_their_descriptors) {
  struct Ended {
    std::int64_t end;
    std::uint32_t sequence;
  };
  std::mt19937 random(1);
  Completions completions;
  std::vector<Ended> expected;
  std::uint32_t sequence = 0;
  for (int round = 0; round < 2000; ++round) {
    for (std::uint32_t i = random() % 8; i > 0; --i) {
      expected.push_back({round + static_cast<std::int64_t>(random() % 40), ++sequence});
      add(completions, expected.back().end, sequence);
    }
    if (random() % 4 == 0 && !expected.empty()) {
      Ended& later = expected[random() % expected.size()];
      if (later.end > round) {
        later.end += 7;
        completions.delay(std::span(&later.sequence, 1), {0, 3}, Ticks{round}, Ticks{7});
      }
    }
    if (random() % 4 == 0) {
      // Those of a die that end late, among others that leave no completion.
      const std::uint32_t die = random() % 3;
      std::vector<std::uint32_t> delayed;
      for (Ended& later : expected) {
        if (later.sequence % 3 == die && later.end > round + 20) delayed.push_back(later.sequence);
      }
      delayed.push_back(sequence + 3 + die);
      std::ranges::sort(delayed);
      for (Ended& later : expected)
        if (std::ranges::binary_search(delayed, later.sequence)) later.end += 9;
      // Of other dies as well, as numbers of works that feed them are.
      for (const std::uint32_t other : {sequence + 1, sequence + 2}) delayed.push_back(other);
      std::ranges::sort(delayed);
      completions.delay(delayed, {die, die + 1}, Ticks{round + 20}, Ticks{9});
    }
    std::sort(expected.begin(), expected.end(),
              [](const Ended& a, const Ended& b) { return a.end != b.end ? a.end < b.end : a.sequence < b.sequence; });
    const auto readable = static_cast<std::size_t>(
        std::count_if(expected.begin(), expected.end(), [round](const Ended& e) { return e.end <= round; }));
    ASSERT_EQ(completions.count_readable(Ticks{round}), readable);
    ASSERT_EQ(completions.next_after(Ticks{round}),
              readable == expected.size() ? kNever : Ticks{expected[readable].end});
    for (std::uint32_t n = 1; n <= 4; ++n)
      ASSERT_EQ(completions.readable_from(n), n > expected.size() ? kNever : Ticks{expected[n - 1].end});
    for (std::size_t i = 0; i < readable; ++i)
      ASSERT_EQ(completions.take(Ticks{round})->tag, static_cast<std::uint16_t>(expected[i].sequence));
    expected.erase(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(readable));
    if (random() % 3 == 0) round += 20;
  }
}

TEST(Completions, keep_their_order_when_the_numbers_of_descriptors_start_over) {
  Completions completions;
  completions.add(Ticks{9}, 0xFFFFFFFE).tag = 1;
  completions.add(Ticks{5}, 0xFFFFFFFF).tag = 2;
  completions.add(Ticks{5}, 0).tag = 3;
  EXPECT_EQ(completions.take(Ticks{9})->tag, 2);
  EXPECT_EQ(completions.take(Ticks{9})->tag, 3);
  EXPECT_EQ(completions.take(Ticks{9})->tag, 1);
}

TEST(Completions, nothing_is_readable_before_its_time) {
  Completions completions;
  add(completions, 5, 1);
  completions.add(Ticks{5}, 1).op = Op::read;
  EXPECT_FALSE(completions.readable(Ticks{4}));
  EXPECT_EQ(completions.take(Ticks{4}), nullptr);
  completions.clear();
  EXPECT_TRUE(completions.empty());
}

}  // namespace
}  // namespace ftlab::hw::array
