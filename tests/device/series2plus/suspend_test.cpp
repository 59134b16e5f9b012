// Erase suspend for reads, and auto-suspend for programs of another segment.
#include "tests/device/series2plus/card_fixture.h"

namespace ftlab::hw::testing {
namespace {

class Suspend : public ::testing::Test {
 protected:
  CardFixture fixture;
  const CardTiming& timing = fixture.core.spec().timing;

  /// As the driver does it: B0, extended status, poll GSR.7.
  void suspend_erase_of_segment_0() {
    fixture.erase(0);
    fixture.now += timing.erase / 4;
    fixture.command(0, command::kSuspend);
    EXPECT_EQ(fixture.gsr(0) & 0x8080, 0) << "not at once";
    fixture.wait_ready();
    EXPECT_EQ(fixture.gsr(0), 0xC6C6);
  }
};

TEST_F(Suspend, shows_in_both_status_registers) {
  suspend_erase_of_segment_0();
  EXPECT_EQ(fixture.csr(0), 0xC0C0);
  EXPECT_EQ(fixture.bsr(0), 0x0000) << "the segment itself is not ready";
  EXPECT_EQ(fixture.bsr(kSegment), 0x8080);
}

TEST_F(Suspend, other_segments_are_readable_and_the_one_under_erase_is_not) {
  fixture.poke16(kSegment + 10, 0x1234);
  suspend_erase_of_segment_0();
  fixture.read_array(kSegment);
  EXPECT_EQ(fixture.read16(kSegment + 10), 0x1234);
  EXPECT_EQ(fixture.read16(0), 0xC0C0) << "status, not data";
}

TEST_F(Suspend, resumed_erase_goes_on_where_it_was) {
  suspend_erase_of_segment_0();
  fixture.now += std::chrono::seconds{3};
  fixture.command(0, command::kResume);
  EXPECT_EQ(fixture.csr(0), 0x0000);
  fixture.finish();
  const DeviceOp& op = fixture.observer.ended.at(0);
  EXPECT_EQ(op.busy, timing.erase);
  EXPECT_FALSE(op.failed);
  EXPECT_EQ(fixture.core.erase_count(0), 1U);
  EXPECT_EQ(fixture.csr(0), 0x8080);
}

TEST_F(Suspend, erase_that_ends_within_the_latency_just_ends) {
  fixture.erase(0);
  fixture.now += timing.erase - std::chrono::microseconds{1};
  fixture.command(0, command::kSuspend);
  fixture.now += timing.erase_suspend;
  EXPECT_EQ(fixture.csr(0), 0x8080);
  EXPECT_EQ(fixture.gsr(0), 0x8686);
}

TEST_F(Suspend, resume_before_the_part_is_suspended_is_ignored) {
  fixture.erase(0);
  fixture.command(0, command::kSuspend);
  fixture.command(0, command::kResume);
  fixture.now += timing.erase_suspend;
  EXPECT_EQ(fixture.csr(0), 0xC0C0);
}

TEST_F(Suspend, second_suspend_is_ignored_and_one_resume_is_enough) {
  suspend_erase_of_segment_0();
  fixture.command(0, command::kSuspend);
  EXPECT_EQ(fixture.csr(0), 0xC0C0);
  fixture.command(0, command::kResume);
  EXPECT_EQ(fixture.csr(0), 0x0000);
}

TEST_F(Suspend, program_of_another_segment_runs_while_suspended_and_leaves_it_suspended) {
  suspend_erase_of_segment_0();
  fixture.program_word(kSegment, 0x4321);
  EXPECT_EQ(fixture.csr(0), 0x4040) << "working, erase suspended";
  fixture.now += timing.word_program;
  EXPECT_EQ(fixture.csr(0), 0xC0C0);
  EXPECT_EQ(fixture.peek16(kSegment), 0x4321);
  fixture.command(0, command::kResume);
  fixture.finish();
  EXPECT_EQ(fixture.peek16(0), 0xFFFF);
  EXPECT_EQ(fixture.csr(0), 0x8080);
}

TEST_F(Suspend, queued_erase_does_not_run_while_suspended) {
  fixture.erase(0);
  fixture.erase(kSegment);
  fixture.command(0, command::kSuspend);
  fixture.now += std::chrono::hours{1};
  EXPECT_EQ(fixture.csr(0), 0xC0C0);
  EXPECT_EQ(fixture.core.erase_count(1), 0U);
  fixture.command(0, command::kResume);
  EXPECT_GT(fixture.core.next_ready_edge(fixture.now), fixture.now + timing.erase);
  fixture.finish();
  EXPECT_EQ(fixture.core.erase_count(1), 1U);
}

TEST_F(Suspend, auto_suspend_programs_another_segment_and_resumes_by_itself) {
  fixture.poke16(0, 0x0000);
  fixture.erase(0);
  const Ticks begin = fixture.now;
  fixture.now += timing.erase / 2;
  fixture.page_program(kSegment, pattern(512));
  const Ticks program = timing.buffer_program_byte * 256;
  const Ticks program_end = fixture.now + timing.auto_suspend + program;
  EXPECT_EQ(fixture.core.next_ready_edge(fixture.now), begin + timing.erase + program) << "one busy time for both";
  fixture.command(0, command::kReadExtendedStatus);
  fixture.now = program_end - Ticks{1};
  EXPECT_EQ(fixture.read16(kSegment + regs::offset::kBsr) & 0x8080, 0);
  fixture.now = program_end;
  EXPECT_EQ(fixture.read16(kSegment + regs::offset::kBsr) & 0x8080, 0x8080);
  EXPECT_EQ(fixture.peek(kSegment, 512), pattern(512));
  EXPECT_EQ(fixture.csr(0), 0x0000) << "the erase is going on";
  fixture.finish();
  EXPECT_EQ(fixture.peek16(0), 0xFFFF);
  ASSERT_EQ(fixture.observer.ended.size(), 2U);
  EXPECT_EQ(fixture.observer.ended[1].busy, timing.erase);
}

TEST_F(Suspend, operation_of_both_components_ends_with_the_later_one) {
  fixture.erase(0);
  const Ticks begin = fixture.now;
  fixture.now += timing.erase / 2;
  fixture.write8(0, command::kSuspend);
  fixture.now = begin + timing.erase * 2;
  fixture.write8(0, command::kResume);
  fixture.finish();
  ASSERT_EQ(fixture.observer.ended.size(), 1U);
  EXPECT_GT(fixture.observer.ended[0].end, begin + timing.erase * 2) << "the odd component was done long before";
  EXPECT_EQ(fixture.observer.ended[0].busy, timing.erase);
}

}  // namespace
}  // namespace ftlab::hw::testing
