// The command queue: depth, order, and programs that go before an erase of another segment.
#include "tests/device/series2plus/card_fixture.h"

namespace ftlab::hw::testing {
namespace {

TEST(Queue, holds_two_operations_beside_the_running_one) {
  CardFixture fixture;
  fixture.erase(0);
  EXPECT_EQ(fixture.gsr(0) & 0x0808, 0);
  fixture.erase(kSegment);
  EXPECT_EQ(fixture.gsr(0) & 0x0808, 0);
  fixture.erase(2 * kSegment);
  EXPECT_EQ(fixture.gsr(0) & 0x0808, 0x0808);
  EXPECT_EQ(fixture.bsr(5 * kSegment) & 0x0808, 0x0808);
}

TEST(Queue, erases_run_one_after_another) {
  CardFixture fixture;
  fixture.erase(0);
  const Ticks begin = fixture.now;
  fixture.erase(kSegment);
  fixture.erase(2 * kSegment);
  const Ticks erase = fixture.core.spec().timing.erase;
  EXPECT_EQ(fixture.core.next_ready_edge(fixture.now), begin + erase * 3);
  fixture.now = begin + erase;
  EXPECT_EQ(fixture.bsr(0), 0x8080);
  EXPECT_EQ(fixture.bsr(kSegment), 0x0000);
  fixture.finish();
  ASSERT_EQ(fixture.observer.ended.size(), 3U);
  EXPECT_EQ(fixture.observer.ended[1].end, begin + erase * 2);
  EXPECT_EQ(fixture.observer.ended[2].end, begin + erase * 3);
}

TEST(Queue, program_of_the_segment_under_erase_waits_for_it) {
  CardFixture fixture;
  fixture.poke16(4, 0x0000);
  fixture.erase(0);
  const Ticks erased = fixture.now + fixture.core.spec().timing.erase;
  fixture.program_word(4, 0x1234);
  EXPECT_EQ(fixture.core.next_ready_edge(fixture.now), erased + fixture.core.spec().timing.word_program);
  fixture.finish();
  EXPECT_EQ(fixture.peek16(4), 0x1234);
}

TEST(Queue, operations_on_one_segment_keep_their_order) {
  CardFixture fixture;
  fixture.program_word(0, 0x00FF);
  fixture.erase(0);
  fixture.program_word(0, 0xF0F0);
  fixture.finish();
  EXPECT_EQ(fixture.peek16(0), 0xF0F0);
}

TEST(Queue, a_dropped_operation_leaves_the_queued_ones_intact) {
  CardFixture fixture;
  for (std::uint32_t segment = 0; segment < 3; ++segment) fixture.erase(segment * kSegment);
  fixture.erase(3 * kSegment);
  EXPECT_EQ(fixture.bsr(3 * kSegment) & 0x3030, 0x3030) << "failed and aborted";
  fixture.finish();
  EXPECT_EQ(fixture.core.erase_count(2), 1U);
  EXPECT_EQ(fixture.core.erase_count(3), 0U);
}

}  // namespace
}  // namespace ftlab::hw::testing
