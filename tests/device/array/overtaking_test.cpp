// Reads that come before what their die has queued: how long they wait, what they never overtake, and how many do.
// tR 50 us, tPROG 400 / 2200 us, tBERS 3000 us; command 1, transfer 20, descriptor 0.1 us.
#include <algorithm>

#include "tests/device/array/queued_operations.h"

namespace ftlab::hw::testing {
namespace {

class ArrayOvertaking : public QueuedOperations {
 protected:
  explicit ArrayOvertaking(const DeviceOptions& options = {}) : QueuedOperations(options) { let_overtake(16); }
  void let_overtake(std::uint16_t reads) { fixture.write16(array::reg::kOvertaking, reads); }
  Descriptor copy(std::uint32_t to, std::uint32_t index) {
    Descriptor d = make(Op::copy, 4, 0);
    d.target = fixture.page(to, index);
    d.tag = static_cast<std::uint16_t>(to);
    return d;
  }

  /// So many descriptors that do nothing, from 100 us on, `each` of them in a burst. They take 6.6 ms.
  void submit_idle(std::uint32_t count, std::uint32_t each) {
    fixture.now = us(10'100);
    Descriptor idle = make(Op::fence, 0, 0);
    idle.report = 0;
    for (std::uint32_t left = count; left > 0; left -= std::min(left, each))
      fixture.submit(std::vector<Descriptor>(std::min(left, each), idle));
  }
  /// Two erases and a read behind them: when all three end.
  Ends read_behind_erases(double at = 20'000) {
    submit_at(at, make(Op::erase, 0, 0));
    submit_at(at + 1, make(Op::erase, 2, 0));
    submit_at(at + 100, make(Op::read, 4, 0));
    return ends();
  }
  static Ends overtaken(double at) {
    return {{0, at + kTake + kErase}, {4, at + kTake + kErase + kRead}, {2, at + kTake + 2 * kErase + kRead}};
  }
  static Ends in_turn(double at) {
    return {{0, at + kTake + kErase}, {2, at + kTake + 2 * kErase}, {4, at + kTake + 2 * kErase + kRead}};
  }

  static constexpr std::uint32_t kFollowed = 1U << 16;  ///< descriptors after a read, and dies are still followed
  static constexpr double kRead = 1 + 50 + 20;
  static constexpr double kErase = 1 + 3000;
};

/// Nothing is undone, so that less is kept of what is queued.
class ArrayOvertakingWithoutLoss : public ArrayOvertaking {
 protected:
  ArrayOvertakingWithoutLoss() : ArrayOvertaking({.loses_power = false}) {}
};

TEST_F(ArrayOvertaking, a_read_waits_for_what_runs_and_not_for_what_waits) {
  submit_at(0, make(Op::erase, 0, 0));
  submit_at(1, make(Op::erase, 2, 0));
  submit_at(100, make(Op::read, 4, 0));
  EXPECT_EQ(ends(), (Ends{{0, kTake + kErase}, {4, kTake + kErase + kRead}, {2, kTake + 2 * kErase + kRead}}));
}

TEST_F(ArrayOvertaking, without_it_each_has_its_turn) {
  let_overtake(0);
  submit_at(0, make(Op::erase, 0, 0));
  submit_at(1, make(Op::erase, 2, 0));
  submit_at(100, make(Op::read, 4, 0));
  EXPECT_EQ(ends().back(), (std::pair<int, double>{4, kTake + 2 * kErase + kRead}));
}

TEST_F(ArrayOvertakingWithoutLoss, copies_that_were_queued_together_are_overtaken_one_by_one) {
  std::vector<Descriptor> burst;
  for (std::uint32_t i = 0; i < 6; ++i) burst.push_back(copy(0, i));
  for (Descriptor& d : burst) d.report = 1;
  fixture.now = us(10'000);
  fixture.submit(burst);
  constexpr double kLsb = 1 + 50 + 1 + 400;
  constexpr double kMsb = 1 + 50 + 1 + 2200;
  constexpr double kReadMsb = kRead + 25;
  submit_at(400, make(Op::read, 4, 0));
  Descriptor of_copied = make(Op::read, 0, 1);
  of_copied.tag = 5;
  submit_at(401, of_copied);
  const auto found = ends();
  ASSERT_EQ(found.size(), 8U);
  EXPECT_EQ(found[0], (std::pair<int, double>{0, kTake + kLsb}));
  EXPECT_EQ(found[1], (std::pair<int, double>{4, kTake + kLsb + kRead}));
  EXPECT_EQ(found[2], (std::pair<int, double>{0, kTake + kLsb + kRead + kMsb}));
  EXPECT_EQ(found[3], (std::pair<int, double>{5, found[2].second + kReadMsb}));
  EXPECT_EQ(found[7], (std::pair<int, double>{0, kTake + 3 * (kLsb + kMsb) + kRead + kReadMsb}));
}

TEST_F(ArrayOvertaking, reads_keep_their_order) {
  submit_at(0, make(Op::erase, 0, 0));
  submit_at(1, make(Op::erase, 2, 0));
  submit_at(100, make(Op::read, 4, 0));
  Descriptor second = make(Op::read, 4, 0);
  second.tag = 5;
  submit_at(101, second);
  const double first = kTake + kErase + kRead;
  EXPECT_EQ(ends(), (Ends{{0, kTake + kErase}, {4, first}, {5, first + kRead}, {2, first + kRead + kErase}}));
}

TEST_F(ArrayOvertaking, so_many_come_before_the_same_operation_and_the_next_one_behind_it) {
  let_overtake(2);
  submit_at(0, make(Op::erase, 0, 0));
  submit_at(1, make(Op::erase, 2, 0));
  submit_at(2, make(Op::erase, 6, 0));
  for (const int tag : {10, 11, 12}) {
    Descriptor read = make(Op::read, 4, 0);
    read.tag = static_cast<std::uint16_t>(tag);
    submit_at(90 + tag, read);
  }
  const double before = kTake + kErase + 2 * kRead;
  EXPECT_EQ(ends(), (Ends{{0, kTake + kErase},
                          {10, kTake + kErase + kRead},
                          {11, before},
                          {2, before + kErase},
                          {12, before + kErase + kRead},
                          {6, before + 2 * kErase + kRead}}));
}

TEST_F(ArrayOvertaking, an_operation_that_waits_is_not_kept_waiting_by_reads_that_come_one_by_one) {
  let_overtake(2);
  submit_at(0, make(Op::erase, 0, 0));
  submit_at(1, make(Op::erase, 2, 0));
  double at = 3000;
  for (int i = 0; i < 40; ++i, at += 60) submit_at(at, make(Op::read, 4, 0));
  const auto found = ends();
  const auto second = std::ranges::find(found, 2, &std::pair<int, double>::first);
  ASSERT_NE(second, found.end());
  EXPECT_EQ(second->second, kTake + 2 * kErase + 2 * kRead);
}

TEST_F(ArrayOvertaking, a_read_comes_right_behind_what_changes_its_page) {
  submit_at(0, make(Op::erase, 0, 0));
  submit_at(1, make(Op::program, 6, 0));
  submit_at(2, make(Op::erase, 2, 0));
  submit_at(100, make(Op::read, 6, 0));
  const double written = kTake + kErase + 21 + 400;
  const auto found = ends();
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[1].second, written);
  EXPECT_EQ(found[2].second, written + kRead);
  EXPECT_EQ(found[3], (std::pair<int, double>{2, written + kRead + kErase}));
}

TEST_F(ArrayOvertaking, a_read_comes_behind_the_erase_of_its_segment) {
  submit_at(0, make(Op::erase, 0, 0));
  submit_at(1, make(Op::erase, 4, 0));
  submit_at(2, make(Op::erase, 2, 0));
  submit_at(100, make(Op::read, 4, 0));
  const double erased = kTake + 2 * kErase;
  EXPECT_EQ(ends(), (Ends{{0, kTake + kErase}, {4, erased}, {4, erased + kRead}, {2, erased + kRead + kErase}}));
}

TEST_F(ArrayOvertaking, what_feeds_another_die_is_not_overtaken) {
  submit_at(0, make(Op::erase, 0, 0));
  Descriptor across = make(Op::copy, 4, 0);
  across.target = fixture.page(32, 0);
  across.tag = 32;
  submit_at(1, across);
  submit_at(2, make(Op::erase, 2, 0));
  submit_at(100, make(Op::read, 4, 0));
  const double fetched = kTake + kErase + kRead;
  const auto found = ends();
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[1], (std::pair<int, double>{4, fetched + kRead}));
  EXPECT_EQ(found[2], (std::pair<int, double>{32, fetched + 21 + 400}));
  EXPECT_EQ(found[3], (std::pair<int, double>{2, fetched + kRead + kErase}));
}

TEST_F(ArrayOvertaking, both_planes_wait_while_the_die_is_read) {
  submit_at(0, make(Op::erase, 0, 0));
  submit_at(1, make(Op::erase, 1, 0));
  submit_at(2, make(Op::erase, 2, 0));
  submit_at(100, make(Op::read, 4, 0));
  const auto found = ends();
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[2], (std::pair<int, double>{4, found[1].second + kRead}));
  EXPECT_EQ(found[3], (std::pair<int, double>{2, found[1].second + kRead + kErase}));
  EXPECT_GT(found[1].second, found[0].second);
}

TEST_F(ArrayOvertaking, a_plane_that_nothing_waits_for_is_free_behind_the_read) {
  submit_at(0, make(Op::erase, 0, 0));
  submit_at(500, make(Op::erase, 1, 0));
  submit_at(501, make(Op::erase, 2, 0));
  submit_at(600, make(Op::read, 4, 0));
  submit_at(700, make(Op::erase, 3, 0));
  const double read = 500 + kTake + kErase + kRead;
  EXPECT_EQ(
      ends(),
      (Ends{{0, kTake + kErase}, {1, 500 + kTake + kErase}, {4, read}, {2, read + kErase}, {3, read + 1 + kErase}}));
}

TEST_F(ArrayOvertaking, the_die_works_longer_by_the_read_and_by_what_the_other_plane_had_hidden) {
  const Ticks before = fixture.core.die_times()[0];
  submit_at(0, make(Op::erase, 0, 0));
  submit_at(500, make(Op::erase, 1, 0));
  submit_at(501, make(Op::program, 2, 0));
  EXPECT_EQ(fixture.core.die_times()[0] - before, us(500 + kErase)) << "the program begins and ends beside the erase";
  submit_at(600, make(Op::read, 4, 0));
  EXPECT_EQ(fixture.core.die_times()[0] - before, us(500 + kErase + kRead + 421));
}

TEST_F(ArrayOvertaking, what_comes_later_begins_behind_what_was_moved) {
  submit_at(0, make(Op::erase, 0, 0));
  submit_at(1, make(Op::erase, 2, 0));
  submit_at(100, make(Op::read, 4, 0));
  submit_at(200, make(Op::program, 6, 0));
  EXPECT_EQ(ends().back(), (std::pair<int, double>{6, kTake + 2 * kErase + kRead + 421}));
}

TEST_F(ArrayOvertakingWithoutLoss, what_is_under_way_when_it_is_allowed_has_its_turn_first) {
  let_overtake(0);
  submit_at(0, make(Op::erase, 0, 0));
  submit_at(1, make(Op::erase, 2, 0));
  let_overtake(16);
  submit_at(2, make(Op::erase, 6, 0));
  submit_at(100, make(Op::read, 4, 0));
  EXPECT_EQ(ends().back(), (std::pair<int, double>{4, kTake + 3 * kErase + kRead}));
}

struct Way {
  bool loses_power = false;
  std::uint32_t each = 1;  ///< descriptors of a burst
  friend std::ostream& operator<<(std::ostream& out, const Way& way) {
    return out << (way.loses_power ? "loses power, " : "keeps power, ") << way.each << " at once";
  }
};

/// Dies are followed as long as reads come, however descriptors come and whatever else is kept of them.
class ArrayFollowing : public ArrayOvertaking, public ::testing::WithParamInterface<Way> {
 protected:
  ArrayFollowing() : ArrayOvertaking({.loses_power = GetParam().loses_power}) {}
};

INSTANTIATE_TEST_SUITE_P(Ways, ArrayFollowing, ::testing::Values(Way{false, 1}, Way{false, 512}, Way{true, 512}));

TEST_P(ArrayFollowing, a_read_overtakes_up_to_so_many_descriptors_behind_the_last_one) {
  submit_at(0, make(Op::read, 4, 0));
  submit_idle(kFollowed - 3, GetParam().each);
  (void)ends();
  EXPECT_EQ(read_behind_erases(), overtaken(20'000));
}

TEST_P(ArrayFollowing, behind_more_it_has_its_turn_and_those_overtake_that_come_when_that_is_over) {
  submit_at(0, make(Op::read, 4, 0));
  submit_idle(kFollowed - 2, GetParam().each);
  (void)ends();
  EXPECT_EQ(read_behind_erases(), in_turn(20'000));
  EXPECT_EQ(read_behind_erases(40'000), overtaken(40'000));
}

TEST_F(ArrayOvertaking, a_fence_ends_with_what_was_given_to_its_die_before_it_and_holds_no_read_up) {
  submit_at(0, make(Op::erase, 0, 0));
  submit_at(1, make(Op::erase, 2, 0));
  submit_at(2, make(Op::fence, 5, 0));
  submit_at(3, make(Op::erase, 6, 0));
  submit_at(100, make(Op::read, 4, 0));
  const Ends found = ends();
  ASSERT_EQ(found.size(), 5U);
  EXPECT_EQ(found[0].first, 0);
  EXPECT_EQ(found[1], (std::pair<int, double>{4, found[0].second + 71}));
  EXPECT_EQ(found[2].first, 2);
  EXPECT_EQ(found[3], (std::pair<int, double>{5, found[2].second}));
  EXPECT_EQ(found[4], (std::pair<int, double>{6, found[2].second + 3001}));
}

TEST_F(ArrayOvertaking, what_a_loss_of_power_prevents_is_no_time_of_the_die) {
  const auto erasing = fixture.total(DeviceOpKind::erase).die_time;
  const auto reading = fixture.total(DeviceOpKind::load).die_time;
  submit_at(0, make(Op::erase, 0, 0));
  submit_at(1, make(Op::erase, 2, 0));
  submit_at(2, make(Op::fence, 0, 0));
  submit_at(100, make(Op::read, 4, 0));
  fixture.core.lose_power(us(10'000 + 1000 + kTake));
  EXPECT_EQ(fixture.total(DeviceOpKind::erase).die_time, erasing + us(1000));
  EXPECT_EQ(fixture.total(DeviceOpKind::load).die_time, reading);
}

TEST_F(ArrayOvertaking, a_loss_of_power_forgets_it) {
  fixture.power_cycle();
  EXPECT_EQ(fixture.read16(array::reg::kOvertaking), 0);
}

}  // namespace
}  // namespace ftlab::hw::testing
