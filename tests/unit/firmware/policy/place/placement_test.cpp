// Where pages of the host go.
#include <gtest/gtest.h>

#include "tests/unit/firmware/policy/policy_fixture.h"

namespace ftlab::tests {
namespace {

using namespace fms;

TEST(EveryPlacement, names_the_hot_stream_or_one_that_it_declares) {
  for (const PlacementEntry& entry : placements()) {
    PolicyFixture fixture(8, 31, 62);
    HostPlacement& placement = fixture.make(entry);
    for (std::uint32_t lpn = 0; lpn < 62; ++lpn) {
      for (const bool read_only : {false, true}) {
        const StreamId stream = placement.stream_of(fixture.view(), lpn, {lpn, read_only});
        EXPECT_TRUE(stream == kHot || (stream == kReadOnly && entry.streams == 1)) << entry.name;
      }
    }
  }
}

TEST(Apart, sends_marked_pages_to_segments_of_their_own) {
  PolicyFixture fixture(8, 31, 10);
  HostPlacement& apart = fixture.make(place::apart);
  EXPECT_EQ(apart.stream_of(fixture.view(), 0, {0, true}), kReadOnly);
  EXPECT_EQ(apart.stream_of(fixture.view(), 0, {0, false}), kHot);
}

TEST(Mixed, ignores_the_mark) {
  PolicyFixture fixture(8, 31, 10);
  EXPECT_EQ(fixture.make(place::mixed).stream_of(fixture.view(), 0, {0, true}), kHot);
}

}  // namespace
}  // namespace ftlab::tests
