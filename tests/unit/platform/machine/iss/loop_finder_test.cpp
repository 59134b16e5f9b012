#include "platform/machine/iss/loop_finder.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace ftlab::iss {
namespace {

using Finder = LoopFinder<int>;

TEST(LoopFinder, a_branch_repeats_when_registers_stay_several_times_in_a_row) {
  Finder finder;
  std::uint8_t changes = 0;
  EXPECT_EQ(finder.see(0x20, 0x10, 7, changes), BackEdge::watch);
  for (unsigned times = 1; times < Finder::kRepeats; ++times)
    EXPECT_EQ(finder.see(0x20, 0x10, 7, changes), BackEdge::watch);
  EXPECT_EQ(finder.see(0x20, 0x10, 7, changes), BackEdge::repeats);
  EXPECT_EQ(finder.see(0x20, 0x10, 7, changes), BackEdge::repeats);
  EXPECT_EQ(finder.see(0x20, 0x10, 8, changes), BackEdge::watch) << "they have changed";
}

TEST(LoopFinder, a_branch_whose_registers_change_is_soon_linked) {
  Finder finder;
  std::uint8_t changes = 0;
  for (int times = 1; times < Finder::kChanges; ++times)
    EXPECT_EQ(finder.see(0x20, 0x10, times, changes), BackEdge::watch);
  EXPECT_EQ(finder.see(0x20, 0x10, 0, changes), BackEdge::link);
}

TEST(LoopFinder, branches_are_told_apart) {
  Finder finder;
  std::uint8_t here = 0;
  std::uint8_t there = 0;
  for (unsigned times = 0; times < Finder::kRepeats; ++times) {
    EXPECT_EQ(finder.see(0x20, 0x10, 7, here), BackEdge::watch);
    EXPECT_EQ(finder.see(0x22, 0x10, 9, there), BackEdge::watch);
  }
  EXPECT_EQ(finder.see(0x20, 0x10, 7, here), BackEdge::repeats);
  EXPECT_EQ(finder.see(0x22, 0x10, 9, there), BackEdge::repeats);
}

TEST(LoopFinder, a_branch_that_is_dismissed_is_linked) {
  Finder finder;
  std::uint8_t changes = 0;
  while (finder.see(0x20, 0x10, 7, changes) != BackEdge::repeats) {
  }
  finder.dismiss();
  EXPECT_EQ(finder.see(0x20, 0x10, 7, changes), BackEdge::link);
}

}  // namespace
}  // namespace ftlab::iss
