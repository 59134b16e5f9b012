// Erase suspend for reads, and auto-suspend for programs of another segment.
#include "tests/device/series2plus/card_fixture.h"

namespace ftlab::hw::testing {
namespace {

class Suspend : public ::testing::Test {
 protected:
  CardRig rig;
  const CardTiming& timing = rig.core.spec().timing;

  /// As the driver does it: B0, extended status, poll GSR.7.
  void suspend_erase_of_segment_0() {
    rig.erase(0);
    rig.now += timing.erase / 4;
    rig.command(0, command::kSuspend);
    EXPECT_EQ(rig.gsr(0) & 0x8080, 0) << "not at once";
    rig.wait_ready();
    EXPECT_EQ(rig.gsr(0), 0xC6C6);
  }
};

TEST_F(Suspend, shows_in_both_status_registers) {
  suspend_erase_of_segment_0();
  EXPECT_EQ(rig.csr(0), 0xC0C0);
  EXPECT_EQ(rig.bsr(0), 0x0000) << "the segment itself is not ready";
  EXPECT_EQ(rig.bsr(kSegment), 0x8080);
}

TEST_F(Suspend, other_segments_are_readable_and_the_one_under_erase_is_not) {
  rig.poke16(kSegment + 10, 0x1234);
  suspend_erase_of_segment_0();
  rig.read_array(kSegment);
  EXPECT_EQ(rig.read16(kSegment + 10), 0x1234);
  EXPECT_EQ(rig.read16(0), 0xC0C0) << "status, not data";
}

TEST_F(Suspend, resumed_erase_goes_on_where_it_was) {
  suspend_erase_of_segment_0();
  rig.now += std::chrono::seconds{3};
  rig.command(0, command::kResume);
  EXPECT_EQ(rig.csr(0), 0x0000);
  rig.finish();
  const DeviceOp& op = rig.observer.ended.at(0);
  EXPECT_EQ(op.busy, timing.erase);
  EXPECT_FALSE(op.failed);
  EXPECT_EQ(rig.core.erase_count(0), 1U);
  EXPECT_EQ(rig.csr(0), 0x8080);
}

TEST_F(Suspend, erase_that_ends_within_the_latency_just_ends) {
  rig.erase(0);
  rig.now += timing.erase - std::chrono::microseconds{1};
  rig.command(0, command::kSuspend);
  rig.now += timing.erase_suspend;
  EXPECT_EQ(rig.csr(0), 0x8080);
  EXPECT_EQ(rig.gsr(0), 0x8686);
}

TEST_F(Suspend, resume_before_the_part_is_suspended_is_ignored) {
  rig.erase(0);
  rig.command(0, command::kSuspend);
  rig.command(0, command::kResume);
  rig.now += timing.erase_suspend;
  EXPECT_EQ(rig.csr(0), 0xC0C0);
}

TEST_F(Suspend, second_suspend_is_ignored_and_one_resume_is_enough) {
  suspend_erase_of_segment_0();
  rig.command(0, command::kSuspend);
  rig.command(0, command::kResume);
  EXPECT_EQ(rig.csr(0), 0x0000);
}

TEST_F(Suspend, program_of_another_segment_runs_while_suspended_and_leaves_it_suspended) {
  suspend_erase_of_segment_0();
  rig.program_word(kSegment, 0x4321);
  EXPECT_EQ(rig.csr(0), 0x4040) << "working, erase suspended";
  rig.now += timing.word_program;
  EXPECT_EQ(rig.csr(0), 0xC0C0);
  EXPECT_EQ(rig.peek16(kSegment), 0x4321);
  rig.command(0, command::kResume);
  rig.finish();
  EXPECT_EQ(rig.peek16(0), 0xFFFF);
  EXPECT_EQ(rig.csr(0), 0x8080);
}

TEST_F(Suspend, queued_erase_does_not_run_while_suspended) {
  rig.erase(0);
  rig.erase(kSegment);
  rig.command(0, command::kSuspend);
  rig.now += std::chrono::hours{1};
  EXPECT_EQ(rig.csr(0), 0xC0C0);
  EXPECT_EQ(rig.core.erase_count(1), 0U);
  rig.command(0, command::kResume);
  EXPECT_GT(rig.core.next_ready_edge(rig.now), rig.now + timing.erase);
  rig.finish();
  EXPECT_EQ(rig.core.erase_count(1), 1U);
}

TEST_F(Suspend, auto_suspend_programs_another_segment_and_resumes_by_itself) {
  rig.poke16(0, 0x0000);
  rig.erase(0);
  const Ticks begin = rig.now;
  rig.now += timing.erase / 2;
  rig.page_program(kSegment, pattern(512));
  const Ticks program = timing.buffer_program_byte * 256;
  const Ticks program_end = rig.now + timing.auto_suspend + program;
  EXPECT_EQ(rig.core.next_ready_edge(rig.now), begin + timing.erase + program) << "one busy time for both";
  rig.command(0, command::kReadExtendedStatus);
  rig.now = program_end - Ticks{1};
  EXPECT_EQ(rig.read16(kSegment + regs::offset::kBsr) & 0x8080, 0);
  rig.now = program_end;
  EXPECT_EQ(rig.read16(kSegment + regs::offset::kBsr) & 0x8080, 0x8080);
  EXPECT_EQ(rig.peek(kSegment, 512), pattern(512));
  EXPECT_EQ(rig.csr(0), 0x0000) << "the erase is going on";
  rig.finish();
  EXPECT_EQ(rig.peek16(0), 0xFFFF);
  ASSERT_EQ(rig.observer.ended.size(), 2U);
  EXPECT_EQ(rig.observer.ended[1].busy, timing.erase);
}

TEST_F(Suspend, operation_of_both_components_ends_with_the_later_one) {
  rig.erase(0);
  const Ticks begin = rig.now;
  rig.now += timing.erase / 2;
  rig.write8(0, command::kSuspend);
  rig.now = begin + timing.erase * 2;
  rig.write8(0, command::kResume);
  rig.finish();
  ASSERT_EQ(rig.observer.ended.size(), 1U);
  EXPECT_GT(rig.observer.ended[0].end, begin + timing.erase * 2) << "the odd component was done long before";
  EXPECT_EQ(rig.observer.ended[0].busy, timing.erase);
}

}  // namespace
}  // namespace ftlab::hw::testing
