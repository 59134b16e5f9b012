// The emulated part keeps its own rules: otherwise the tests on it mean nothing.
#include "tests/fixtures/emulated_nand.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "tests/unit/firmware/volume/nand/store_fixture.h"

namespace ftlab::tests {
namespace {

FlashStatus program(EmulatedNand& flash, std::uint32_t segment, std::uint32_t page, int value = 1) {
  const std::vector<std::byte> data(512, static_cast<std::byte>(value));
  const std::vector<std::byte> spare(32, static_cast<std::byte>(value));
  FlashIo io(flash);
  return io.program_page(segment, page * 512, data.data(), 512, spare.data());
}

FlashDone read(EmulatedNand& flash, std::uint32_t segment, std::uint32_t page) {
  std::byte data[512];
  FlashIo io(flash);
  FlashDone done;
  done.status = io.read_page(segment, page * 512, data, 512, nullptr);
  done.corrected_bits = io.corrected_bits();
  return done;
}

TEST(EmulatedNand, stops_at_broken_promises) {
  EmulatedNand flash({});
  ASSERT_EQ(program(flash, 5, 3), FlashStatus::ok);
  EXPECT_DEATH((void)program(flash, 5, 3), "second program of a page");
  EXPECT_DEATH((void)program(flash, 5, 2), "ascending order");
  EXPECT_DEATH((void)program(flash, 0, 8), "page outside the segment");
  flash.mark_initial_bad(6);
  EXPECT_DEATH((void)program(flash, 6, 0), "bad-block marker");
  flash.lose_power_at(1, TornWrite::half);
  EXPECT_EQ(FlashIo(flash).erase(5), FlashStatus::timeout);
  flash.power_cycle();
  EXPECT_DEATH((void)program(flash, 5, 0), "whose erase was interrupted");
  flash.lose_power_at(1, TornWrite::none);
  EXPECT_EQ(program(flash, 7, 0), FlashStatus::timeout);
  flash.power_cycle();
  EXPECT_EQ(read(flash, 7, 0).status, FlashStatus::ok) << "looks blank";
  EXPECT_DEATH((void)program(flash, 7, 0), "program of a page whose program was interrupted");
}

TEST(EmulatedNand, keeps_failing_where_it_failed_and_refuses_the_mark) {
  for (const bool marks : {false, true}) {
    EmulatedNandOptions part;
    part.marks_on_failed = marks;
    EmulatedNand flash(part);
    FlashIo io(flash);
    flash.fail_at(1, 5);
    EXPECT_EQ(program(flash, 5, 0), FlashStatus::program_failed);
    EXPECT_EQ(program(flash, 5, 1), FlashStatus::program_failed);
    EXPECT_EQ(io.erase(5), FlashStatus::erase_failed);
    EXPECT_EQ(io.mark(FlashOpKind::mark_bad, 5), marks ? FlashStatus::ok : FlashStatus::program_failed);
    EXPECT_EQ(io.mark(FlashOpKind::check_bad, 5), marks ? FlashStatus::bad_segment : FlashStatus::ok);
    EXPECT_EQ(io.mark(FlashOpKind::mark_bad, 6), FlashStatus::ok);
  }
}

TEST(EmulatedNand, loses_a_page_torn_or_failed_and_spoils_its_pair) {
  for (const bool loss : {true, false}) {
    EmulatedNand flash({});
    for (std::uint32_t page = 0; page < 9; ++page) ASSERT_EQ(program(flash, 5, page), FlashStatus::ok);
    if (loss)
      flash.lose_power_at(1, TornWrite::tail);
    else
      flash.fail_at(1, 5);
    EXPECT_EQ(program(flash, 5, 9), loss ? FlashStatus::timeout : FlashStatus::program_failed);
    flash.power_cycle();
    EXPECT_EQ(read(flash, 5, 9).status, FlashStatus::uncorrectable);
    EXPECT_EQ(read(flash, 5, 3).corrected_bits, kRecovered);  // 3 is the LSB page of 9
    EXPECT_EQ(read(flash, 5, 2).corrected_bits, 0);
  }
}

TEST(EmulatedNand, saved_is_the_same_when_loaded) {
  const std::string path = testing::TempDir() + "emulated_nand_test.bin";
  EmulatedNand flash({});
  ASSERT_EQ(program(flash, 5, 0, 42), FlashStatus::ok);
  flash.mark_initial_bad(6);
  flash.wear_page(5, 0, 2);
  flash.save(path);
  EmulatedNand other({});
  other.load(path);
  std::remove(path.c_str());
  EXPECT_TRUE(other.is_bad(6));
  EXPECT_EQ(read(other, 5, 0).corrected_bits, 2);
  EXPECT_EQ(other.page_state(5, 0), EmulatedNand::PageState::whole);
}

EmulatedNandOptions two_units() {
  EmulatedNandOptions part;
  part.parallel_units = 2;
  part.no_wait = true;
  return part;
}

/// A read that is not waited for of each of the two units; its tag is the unit.
void start_reads(EmulatedNand& flash, std::byte* into) {
  for (std::uint32_t unit = 0; unit < 2; ++unit) {
    FlashOp op;
    op.segment = SegmentId{unit * flash.geometry().segments / 2};
    op.length = 512;
    op.into = into;
    op.tag = unit;
    op.no_wait = true;
    ASSERT_EQ(flash.submit({&op, 1}), 1U);
  }
}

TEST(EmulatedNand, operation_not_waited_for_takes_its_time) {
  EmulatedNand flash(two_units());
  std::byte data[512];
  std::uint32_t too_early = 0;
  std::uint32_t ended = 0;
  for (int n = 0; n < 50; ++n) {
    start_reads(flash, data);
    FlashDone done;
    if (flash.reap({&done, 1}, false) == 0)
      ++too_early;
    else
      ++ended;
    while (flash.reap({&done, 1}, true) == 1) continue;
  }
  EXPECT_GT(too_early, 10U);
  EXPECT_GT(ended, 10U);
}

TEST(EmulatedNand, order_of_ends_after_a_power_loss_follows_from_its_seed_alone) {
  EmulatedNand interrupted(two_units());
  EmulatedNand fresh(two_units());
  EmulatedNand used(two_units());
  std::byte data[512];
  const auto ends = [&](EmulatedNand& flash) {
    std::vector<std::uint32_t> tags;
    for (int n = 0; n < 50; ++n) {
      start_reads(flash, data);
      FlashDone done;
      while (flash.reap({&done, 1}, true) == 1) tags.push_back(done.tag);
    }
    return tags;
  };
  (void)ends(used);
  FlashOp erase;
  erase.kind = FlashOpKind::erase;
  erase.segment = SegmentId{5};
  fresh.lose_power_of(interrupted, erase, TornWrite::half, 7);
  used.lose_power_of(interrupted, erase, TornWrite::half, 7);
  EXPECT_EQ(ends(fresh), ends(used));
}

}  // namespace
}  // namespace ftlab::tests
