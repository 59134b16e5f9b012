// What tells firmware that gets on from firmware that polls for ever.
#include "platform/machine/core/asked_devices.h"

#include <gtest/gtest.h>

namespace ftlab::platform {
namespace {

constexpr std::uint32_t kStatus = 0x60000004;

TEST(AskedDevices, reading_the_same_again_is_no_news) {
  AskedDevices asked;
  asked.see(10, kStatus, 0, false);
  EXPECT_EQ(asked.news(), 10U);
  asked.see(20, kStatus, 0, false);
  EXPECT_EQ(asked.news(), 10U);
  EXPECT_EQ(asked.last(), 20U);
  EXPECT_EQ(asked.last_read().address, kStatus);
  asked.see(30, kStatus, 0x80, false);
  EXPECT_EQ(asked.news(), 30U) << "another value";
  EXPECT_EQ(asked.last_read().value, 0x80U);
}

TEST(AskedDevices, several_registers_in_turn_are_no_news_either) {
  AskedDevices asked;
  for (std::uint64_t cycle = 1; cycle <= 100; ++cycle) asked.see(cycle, kStatus + 2 * (cycle % 3), 7, false);
  EXPECT_EQ(asked.news(), 3U);
}

TEST(AskedDevices, a_write_is_news_and_so_is_a_walk_over_memory) {
  AskedDevices asked;
  asked.see(1, kStatus, 7, true);
  asked.see(2, kStatus, 7, true);
  EXPECT_EQ(asked.news(), 2U);
  EXPECT_EQ(asked.last_read().address, AskedDevices::kNone);
  constexpr std::uint32_t kCells = 4096;
  for (std::uint64_t cycle = 3; cycle < 3 * kCells; ++cycle)
    asked.see(cycle, static_cast<std::uint32_t>(0x60000000 + 2 * (cycle % kCells)), 0xFFFF, false);
  EXPECT_EQ(asked.news(), 3U * kCells - 1);
}

TEST(AskedDevices, what_repeats_moves_the_last_access_and_no_older_news) {
  AskedDevices asked;
  asked.see(10, kStatus, 7, false);
  const AskedDevices before = asked;
  asked.see(20, kStatus, 7, false);
  EXPECT_TRUE(asked.knows_the_same(before));
  asked.repeat(15, 1000);
  EXPECT_EQ(asked.last(), 1020U);
  EXPECT_EQ(asked.news(), 10U);
  asked.see(1021, kStatus, 8, false);
  EXPECT_FALSE(asked.knows_the_same(before));
}

}  // namespace
}  // namespace ftlab::platform
