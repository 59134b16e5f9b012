// Reads of a die with a cache register, against times worked out by hand.
// tR 50 us, transfer 20 us, tRCBSY 3 us, tBERS 3000 us; command 1, descriptor 0.1 us.
#include "tests/device/array/queued_operations.h"

namespace ftlab::hw::testing {
namespace {

class ArrayCacheRead : public QueuedOperations {
 protected:
  explicit ArrayCacheRead(ArrayOverrides more = {}) : QueuedOperations({}, array_part(with_cache(std::move(more)))) {}
  static ArrayOverrides with_cache(ArrayOverrides more) {
    more.emplace_back("timing.read_cache", "3 us");
    return more;
  }
  void read_at(double time, std::uint16_t tag) {
    Descriptor read = make(Op::read, 4, 2 * (tag % 3U));
    read.tag = tag;
    submit_at(time, read);
  }
};

TEST_F(ArrayCacheRead, a_page_is_sensed_while_the_one_before_crosses) {
  for (std::uint16_t tag = 0; tag < 4; ++tag) read_at(0, tag);
  const double first = kTake + 1 + 50;
  EXPECT_EQ(
      ends(),
      (Ends{{0, first + 20}, {1, first + 54 + 3 + 20}, {2, first + 2 * 54 + 3 + 20}, {3, first + 3 * 54 + 3 + 20}}))
      << "the cells set the pace";
}

TEST_F(ArrayCacheRead, one_that_comes_when_data_crosses_waits_for_its_end) {
  read_at(0, 0);
  read_at(kTake + 1 + 50, 1);
  EXPECT_EQ(ends(), (Ends{{0, kTake + 71}, {1, kTake + 71 + 71}}));
}

TEST_F(ArrayCacheRead, what_is_no_read_begins_when_all_data_has_crossed) {
  read_at(0, 0);
  read_at(0, 1);
  Descriptor erase = make(Op::erase, 1, 0);
  erase.tag = 7;
  submit_at(0, erase);
  read_at(0, 2);
  const double read = kTake + 1 + 50 + 54 + 3 + 20;
  EXPECT_EQ(ends(), (Ends{{0, kTake + 71}, {1, read}, {7, read + 3001}, {2, read + 3001 + 71}}));
}

TEST_F(ArrayCacheRead, dies_work_as_long_as_any_of_it_takes) {
  const Ticks before = fixture.core.die_times()[0];
  read_at(0, 0);
  read_at(0, 1);
  (void)ends();
  EXPECT_EQ(fixture.core.die_times()[0] - before, us(1 + 50 + 54 + 3 + 20));
}

class ArrayCacheReadBySlowChannel : public ArrayCacheRead {
 protected:
  ArrayCacheReadBySlowChannel() : ArrayCacheRead({{"channel.rate", "10.24"}}) {}
};

TEST_F(ArrayCacheReadBySlowChannel, the_channel_sets_the_pace) {
  for (std::uint16_t tag = 0; tag < 3; ++tag) read_at(0, tag);
  const double first = kTake + 1 + 50 + 200;
  EXPECT_EQ(ends(), (Ends{{0, first}, {1, first + 203}, {2, first + 2 * 203}}));
}

}  // namespace
}  // namespace ftlab::hw::testing
