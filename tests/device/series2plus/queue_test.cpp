// The command queue: depth, order, and programs that go before an erase of another segment.
#include "tests/device/series2plus/card_fixture.h"

namespace ftlab::hw::testing {
namespace {

TEST(Queue, holds_two_operations_beside_the_running_one) {
  CardRig rig;
  rig.erase(0);
  EXPECT_EQ(rig.gsr(0) & 0x0808, 0);
  rig.erase(kSegment);
  EXPECT_EQ(rig.gsr(0) & 0x0808, 0);
  rig.erase(2 * kSegment);
  EXPECT_EQ(rig.gsr(0) & 0x0808, 0x0808);
  EXPECT_EQ(rig.bsr(5 * kSegment) & 0x0808, 0x0808);
}

TEST(Queue, erases_run_one_after_another) {
  CardRig rig;
  rig.erase(0);
  const Ticks begin = rig.now;
  rig.erase(kSegment);
  rig.erase(2 * kSegment);
  const Ticks erase = rig.core.spec().timing.erase;
  EXPECT_EQ(rig.core.next_ready_edge(rig.now), begin + erase * 3);
  rig.now = begin + erase;
  EXPECT_EQ(rig.bsr(0), 0x8080);
  EXPECT_EQ(rig.bsr(kSegment), 0x0000);
  rig.finish();
  ASSERT_EQ(rig.observer.ended.size(), 3U);
  EXPECT_EQ(rig.observer.ended[1].end, begin + erase * 2);
  EXPECT_EQ(rig.observer.ended[2].end, begin + erase * 3);
}

TEST(Queue, program_of_the_segment_under_erase_waits_for_it) {
  CardRig rig;
  rig.poke16(4, 0x0000);
  rig.erase(0);
  const Ticks erased = rig.now + rig.core.spec().timing.erase;
  rig.program_word(4, 0x1234);
  EXPECT_EQ(rig.core.next_ready_edge(rig.now), erased + rig.core.spec().timing.word_program);
  rig.finish();
  EXPECT_EQ(rig.peek16(4), 0x1234);
}

TEST(Queue, operations_on_one_segment_keep_their_order) {
  CardRig rig;
  rig.program_word(0, 0x00FF);
  rig.erase(0);
  rig.program_word(0, 0xF0F0);
  rig.finish();
  EXPECT_EQ(rig.peek16(0), 0xF0F0);
}

TEST(Queue, a_dropped_operation_leaves_the_queued_ones_intact) {
  CardRig rig;
  for (std::uint32_t segment = 0; segment < 3; ++segment) rig.erase(segment * kSegment);
  rig.erase(3 * kSegment);
  EXPECT_EQ(rig.bsr(3 * kSegment) & 0x3030, 0x3030) << "failed and aborted";
  rig.finish();
  EXPECT_EQ(rig.core.erase_count(2), 1U);
  EXPECT_EQ(rig.core.erase_count(3), 0U);
}

}  // namespace
}  // namespace ftlab::hw::testing
