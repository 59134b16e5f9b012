#include "platform/host/byte_ranges.h"

#include <gtest/gtest.h>

#include <memory>

namespace ftlab::platform {
namespace {

TEST(ByteRanges, what_was_added_and_not_removed_is_touched) {
  const auto ranges = std::make_unique<ByteRanges>();
  EXPECT_FALSE(ranges->may_touch(0, 1 << 20));
  ranges->add(8192, 4096);
  ranges->add(8192, 1);
  EXPECT_TRUE(ranges->may_touch(8192, 1));
  EXPECT_TRUE(ranges->may_touch(0, 8193)) << "its last byte";
  EXPECT_FALSE(ranges->may_touch(0, 8192)) << "ends before";
  EXPECT_FALSE(ranges->may_touch(12288, 4096)) << "begins behind";
  ranges->remove(8192, 4096);
  EXPECT_TRUE(ranges->may_touch(8192, 4096)) << "one of two is left";
  ranges->remove(8192, 1);
  EXPECT_FALSE(ranges->may_touch(0, 1 << 20));
}

TEST(ByteRanges, nothing_touches_nothing) {
  const auto ranges = std::make_unique<ByteRanges>();
  ranges->add(4096, 0);
  EXPECT_FALSE(ranges->may_touch(0, 1 << 20));
  ranges->add(0, 1 << 20);
  EXPECT_FALSE(ranges->may_touch(4096, 0));
}

TEST(ByteRanges, a_range_longer_than_all_cells_is_taken_off_as_it_was_put_on) {
  const auto ranges = std::make_unique<ByteRanges>();
  constexpr std::uint64_t kLong = 1ULL << 32;
  ranges->add(12345, kLong);
  EXPECT_TRUE(ranges->may_touch(0, 1));
  ranges->remove(12345, kLong);
  EXPECT_FALSE(ranges->may_touch(0, kLong));
}

}  // namespace
}  // namespace ftlab::platform
