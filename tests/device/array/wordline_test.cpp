// Pages that share their cells: what is programmed takes those of its wordline along when it is interrupted, unless the
// controller has kept them. tPROG 400 / 2200 us (even / odd pages), command 1 us, transfer 20 us, descriptor 0.1 us.
#include <sstream>

#include "tests/device/array/array_fixture.h"

namespace ftlab::hw::testing {
namespace {

using array::Metadata;

ArrayOverrides with(ArrayOverrides all, const ArrayOverrides& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

const ArrayOverrides kTags{{"content", "tag"}};

ArrayOverrides that(const char* controller) { return with(kTags, {{"controller.open_wordlines", controller}}); }

/// Power is lost in the program of the page after `programmed` ones that have ended.
void interrupt(ArrayFixture& fixture, std::uint32_t programmed) {
  for (std::uint32_t page = 0; page < programmed; ++page) fixture.run(make(Op::program, page, array::kNoPage, page));
  fixture.submit(make(Op::program, programmed, array::kNoPage, programmed));
  fixture.power_cycle(us(300));
}

Completion read(ArrayFixture& fixture, std::uint32_t page) {
  fixture.submit(make(Op::read, page));
  return fixture.wait();
}

void expect_all_well(ArrayFixture& fixture, std::uint32_t pages) {
  for (std::uint32_t page = 0; page < pages; ++page) {
    const Completion found = read(fixture, page);
    EXPECT_EQ(found.status, Status::ok) << page;
    EXPECT_EQ(found.metadata[0], page);
  }
}

void expect_an_erase_to_forget(ArrayFixture& fixture) {
  fixture.run(make(Op::erase, 0));
  fixture.run(make(Op::program, 0, array::kNoPage, 0));
  expect_all_well(fixture, 1);
}

TEST(ArrayWordline, an_interrupted_second_page_takes_the_first_one_along) {
  ArrayFixture fixture(array_part(that("lost")));
  interrupt(fixture, 3);
  expect_all_well(fixture, 2);
  for (const std::uint32_t page : {2U, 3U}) {
    const Completion found = read(fixture, page);
    EXPECT_EQ(found.status, Status::uncorrectable) << page;
    EXPECT_EQ(found.metadata[0], ~0ULL) << page;
    EXPECT_FALSE(fixture.core.is_readable(page));
  }
  expect_an_erase_to_forget(fixture);
}

TEST(ArrayWordline, an_interrupted_first_page_takes_none_along) {
  ArrayFixture fixture(array_part(that("lost")));
  interrupt(fixture, 2);
  expect_all_well(fixture, 2);
  EXPECT_EQ(read(fixture, 2).status, Status::uncorrectable);
}

TEST(ArrayWordline, a_program_that_had_not_begun_takes_none_along) {
  ArrayFixture fixture(array_part(that("lost")));
  fixture.run(make(Op::program, 0, array::kNoPage, 0));
  fixture.submit(make(Op::program, 1));
  fixture.power_cycle(us(15));
  EXPECT_EQ(fixture.core.next_page(0), 1U);
  expect_all_well(fixture, 1);
}

TEST(ArrayWordline, what_the_controller_kept_is_read_and_should_move) {
  for (const char* controller : {"capacitors", "backup"}) {
    SCOPED_TRACE(controller);
    ArrayFixture fixture(array_part(that(controller)));
    interrupt(fixture, 3);
    expect_all_well(fixture, 2);
    EXPECT_EQ(read(fixture, 3).status, Status::uncorrectable);
    const Completion found = read(fixture, 2);
    EXPECT_EQ(found.status, Status::corrected);
    EXPECT_EQ(found.must_move, 1);
    EXPECT_EQ(found.metadata[0], 2U);
    EXPECT_TRUE(fixture.core.is_readable(2));
    fixture.run(make(Op::copy, 2, 12), Status::corrected);
    EXPECT_EQ(read(fixture, 12).status, Status::ok) << "a copy is as good as new";
    expect_an_erase_to_forget(fixture);
  }
}

TEST(ArrayWordline, an_image_has_what_the_controller_kept) {
  ArrayFixture fixture(array_part(that("capacitors")));
  interrupt(fixture, 1);
  std::stringstream image;
  fixture.core.save_image(image);
  ArrayFixture other(array_part(that("capacitors")));
  other.core.load_image(image, "x.img");
  EXPECT_EQ(read(other, 0).status, Status::corrected);
  EXPECT_EQ(read(other, 1).status, Status::uncorrectable);
}

TEST(ArrayWordline, a_lost_page_is_not_kept) {
  ArrayFixture fixture(array_part(that("capacitors")));
  interrupt(fixture, 0);
  Descriptor copy = make(Op::copy, 0, 6, 77);
  copy.new_metadata = 1;
  fixture.run(copy, Status::uncorrectable);
  fixture.submit(make(Op::program, 7));
  fixture.power_cycle(us(300));
  const Completion found = read(fixture, 6);
  EXPECT_EQ(found.status, Status::uncorrectable);
  EXPECT_EQ(found.metadata[0], 77U) << "still says whose it was";
}

TEST(ArrayWordline, of_three_pages_the_last_one_takes_both) {
  const auto part = [](const char* pages) {
    return array_part(with(that("lost"), {{"wordline_pages", pages}, {"pages_per_segment", "6"}}), "array-tlc");
  };
  ArrayFixture fixture(part("3"));
  interrupt(fixture, 5);
  expect_all_well(fixture, 3);
  for (std::uint32_t page = 3; page < 6; ++page) EXPECT_EQ(read(fixture, page).status, Status::uncorrectable) << page;
  ArrayFixture at_once(part("1"));
  interrupt(at_once, 5);
  expect_all_well(at_once, 5);
}

TEST(ArrayWordline, of_program_units_all_pages_go) {
  std::string reason;
  const auto spec = in_units(array_part(with(that("lost"), {{"page_bytes", "4096"}})), 2048, reason);
  ASSERT_TRUE(spec) << reason;
  ArrayFixture fixture(*spec);
  for (std::uint32_t page = 0; page < 6; ++page) fixture.submit(make(Op::program, page, array::kNoPage, page));
  fixture.drain();
  fixture.submit(make(Op::program, 6));
  fixture.submit(make(Op::program, 7));
  fixture.power_cycle(us(300));
  expect_all_well(fixture, 4);
  for (std::uint32_t page = 4; page < 8; ++page) EXPECT_EQ(read(fixture, page).status, Status::uncorrectable) << page;
}

/// tR 50 us and tPROG 400 us of a first page, two commands, and a third of tBERS 3000 us: three wordlines in a segment.
TEST(ArrayWordline, a_backup_takes_its_time_and_energy_before_each_later_page) {
  const ArraySpec part = array_part(that("backup"));
  ArrayFixture plain(array_part(that("capacitors")));
  ArrayFixture fixture(part);
  const Ticks backup = us(1 + 50 + 1 + 400 + 1000);
  for (std::uint32_t page = 0; page < 6; ++page) {
    const Ticks without = plain.run(make(Op::program, page));
    EXPECT_EQ(fixture.run(make(Op::program, page)), without + (page % 2 == 1 ? backup : Ticks::zero())) << page;
  }
  const OperationTotal& total = fixture.total(DeviceOpKind::buffer_program);
  EXPECT_EQ(total.operations, 6U);
  EXPECT_EQ(total.busy - plain.total(DeviceOpKind::buffer_program).busy, 3 * backup);
  Picojoules energy{};
  for (int i = 0; i < 3; ++i) energy += energy_of(part.power.program_uw, part.timing.program[1] + backup);
  for (int i = 0; i < 3; ++i) energy -= energy_of(part.power.program_uw, part.timing.program[1]);
  EXPECT_EQ(total.energy - plain.total(DeviceOpKind::buffer_program).energy, energy);
}

}  // namespace
}  // namespace ftlab::hw::testing
