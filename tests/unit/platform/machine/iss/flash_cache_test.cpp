// Which accesses of flash wait.
#include "platform/machine/iss/flash_cache.h"

#include <gtest/gtest.h>

namespace ftlab::iss {
namespace {

constexpr std::uint32_t kBase = 0x1000;

FlashCache cache(std::uint32_t sets, std::uint32_t ways) {
  return FlashCache({.base = kBase, .size = 0x1000, .miss = 5, .line_bytes = 16, .sets = sets, .ways = ways});
}

TEST(FlashCache, a_line_waits_once) {
  FlashCache flash = cache(4, 2);
  EXPECT_FALSE(flash.holds(kBase, 4));
  EXPECT_EQ(flash.touch(kBase, 4), 5U);
  EXPECT_TRUE(flash.holds(kBase + 12, 4));
  EXPECT_EQ(flash.touch(kBase + 12, 4), 0U);
  EXPECT_EQ(flash.misses(), 1U);
}

TEST(FlashCache, an_instruction_across_two_lines_waits_for_both) {
  FlashCache flash = cache(4, 2);
  EXPECT_EQ(flash.touch(kBase + 14, 4), 10U);
  EXPECT_EQ(flash.touch(kBase + 30, 4), 5U);
}

TEST(FlashCache, the_line_that_is_there_longest_makes_way_in_its_set_alone) {
  FlashCache flash = cache(2, 2);
  const auto line = [](std::uint32_t number) { return kBase + 16 * number; };
  for (const std::uint32_t number : {0U, 1U, 2U}) flash.touch(line(number), 2);
  EXPECT_EQ(flash.touch(line(0), 2), 0U);
  const std::uint8_t* const mark = flash.mark_of(line(0) + 2);
  EXPECT_NE(*mark, 0);
  // Lines 0, 2 and 4 share a set; that line 0 was asked for again changes nothing.
  EXPECT_EQ(flash.touch(line(4), 2), 5U);
  EXPECT_EQ(*mark, 0);
  EXPECT_FALSE(flash.holds(line(0), 2));
  EXPECT_TRUE(flash.holds(line(2), 2));
  EXPECT_TRUE(flash.holds(line(1), 2));
}

TEST(FlashCache, other_memory_and_flash_as_fast_as_the_core_never_wait) {
  FlashCache flash = cache(2, 1);
  EXPECT_FALSE(flash.covers(kBase - 1));
  EXPECT_FALSE(flash.covers(kBase + 0x1000));
  EXPECT_EQ(flash.touch(0, 4), 0U);
  EXPECT_TRUE(flash.holds(0, 4));
  EXPECT_NE(*flash.mark_of(0), 0);
  FlashCache fast({.base = kBase, .size = 0x1000, .miss = 0});
  EXPECT_EQ(fast.touch(kBase, 4), 0U);
  EXPECT_FALSE(fast.covers(kBase));
}

}  // namespace
}  // namespace ftlab::iss
