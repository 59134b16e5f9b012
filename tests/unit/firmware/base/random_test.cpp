#include "firmware/base/random.h"

#include <gtest/gtest.h>

#include <array>

namespace ftlab {
namespace {

TEST(Random, a_seed_gives_one_sequence_and_another_seed_another) {
  Random a(7);
  Random b(7);
  Random c(8);
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const std::uint32_t drawn = a.next();
    EXPECT_EQ(drawn, b.next());
    differs = differs || drawn != c.next();
  }
  EXPECT_TRUE(differs);
}

TEST(Random, numbers_below_a_bound_are_equally_likely) {
  Random random(1);
  std::array<int, 10> drawn{};
  for (int i = 0; i < 100'000; ++i) ++drawn.at(random.below(10));
  for (const int count : drawn) EXPECT_NEAR(count, 10'000, 500);
  EXPECT_EQ(random.below(1), 0U);
}

}  // namespace
}  // namespace ftlab
