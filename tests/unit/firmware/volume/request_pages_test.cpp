#include "firmware/volume/request_pages.h"

#include <gtest/gtest.h>

namespace ftlab::tests {
namespace {

constexpr std::uint32_t kPage = 512;

TEST(RequestPages, range_inside_one_page_is_one_part) {
  RequestPages parts(3 * kPage + 100, 50, kPage);
  const auto part = parts.next();
  ASSERT_TRUE(part.has_value());
  EXPECT_EQ(part->lpn, 3U);
  EXPECT_EQ(part->at, 100U);
  EXPECT_EQ(part->length, 50U);
  EXPECT_EQ(part->done, 0U);
  EXPECT_FALSE(parts.next().has_value());
}

TEST(RequestPages, head_whole_pages_and_tail_follow_each_other_without_gap) {
  RequestPages parts(kPage - 12, 12 + 2 * kPage + 7, kPage);
  std::uint64_t done = 0;
  std::uint32_t lengths[4] = {};
  for (std::uint32_t i = 0; i < 4; ++i) {
    const auto part = parts.next();
    ASSERT_TRUE(part.has_value());
    EXPECT_EQ(part->lpn, i);
    EXPECT_EQ(part->done, done);
    lengths[i] = part->length;
    done += part->length;
  }
  EXPECT_FALSE(parts.next().has_value());
  EXPECT_EQ(lengths[0], 12U);
  EXPECT_EQ(lengths[1], kPage);
  EXPECT_EQ(lengths[2], kPage);
  EXPECT_EQ(lengths[3], 7U);
}

TEST(RequestPages, offsets_beyond_four_gigabytes_keep_their_page) {
  RequestPages parts((std::uint64_t{5} << 32) + 3, 1, 4096);
  EXPECT_EQ(parts.next()->lpn, 5U << 20);
}

TEST(RequestPages, empty_range_has_no_part) { EXPECT_FALSE(RequestPages(77, 0, kPage).next().has_value()); }

TEST(RequestPages, only_pages_that_lie_inside_as_a_whole_are_whole) {
  const auto [first, end] = RequestPages::whole(1, 3 * kPage, kPage);
  EXPECT_EQ(first, 1U);
  EXPECT_EQ(end, 3U);
  const auto none = RequestPages::whole(10, kPage, kPage);
  EXPECT_GE(none.first, none.end);
}

}  // namespace
}  // namespace ftlab::tests
