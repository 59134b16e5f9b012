// Selections in their listed form by themselves: what is taken that they have not picked.
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "firmware/policy/policies.h"

namespace ftlab::tests {
namespace {

TEST(ListedWindowedGreedy, a_segment_taken_from_outside_the_window_leaves_the_window_as_it_is) {
  constexpr std::uint32_t kPagesOfEach = 4;
  constexpr std::uint32_t kCount = 4;
  const fms::ListedForm& form = fms::select::windowed_greedy.listed;
  fms::PolicyParams params;
  params.set("window", 1);  // one segment
  std::vector<std::byte> memory(1U << 14);
  Arena arena(memory.data(), memory.size());
  ListedSegments segments;
  segments.layout(arena, {kCount, 1, form.bins(kPagesOfEach), form.sort_by_valid});
  segments.clear();
  fms::ListedSelection* selection =
      form.make(arena, {segments, 1, kCount, kPagesOfEach, 1, 1}, params.of(fms::select::windowed_greedy));
  ASSERT_NE(selection, nullptr);
  selection->clear();
  const auto take = [&](std::uint32_t segment) {
    const std::uint32_t bin = segments.bin_of(segment);
    segments.take(segment);
    selection->taken(0, bin);
  };

  // The oldest has the most valid pages.
  for (std::uint32_t segment = 0; segment < kCount; ++segment) {
    segments.add_valid(segment, kCount - 1 - segment);
    selection->sealed(segment, 0);
  }
  take(3);
  for (const std::uint32_t oldest : {0U, 1U, 2U}) {
    EXPECT_EQ(selection->pick(0), oldest);
    take(oldest);
  }
}

}  // namespace
}  // namespace ftlab::tests
