#include "firmware/driver/common/done_ring.h"

#include <gtest/gtest.h>

#include <array>

namespace ftlab {
namespace {

TEST(DoneRing, returns_in_order_and_as_many_as_fit) {
  DoneRing ring;
  std::array<PartDone, 3> done;
  std::uint32_t pushed = 0;
  std::uint32_t taken = 0;
  // Around the end of the ring several times.
  for (int round = 0; round < 100; ++round) {
    for (int i = 0; i < 4 && ring.count() < DoneRing::kDepth; ++i) ring.push({.tag = pushed++});
    const std::size_t n = ring.take(done);
    ASSERT_EQ(n, 3U);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(done[i].tag, taken++);
  }
  EXPECT_EQ(ring.count(), pushed - taken);
  ring.clear();
  EXPECT_TRUE(ring.empty());
  EXPECT_EQ(ring.take(done), 0U);
}

}  // namespace
}  // namespace ftlab
