// The growing ring, against a deque.
#include "hw/array/commands/ring.h"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <random>

namespace ftlab::hw::array {
namespace {

TEST(Ring, is_a_queue_that_keeps_its_order_when_it_grows) {
  std::mt19937 random(1);
  Ring<std::unique_ptr<int>> ring(2);
  std::deque<int> expected;
  for (int i = 0; i < 20'000; ++i) {
    const unsigned what = random() % 10;
    if (what < (i / 5000 % 2 == 0 ? 5U : 6U)) {
      ring.push(std::make_unique<int>(i));
      expected.push_back(i);
    } else if (!expected.empty() && what < 9) {
      EXPECT_EQ(*ring.pop_front(), expected.front());
      expected.pop_front();
    } else if (!expected.empty()) {
      EXPECT_EQ(*ring.pop_back(), expected.back());
      expected.pop_back();
    }
    ASSERT_EQ(ring.size(), expected.size());
    for (std::size_t k = 0; k < expected.size(); k += 1 + expected.size() / 4) ASSERT_EQ(*ring[k], expected[k]);
  }
  ring.clear();
  EXPECT_TRUE(ring.empty());
}

}  // namespace
}  // namespace ftlab::hw::array
