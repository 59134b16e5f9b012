// Program units of several pages: what waits until one is whole, what is sensed once, and what a loss of power leaves.
// Four pages of 512 bytes in each: tR 50 / 75 us, tPROG 400 / 2200 us, tBERS 3000 us; command 1, transfer of a page 5,
// descriptor 0.1 us.
#include <algorithm>
#include <optional>
#include <sstream>

#include "common/input_error.h"
#include "tests/device/array/array_fixture.h"

namespace ftlab::hw::testing {
namespace {

using array::Metadata;

constexpr std::uint32_t kAtOnce = 4;
constexpr double kTake = 0.1;

ArraySpec in_quarters(const ArrayOverrides& more = {{"content", "tag"}}) {
  std::string reason;
  const ArrayOverrides small{{"errors.codeword_bytes", "512"}};
  ArrayOverrides all = small;
  all.insert(all.end(), more.begin(), more.end());
  const std::optional<ArraySpec> spec = in_units(array_part(all), 512, reason);
  EXPECT_TRUE(spec) << reason;
  return *spec;
}

class ArrayProgramUnits : public ::testing::Test {
 protected:
  /// Of a program unit, from its first page on.
  void program(std::uint32_t first, std::uint32_t count, std::uint64_t metadata = 0) {
    for (std::uint32_t i = 0; i < count; ++i)
      fixture.submit(make(Op::program, first + i, array::kNoPage, metadata + i));
  }
  void read(std::span<const std::uint32_t> pages) {
    std::vector<Descriptor> burst;
    for (const std::uint32_t page : pages) burst.push_back(make(Op::read, page));
    fixture.submit(burst);
  }
  /// Reports of all that ends, in microseconds from `begin`.
  std::vector<double> ends(Ticks begin) {
    std::vector<double> found;
    for (Completion c = fixture.wait(); c.op != Op::none; c = fixture.wait()) {
      EXPECT_EQ(c.status, Status::ok) << c.page;
      found.push_back(static_cast<double>((fixture.now - begin).count()) / 10'000);
    }
    return found;
  }

  ArrayFixture fixture{in_quarters()};
};

TEST_F(ArrayProgramUnits, are_what_the_registers_show) {
  EXPECT_EQ(fixture.read16(array::reg::kPagesAtOnce), kAtOnce);
  EXPECT_EQ(fixture.read32(array::reg::kPageBytes), 512U);
  EXPECT_EQ(fixture.read32(array::reg::kPagesPerSegment), 24U);
}

TEST_F(ArrayProgramUnits, are_programmed_when_their_last_page_has_come) {
  program(0, 3);
  EXPECT_EQ(fixture.core.next_status_change(fixture.now), kNever) << "nothing is under way";
  EXPECT_EQ(fixture.total(DeviceOpKind::buffer_program).operations, 0U);
  fixture.now = us(1000);
  program(3, 1);
  const double end = kTake + 1 + 4 * 5 + 400;
  EXPECT_EQ(ends(us(1000)), (std::vector<double>{end, end, end, end}));
  EXPECT_EQ(fixture.total(DeviceOpKind::buffer_program).operations, 1U);
  EXPECT_EQ(fixture.total(DeviceOpKind::buffer_program).bytes, 2048U);
  EXPECT_EQ(fixture.total(DeviceOpKind::buffer_program).busy, us(1 + 20 + 400));
}

TEST_F(ArrayProgramUnits, take_the_time_of_their_page_type) {
  program(0, 4);
  (void)ends(us(0));
  const Ticks begin = fixture.now;
  program(4, 4);
  EXPECT_EQ(ends(begin).back(), 4 * kTake + 1 + 20 + 2200);
}

TEST_F(ArrayProgramUnits, can_be_read_before_they_are_programmed) {
  program(0, 2, 7);
  fixture.submit(make(Op::read, 1));
  const Completion found = fixture.wait();
  EXPECT_EQ(found.status, Status::ok);
  EXPECT_EQ(found.metadata[0], 8U);
  EXPECT_EQ(fixture.now, us(3 * kTake)) << "it is in the controller";
  EXPECT_EQ(fixture.total(DeviceOpKind::load).operations, 0U);
}

TEST_F(ArrayProgramUnits, are_sensed_once_by_reads_that_follow_each_other) {
  program(0, 8);
  (void)ends(us(0));
  const Ticks begin = fixture.now;
  const std::uint32_t pages[] = {0, 1, 3, 4, 2};
  read(pages);
  const double first = 3 * kTake + 1 + 50 + 3 * 5;
  const double second = first + 1 + 75 + 5;
  const double third = second + 1 + 50 + 5;
  EXPECT_EQ(ends(begin), (std::vector<double>{first, first, first, second, third}));
  EXPECT_EQ(fixture.total(DeviceOpKind::load).operations, 3U);
  EXPECT_EQ(fixture.total(DeviceOpKind::load).bytes, 5U * 512);
}

TEST_F(ArrayProgramUnits, gather_copies_from_several) {
  program(0, 8, 20);
  (void)ends(us(0));
  const Ticks begin = fixture.now;
  std::vector<Descriptor> burst;
  for (const std::uint32_t from : {1U, 2U, 5U, 7U})
    burst.push_back(make(Op::copy, from, 24 + static_cast<std::uint32_t>(burst.size())));
  fixture.submit(burst);
  // Two read, the next two read, then their program.
  const double sensed = 2 * kTake + 1 + 50 + 10 + 1 + 75 + 10;
  const double end = sensed + 1 + 20 + 400;
  EXPECT_EQ(ends(begin), (std::vector<double>{end, end, end, end}));
  EXPECT_EQ(fixture.total(DeviceOpKind::load).operations, 2U);
  const std::uint64_t expected[] = {21, 22, 25, 27};
  for (std::uint32_t i = 0; i < 4; ++i) EXPECT_EQ(fixture.core.metadata(24 + i)[0], expected[i]) << i;
}

TEST_F(ArrayProgramUnits, of_another_die_are_read_there) {
  program(0, 4, 20);
  (void)ends(us(0));
  const Ticks begin = fixture.now;
  std::vector<Descriptor> burst;
  const std::uint32_t other = 16 * 24;
  for (std::uint32_t i = 0; i < 4; ++i) burst.push_back(make(Op::copy, i, other + i));
  fixture.submit(burst);
  EXPECT_EQ(ends(begin).back(), 4 * kTake + 1 + 50 + 20 + 1 + 20 + 400);
  EXPECT_EQ(fixture.core.metadata(other + 3)[0], 23U);
}

TEST_F(ArrayProgramUnits, keep_their_segment_from_being_erased_or_marked) {
  program(0, 2);
  fixture.run(make(Op::erase, 0), Status::illegal);
  fixture.run(make(Op::mark_bad, 0), Status::illegal);
  program(2, 2);
  (void)ends(us(0));
  fixture.run(make(Op::erase, 0));
}

TEST_F(ArrayProgramUnits, fail_with_all_their_pages) {
  ArrayFixture worn(in_quarters({{"content", "tag"},
                                 {"endurance.rated_cycles", "1"},
                                 {"endurance.median_ratio", "1"},
                                 {"endurance.spread", "0"}}));
  std::uint32_t failed = 0;
  for (std::uint32_t segment = 0; segment < 64 && failed == 0; ++segment) {
    for (int cycle = 0; cycle < 4; ++cycle) {
      worn.submit(make(Op::erase, segment * 24));
      (void)worn.wait();
    }
    for (std::uint32_t i = 0; i < kAtOnce; ++i) worn.submit(make(Op::program, segment * 24 + i));
    for (Completion c = worn.wait(); c.op != Op::none; c = worn.wait())
      failed += c.status == Status::program_failed ? 1 : 0;
    for (std::uint32_t i = 0; failed > 0 && i < kAtOnce; ++i) EXPECT_FALSE(worn.core.is_readable(segment * 24 + i));
  }
  EXPECT_EQ(failed, kAtOnce);
}

TEST_F(ArrayProgramUnits, that_are_not_whole_are_lost_with_the_power) {
  program(0, 4, 30);
  (void)ends(us(0));
  program(4, 3, 40);
  fixture.power_cycle();
  EXPECT_EQ(fixture.core.next_page(0), 4U);
  fixture.run(make(Op::read, 3));
  program(4, 4, 50);
  (void)ends(us(0));
  EXPECT_EQ(fixture.core.metadata(4)[0], 50U);
}

TEST_F(ArrayProgramUnits, that_are_not_whole_are_in_no_image) {
  program(0, 4, 30);
  (void)ends(us(0));
  program(4, 3, 40);
  std::stringstream image;
  fixture.core.save_image(image);
  ArrayFixture other(in_quarters());
  other.submit(make(Op::program, 0));
  other.core.load_image(image, "x.img");
  EXPECT_EQ(other.core.next_page(0), kAtOnce);
  for (std::uint32_t page = 4; page < 8; ++page) other.submit(make(Op::program, page));
  EXPECT_EQ(other.wait().status, Status::ok);
  ArrayFixture whole(in_quarters());
  std::stringstream of_another;
  ArrayFixture(array_part({{"content", "tag"}})).core.save_image(of_another);
  EXPECT_THROW(whole.core.load_image(of_another, "x.img"), InputError);
}

TEST_F(ArrayProgramUnits, that_are_under_way_are_torn_as_a_whole_and_what_has_not_begun_never_was) {
  program(0, 8, 30);
  fixture.power_cycle(us(100));
  EXPECT_EQ(fixture.core.next_page(0), kAtOnce);
  for (std::uint32_t i = 0; i < kAtOnce; ++i) EXPECT_FALSE(fixture.core.is_readable(i)) << i;
}

TEST_F(ArrayProgramUnits, that_are_queued_are_not_overtaken_by_reads_of_any_of_their_pages) {
  fixture.write16(array::reg::kOvertaking, 16);
  fixture.submit(make(Op::erase, 2 * 24));
  program(0, 4);
  fixture.submit(make(Op::read, 1));
  const double erased = kTake + 1 + 3000;
  const double programmed = erased + 1 + 20 + 400;
  EXPECT_EQ(ends(us(0)),
            (std::vector<double>{erased, programmed, programmed, programmed, programmed, programmed + 1 + 50 + 5}));
}

TEST_F(ArrayProgramUnits, that_are_programmed_are_not_suspended_for_their_own_pages) {
  fixture.write16(array::reg::kControl, array::control::kSuspendPrograms);
  program(0, 4);
  fixture.now = us(100);
  fixture.submit(make(Op::read, 1));
  EXPECT_EQ(ends(us(0)).back(), 4 * kTake + 1 + 20 + 400 + 1 + 50 + 5);
}

TEST_F(ArrayProgramUnits, end_with_all_their_pages_when_they_were_suspended) {
  program(4 * 24, 4);
  fixture.drain();
  fixture.now = us(10'000);
  fixture.write16(array::reg::kControl, array::control::kSuspendPrograms);
  program(0, 4);
  fixture.now = us(10'100);
  fixture.submit(make(Op::read, 4 * 24));
  const double data = 100 + kTake + 5 + 1 + 50 + 5;
  const double programmed = 4 * kTake + 1 + 20 + 400 + (data + 3 - 100 - kTake);
  EXPECT_EQ(ends(us(10'000)), (std::vector<double>{data, programmed, programmed, programmed, programmed}));
}

class ArrayGathering : public ArrayProgramUnits {
 protected:
  ArrayGathering() {
    program(2 * 24, 4);
    program(4 * 24, 4);
    fixture.drain();
    fixture.now = us(10'000);
  }
  void copy(std::uint32_t to) {
    std::vector<Descriptor> burst;
    for (std::uint32_t i = 0; i < 4; ++i) burst.push_back(make(Op::copy, 2 * 24 + i, to + i));
    for (Descriptor& d : burst) d.report = 0;
    fixture.submit(burst);
  }
  static constexpr double kGather = 1 + 50 + 20;
};

TEST_F(ArrayGathering, is_not_interrupted) {
  fixture.write16(array::reg::kControl, array::control::kSuspendPrograms);
  copy(0);
  fixture.now = us(10'020);
  fixture.submit(make(Op::read, 4 * 24));
  // The program that follows waits for its channel.
  EXPECT_GT(ends(us(10'000)).back(), 4 * kTake + kGather + 1 + 50 + 5);
}

TEST_F(ArrayGathering, is_moved_once_with_the_program_it_feeds) {
  fixture.write16(array::reg::kControl, array::control::kSuspendErases);
  fixture.submit(make(Op::erase, 6 * 24));
  std::vector<Descriptor> burst;
  for (std::uint32_t i = 0; i < 4; ++i) burst.push_back(make(Op::copy, 2 * 24 + i, i));
  fixture.submit(burst);
  fixture.now = us(11'000);
  fixture.submit(make(Op::read, 4 * 24));
  const double data = 1000 + kTake + 5 + 1 + 50 + 5;
  const double erased = kTake + 3001 + (data + 3 - 1000 - kTake);
  const double programmed = erased + kGather + 1 + 20 + 400;
  EXPECT_EQ(ends(us(10'000)), (std::vector<double>{data, erased, programmed, programmed, programmed, programmed}));
}

TEST_F(ArrayGathering, is_overtaken_where_the_copies_stay_on_their_die) {
  fixture.write16(array::reg::kOvertaking, 16);
  fixture.submit(make(Op::erase, 6 * 24));
  copy(0);
  fixture.submit(make(Op::read, 4 * 24));
  // Sensed first; what the gathering has reserved of the channel stays where it was.
  EXPECT_LT(ends(us(10'000)).back(), kTake + 3001 + kGather + 1 + 50);
}

TEST(ArrayGatheringSeen, is_where_it_was_when_its_program_alone_is_overtaken) {
  ArrayRecorder recorder;
  ArrayFixture fixture(in_quarters(), {.observer = &recorder});
  const auto make = [](Op op, std::uint32_t page, std::uint32_t target = array::kNoPage) {
    return ArrayFixture::descriptor(op, page, target);
  };
  fixture.write16(array::reg::kOvertaking, 16);
  for (std::uint32_t i = 0; i < 8; ++i) fixture.submit(make(Op::program, (i < 4 ? 48 : 96 - 4) + i));
  fixture.drain();
  fixture.now = us(10'000);
  fixture.submit(make(Op::read, 96));
  fixture.drain();
  recorder.ended.clear();
  fixture.now = us(20'000);
  for (std::uint32_t i = 0; i < 4; ++i) fixture.submit(make(Op::copy, 48 + i, i));
  // While the last page is sensed.
  fixture.now = us(20'000 + 3.5 * (1 + 50 + 5));
  fixture.submit(make(Op::read, 96));
  fixture.drain();
  ASSERT_EQ(recorder.ended.size(), 6U);
  for (std::size_t i = 1; i < 6; ++i) EXPECT_GE(recorder.ended[i].start, recorder.ended[i - 1].end) << i;
  EXPECT_EQ(recorder.ended[3].start, recorder.ended[2].end) << "of the gathering";
  EXPECT_EQ(recorder.ended[4].address, 96U * 512) << "before the program";
}

TEST_F(ArrayGathering, is_not_overtaken_where_it_feeds_another_die) {
  fixture.write16(array::reg::kOvertaking, 16);
  fixture.submit(make(Op::erase, 6 * 24));
  copy(16 * 24);
  fixture.submit(make(Op::read, 4 * 24));
  EXPECT_EQ(ends(us(10'000)), (std::vector<double>{kTake + 3001, kTake + 3001 + kGather + 1 + 50 + 5}));
}

TEST(ArrayProgramUnitsAging, pages_that_wait_have_not_aged) {
  ArrayFixture fixture(
      in_quarters({{"errors.factor_lsb", "1"}, {"errors.wear", "1e-4"}, {"errors.retention_time", "1"}}));
  fixture.core.set_erase_count(0, 900);
  fixture.now = us(1e9);
  for (std::uint32_t page = 0; page < 2; ++page) fixture.submit(make(Op::program, page));
  for (int i = 0; i < 20; ++i) {
    fixture.submit(make(Op::read, 1));
    EXPECT_EQ(fixture.wait().status, Status::ok);
  }
}

TEST(ArrayProgramUnitsAging, pages_age_from_the_program_of_their_unit) {
  ArrayFixture fixture(
      in_quarters({{"errors.factor_lsb", "1"}, {"errors.wear", "1e-4"}, {"errors.retention_time", "1"}}));
  fixture.core.set_erase_count(0, 900);
  fixture.now = us(1e9);
  for (std::uint32_t page = 0; page < kAtOnce; ++page) fixture.submit(make(Op::program, page));
  fixture.drain();
  double bits = 0;
  for (int i = 0; i < 300; ++i) {
    fixture.submit(make(Op::read, 1));
    bits += fixture.wait().corrected_bits;
  }
  EXPECT_NEAR(bits / 300, 512 * 8 * 1e-4 * 0.845, 0.2);
}

}  // namespace
}  // namespace ftlab::hw::testing
