// Selections of the page-mapped layer by themselves: what is taken that they have not picked.
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "firmware/base/named.h"
#include "firmware/volume/clean/selection.h"

namespace ftlab::tests {
namespace {

TEST(PageSelection, a_segment_taken_from_outside_the_window_leaves_the_window_as_it_is) {
  constexpr std::uint32_t kPages = 4;
  constexpr std::uint32_t kSegments = 4;
  const volume::SelectionEntry* entry = find_named(volume::selections(), "windowed_greedy");
  ASSERT_NE(entry, nullptr);
  VolumeConfig config;
  config.window_segments = 1;
  std::vector<std::byte> memory(1U << 14);
  Arena arena(memory.data(), memory.size());
  volume::Segments segments;
  segments.layout(arena, {kSegments, 1, entry->bins(kPages), entry->sort_by_valid});
  segments.clear();
  volume::Selection* selection = entry->make(arena, {segments, config, kSegments, kPages, 1, 1});
  ASSERT_NE(selection, nullptr);
  selection->clear();
  const auto take = [&](std::uint32_t segment) {
    const std::uint32_t bin = segments.bin_of(segment);
    segments.take(segment);
    selection->taken(0, bin);
  };

  // The oldest has the most valid pages.
  for (std::uint32_t segment = 0; segment < kSegments; ++segment) {
    segments.add_valid(segment, kSegments - 1 - segment);
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
