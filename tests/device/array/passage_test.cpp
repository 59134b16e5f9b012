// What the array says of how an operation spent its time, when its report is read.
// tR 50 us, tPROG 400 / 2200 us, tBERS 3000 us; command 1, transfer 20, suspend 5, resume 3, descriptor 0.1 us.
#include "common/passage.h"

#include <random>

#include "tests/device/array/queued_operations.h"
#include "tests/device/array/two_steps.h"

namespace ftlab::hw::testing {
namespace {

class Watcher final : public PassageObserver {
 public:
  void reported(const Passage& passage) override { all.push_back(passage); }
  [[nodiscard]] Ticks mark() const override { return now_; }
  void turn(Ticks now) { now_ = now; }

  std::vector<Passage> all;

 private:
  Ticks now_{};
};

Ticks named(const Passage& p) { return p.gathered + p.channel + p.transfer + p.cells + p.retries + p.decoding; }
Ticks die_wait(const Passage& p) { return p.end - p.queued - named(p); }

class ArrayPassage : public QueuedOperations {
 protected:
  ArrayPassage() { fixture.core.watch_passages(&watcher); }
  /// By the tags of the operations, in order of their ends.
  const std::vector<Passage>& passages() {
    (void)ends();
    return watcher.all;
  }

  Watcher watcher;
};

TEST_F(ArrayPassage, of_a_read_and_a_program_on_idle_dies_are_their_own_times) {
  watcher.turn(us(7));
  submit_at(0, make(Op::program, 0, 0));
  submit_at(1000, make(Op::read, 4, 0));
  ASSERT_EQ(passages().size(), 2U);
  const Passage& program = watcher.all[0];
  EXPECT_EQ(program.queued, us(10'000 + kTake));
  EXPECT_EQ(program.mark, us(7));
  EXPECT_EQ(program.transfer, us(21));
  EXPECT_EQ(program.cells, us(400));
  EXPECT_EQ(die_wait(program), Ticks::zero());
  const Passage& read = watcher.all[1];
  EXPECT_EQ(read.tag, 4);
  EXPECT_EQ(read.transfer, us(21));
  EXPECT_EQ(read.cells, us(50));
  EXPECT_EQ(named(read), read.end - read.queued);
}

TEST_F(ArrayPassage, of_what_comes_behind_has_the_wait_for_die_and_channel) {
  // Segment 16 is on the next die of the channel.
  submit_at(0, make(Op::read, 0, 0));
  submit_at(0, make(Op::read, 32, 0));
  submit_at(0, make(Op::read, 0, 1));
  ASSERT_EQ(passages().size(), 3U);
  EXPECT_EQ(watcher.all[1].channel, us(20 - kTake)) << "both are sensed at once";
  EXPECT_EQ(die_wait(watcher.all[1]), Ticks::zero());
  EXPECT_EQ(die_wait(watcher.all[2]), us(71 - 2 * kTake)) << "the first read of its die";
}

TEST_F(ArrayPassage, of_what_is_suspended_has_the_suspension_as_a_wait_for_the_die) {
  fixture.write16(array::reg::kControl, array::control::kSuspendErases | array::control::kSuspendPrograms);
  submit_at(0, make(Op::program, 0, 0));
  submit_at(100, make(Op::read, 4, 0));
  ASSERT_EQ(passages().size(), 2U);
  EXPECT_EQ(die_wait(watcher.all[0]), us(5)) << "until the die can be read";
  EXPECT_EQ(watcher.all[1].cells, us(400));
  EXPECT_EQ(die_wait(watcher.all[1]), us(5 + 1 + 50 + 20 + 3));
}

TEST(ArrayPassages, of_a_read_in_steps_tell_the_first_one_from_the_others) {
  ArrayFixture fixture(array_part(two_steps()));
  Watcher watcher;
  fixture.core.watch_passages(&watcher);
  fixture.run(ftlab::hw::testing::make(Op::program, 0));
  fixture.run(ftlab::hw::testing::make(Op::read, 0), Status::corrected);
  fixture.run(ftlab::hw::testing::make(Op::read, 0), Status::corrected);
  ASSERT_EQ(watcher.all.size(), 3U);
  EXPECT_EQ(watcher.all[1].cells, us(50));
  EXPECT_EQ(watcher.all[1].transfer, us(21));
  EXPECT_EQ(watcher.all[1].decoding, us(14));
  EXPECT_EQ(watcher.all[1].retries, us(1 + 50 + 20 + 1 + 3 * 50 + 2 * 20));
  EXPECT_EQ(watcher.all[2].cells, us(3 * 50)) << "the step that is remembered is the first one";
  EXPECT_EQ(watcher.all[2].retries, Ticks::zero());
}

TEST(ArrayPassages, of_a_page_of_a_unit_has_the_wait_for_the_rest_of_it) {
  ArrayFixture fixture(array_part({{"page_bytes", "4096"}, {"pages_per_segment", "8"}}));
  std::string reason;
  const auto units = in_units(fixture.core.spec(), 2048, reason);
  ASSERT_TRUE(units) << reason;
  ArrayFixture in_two(*units);
  Watcher watcher;
  in_two.core.watch_passages(&watcher);
  in_two.submit(ftlab::hw::testing::make(Op::program, 0));
  in_two.now += us(300);
  in_two.submit(ftlab::hw::testing::make(Op::program, 1));
  in_two.wait();
  in_two.wait();
  ASSERT_EQ(watcher.all.size(), 2U);
  EXPECT_EQ(watcher.all[0].gathered, us(300));
  EXPECT_EQ(watcher.all[1].gathered, Ticks::zero());
  EXPECT_EQ(watcher.all[0].end, watcher.all[1].end);
  for (const Passage& page : watcher.all) EXPECT_EQ(die_wait(page), Ticks::zero());
}

TEST_F(ArrayPassage, is_never_longer_than_the_time_of_the_operation) {
  std::mt19937 random(7);
  fixture.write16(array::reg::kControl, array::control::kSuspendErases | array::control::kSuspendPrograms);
  fixture.write16(array::reg::kOvertaking, 3);
  std::vector<std::uint32_t> filled(64);
  std::uint16_t tag = 0;
  std::size_t reported = 0;
  for (int i = 0; i < 4000; ++i) {
    const auto segment = static_cast<std::uint32_t>(random() % filled.size());
    Descriptor d = random() % 3 != 0 ? ArrayFixture::descriptor(Op::read, fixture.page(segment, 0))
                   : filled[segment] == 6
                       ? ArrayFixture::descriptor(Op::erase, fixture.page(segment, 0))
                       : ArrayFixture::descriptor(Op::program, fixture.page(segment, filled[segment]));
    d.tag = tag++;
    filled[segment] = d.op == Op::erase ? 0 : filled[segment] + (d.op == Op::program ? 1 : 0);
    fixture.submit(d);
    ++reported;
    fixture.now += us(static_cast<double>(random() % 100));
    while (fixture.take().op != Op::none) {
    }
  }
  fixture.now += us(1e7);
  while (fixture.take().op != Op::none) {
  }
  ASSERT_EQ(watcher.all.size(), reported);
  bool waits = false;
  for (const Passage& p : watcher.all) {
    for (const Ticks part : {p.gathered, p.channel, p.transfer, p.cells, p.retries, p.decoding, die_wait(p)})
      ASSERT_GE(part, Ticks::zero()) << "tag " << p.tag;
    waits = waits || p.channel > Ticks::zero();
  }
  EXPECT_TRUE(waits);
}

}  // namespace
}  // namespace ftlab::hw::testing
