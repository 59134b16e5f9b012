#include "workloads/traces/access_classes.h"

#include <gtest/gtest.h>

#include <vector>

namespace ftlab::workloads {
namespace {

std::vector<std::uint64_t> pages_of(const std::vector<AccessClass>& classes) {
  std::vector<std::uint64_t> pages;
  for (const AccessClass& one : classes) pages.push_back(one.pages);
  return pages;
}

TEST(AccessClasses, take_equal_shares_of_the_writes) {
  const std::vector<std::uint32_t> writes{4, 4, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1};
  const auto classes = access_classes(writes, 3);
  EXPECT_EQ(pages_of(classes), (std::vector<std::uint64_t>{2, 4, 8}));
  for (const AccessClass& one : classes) EXPECT_EQ(one.writes, 8U);
}

TEST(AccessClasses, pages_of_equal_rates_are_divided_evenly) {
  const std::vector<std::uint32_t> writes(100, 7);
  EXPECT_EQ(pages_of(access_classes(writes, 4)), (std::vector<std::uint64_t>(4, 25)));
  EXPECT_EQ(pages_of(access_classes(writes, 1)), (std::vector<std::uint64_t>{100}));
}

TEST(AccessClasses, page_belongs_where_the_middle_of_its_writes_is) {
  // The first page has writes 0 to 6 of 10, the border is at 5.
  EXPECT_EQ(pages_of(access_classes(std::vector<std::uint32_t>{6, 2, 2}, 2)), (std::vector<std::uint64_t>{1, 2}));
  // Its middle is behind the border of 2.5, within the second quarter.
  EXPECT_EQ(pages_of(access_classes(std::vector<std::uint32_t>{6, 2, 2}, 4)), (std::vector<std::uint64_t>{1, 1, 1}));
}

TEST(AccessClasses, nothing_is_lost) {
  std::vector<std::uint32_t> writes;
  for (std::uint32_t i = 1000; i > 0; --i) writes.push_back(i % 7 + i / 3 + 1);
  for (const std::uint32_t count : {1U, 2U, 5U, 33U, 1000U}) {
    std::uint64_t pages = 0;
    std::uint64_t all = 0;
    for (const AccessClass& one : access_classes(writes, count)) {
      EXPECT_GT(one.pages, 0U);
      pages += one.pages;
      all += one.writes;
    }
    EXPECT_EQ(pages, writes.size());
    std::uint64_t wanted = 0;
    for (const std::uint32_t n : writes) wanted += n;
    EXPECT_EQ(all, wanted);
  }
}

TEST(AccessClasses, no_writes_make_no_class) { EXPECT_TRUE(access_classes({}, 5).empty()); }

}  // namespace
}  // namespace ftlab::workloads
