#include "workloads/traces/page_table.h"

#include <gmock/gmock.h>

namespace ftlab::workloads {
namespace {

TEST(PageTable, page_starts_at_zero_and_keeps_its_number) {
  PageTable table;
  EXPECT_EQ(table.at(0, 17), 0U);
  table.at(0, 17) = 5;
  table.at(1, 17) = 6;
  table.at(0, 1ULL << 48) = 7;
  EXPECT_EQ(table.at(0, 17), 5U);
  EXPECT_EQ(table.at(1, 17), 6U);
  EXPECT_EQ(table.at(0, 16), 0U);
  std::vector<std::uint32_t> all;
  table.for_each([&](std::uint32_t number) { all.push_back(number); });
  EXPECT_THAT(all, testing::UnorderedElementsAre(5, 6, 7));
}

TEST(PageTable, range_gives_touched_pages_in_order_however_long_it_is) {
  PageTable table;
  for (const std::uint64_t page : {900ULL, 3ULL, 40ULL, 1ULL << 50}) table.at(2, page) = 1;
  table.at(3, 50) = 1;
  const auto range = [&](std::uint64_t first, std::uint64_t count) {
    std::vector<std::uint64_t> pages;
    table.for_range(2, first, count, [&](std::uint64_t page, std::uint32_t) { pages.push_back(page); });
    return pages;
  };
  EXPECT_THAT(range(4, 37), testing::ElementsAre(40));
  EXPECT_THAT(range(3, 898), testing::ElementsAre(3, 40, 900));
  EXPECT_THAT(range(0, 1ULL << 51), testing::ElementsAre(3, 40, 900, 1ULL << 50));
  EXPECT_THAT(range(41, 800), testing::IsEmpty());
}

}  // namespace
}  // namespace ftlab::workloads
