// Reads that interrupt programs and erases: when they do, how long everything takes then, and when they wait.
// tR 50 us, tPROG 400 / 2200 us, tBERS 3000 us; command 1, transfer 20, suspend 5, resume 3, descriptor 0.1 us.
#include "tests/device/array/queued_operations.h"

namespace ftlab::hw::testing {
namespace {

class ArraySuspend : public QueuedOperations {
 protected:
  ArraySuspend() { allow(array::control::kSuspendPrograms | array::control::kSuspendErases); }
  void allow(std::uint16_t control) { fixture.write16(array::reg::kControl, control); }

  static constexpr double kRead = 5 + 1 + 50 + 20;  ///< suspended die to data in the controller
};

TEST_F(ArraySuspend, a_read_interrupts_an_erase_which_ends_later) {
  submit_at(0, make(Op::erase, 0, 0));
  submit_at(1000, make(Op::read, 4, 0));
  EXPECT_EQ(ends(), (Ends{{4, 1000 + kTake + kRead}, {0, kTake + 1 + 3000 + kRead + 3}}));
}

TEST_F(ArraySuspend, a_read_interrupts_a_program_at_its_cells) {
  submit_at(0, make(Op::program, 0, 0));
  submit_at(100, make(Op::read, 4, 0));
  EXPECT_EQ(ends(), (Ends{{4, 100 + kTake + kRead}, {0, kTake + 21 + 400 + kRead + 3}}));
}

TEST_F(ArraySuspend, without_the_bit_a_read_waits) {
  allow(array::control::kSuspendPrograms);
  submit_at(0, make(Op::erase, 0, 0));
  submit_at(1000, make(Op::read, 4, 0));
  EXPECT_EQ(ends(), (Ends{{0, kTake + 3001}, {4, kTake + 3001 + 71}}));
}

TEST_F(ArraySuspend, a_transfer_ends_before_its_program_is_interrupted) {
  submit_at(0, make(Op::program, 0, 0));
  submit_at(10, make(Op::read, 4, 0));
  EXPECT_EQ(ends(), (Ends{{4, kTake + 21 + kRead}, {0, kTake + 21 + 400 + kRead + 3}}));
}

TEST_F(ArraySuspend, a_copy_has_read_its_page_before_it_is_interrupted) {
  Descriptor copy = make(Op::copy, 4, 0);
  copy.target = fixture.page(0, 0);
  copy.tag = 0;
  submit_at(0, copy);
  submit_at(10, make(Op::read, 4, 0));
  EXPECT_EQ(ends(), (Ends{{4, kTake + 52 + kRead}, {0, kTake + 52 + 400 + kRead + 3}}));
}

TEST_F(ArraySuspend, a_read_waits_its_turn_when_something_else_begins_before_a_copy_has_read) {
  Descriptor copy = make(Op::copy, 4, 0);
  copy.target = fixture.page(0, 0);
  copy.tag = 0;
  submit_at(0, copy);
  submit_at(0, make(Op::erase, 1, 0));
  submit_at(0.3, make(Op::read, 4, 0));
  EXPECT_EQ(ends().back().first, 4);
}

TEST_F(ArraySuspend, reads_that_come_during_a_suspension_follow_each_other) {
  submit_at(0, make(Op::erase, 0, 0));
  submit_at(1000, make(Op::read, 4, 0));
  Descriptor second = make(Op::read, 4, 2);
  second.tag = 5;
  submit_at(1010, second);
  const double first = 1000 + kTake + kRead;
  EXPECT_EQ(ends(), (Ends{{4, first}, {5, first + 71}, {0, kTake + 3001 + kRead + 71 + 3}}));
}

TEST_F(ArraySuspend, an_operation_may_be_interrupted_again) {
  submit_at(0, make(Op::erase, 0, 0));
  submit_at(1000, make(Op::read, 4, 0));
  submit_at(2000, make(Op::read, 4, 0));
  EXPECT_EQ(ends().back(), (std::pair<int, double>{0, kTake + 3001 + 2 * (kRead + 3)}));
}

class ArraySuspendWithLimits : public QueuedOperations {
 protected:
  ArraySuspendWithLimits()
      : QueuedOperations(
            {}, array_part({{"timing.suspend_program_left", "100 us"}, {"timing.suspend_erase_left", "700 us"}})) {
    fixture.write16(array::reg::kControl, array::control::kSuspendPrograms | array::control::kSuspendErases);
  }
  static constexpr double kRead = 5 + 1 + 50 + 20;
};

TEST_F(ArraySuspendWithLimits, an_erase_with_little_left_is_not_interrupted) {
  const double end = kTake + 3001;
  submit_at(0, make(Op::erase, 0, 0));
  submit_at(end - 700 - kTake, make(Op::read, 4, 0));
  EXPECT_EQ(ends(), (Ends{{4, end - 700 + kRead}, {0, end + kRead + 3}}));
  fixture.now = us(20'000);
  submit_at(10'000, make(Op::erase, 0, 0));
  submit_at(10'000 + end - 699 - kTake, make(Op::read, 4, 0));
  EXPECT_EQ(ends(), (Ends{{0, 10'000 + end}, {4, 10'000 + end + 71}}));
}

TEST_F(ArraySuspendWithLimits, nor_is_such_a_program) {
  const double end = kTake + 21 + 400;
  submit_at(0, make(Op::program, 0, 0));
  submit_at(end - 99 - kTake, make(Op::read, 4, 0));
  EXPECT_EQ(ends(), (Ends{{0, end}, {4, end + 71}}));
}

TEST_F(ArraySuspend, what_is_queued_behind_is_moved_too) {
  submit_at(0, make(Op::erase, 0, 0));
  submit_at(1, make(Op::program, 2, 0));
  submit_at(1000, make(Op::read, 4, 0));
  EXPECT_EQ(ends(),
            (Ends{{4, 1000 + kTake + kRead}, {0, kTake + 3001 + kRead + 3}, {2, kTake + 3001 + kRead + 3 + 421}}));
}

TEST_F(ArraySuspend, a_fence_ends_with_what_was_interrupted_before_it) {
  submit_at(0, make(Op::erase, 0, 0));
  submit_at(1, make(Op::fence, 2, 0));
  submit_at(2, make(Op::program, 3, 0));
  submit_at(1000, make(Op::read, 4, 0));
  const double erased = kTake + 3001 + kRead + 3;
  EXPECT_EQ(ends(), (Ends{{3, 1000}, {4, 1000 + kTake + kRead}, {0, erased}, {2, erased}}));
}

TEST_F(ArraySuspend, both_planes_are_interrupted) {
  submit_at(0, make(Op::erase, 0, 0));
  submit_at(0, make(Op::erase, 1, 0));
  submit_at(1000, make(Op::read, 4, 0));
  EXPECT_EQ(ends(), (Ends{{4, 1000 + kTake + kRead}, {0, kTake + 3001 + kRead + 3}, {1, kTake + 3002 + kRead + 3}}));
}

TEST_F(ArraySuspend, work_for_the_other_plane_waits_until_the_die_resumes) {
  submit_at(0, make(Op::erase, 0, 0));
  submit_at(1000, make(Op::read, 4, 0));
  submit_at(1010, make(Op::program, 1, 0));
  const double resumed = 1000 + kTake + kRead + 3;
  EXPECT_EQ(ends()[1], (std::pair<int, double>{1, resumed + 421}));
}

TEST_F(ArraySuspend, a_read_does_not_overtake_what_changes_its_page) {
  submit_at(0, make(Op::erase, 4, 0));
  submit_at(1000, make(Op::read, 4, 0));
  EXPECT_EQ(ends().front().second, kTake + 3001);
  submit_at(5000, make(Op::erase, 0, 0));
  submit_at(5001, make(Op::program, 6, 0));
  submit_at(5002, make(Op::read, 6, 0));
  const auto found = ends();
  EXPECT_EQ(found.back().second, 5000 + kTake + 3001 + 421 + 71);
}

TEST_F(ArraySuspend, other_dies_go_on) {
  submit_at(0, make(Op::erase, 0, 0));
  submit_at(0, make(Op::erase, 32, 0));
  submit_at(1000, make(Op::read, 4, 0));
  EXPECT_EQ(ends()[1], (std::pair<int, double>{32, 2 * kTake + 3001}));
}

TEST_F(ArraySuspend, busy_time_and_energy_leave_the_suspension_out) {
  submit_at(0, make(Op::erase, 0, 0));
  submit_at(1000, make(Op::read, 4, 0));
  EXPECT_EQ(fixture.total(DeviceOpKind::erase).busy, us(3001));
}

TEST_F(ArraySuspend, a_suspended_program_is_torn_when_power_is_lost) {
  submit_at(0, make(Op::program, 0, 0));
  submit_at(100, make(Op::read, 4, 0));
  fixture.core.lose_power(us(10'000 + 150));
  EXPECT_FALSE(fixture.core.is_readable(fixture.page(0, 0)));
  EXPECT_TRUE(fixture.core.is_readable(fixture.page(4, 0)));
}

}  // namespace
}  // namespace ftlab::hw::testing
