// What goes wrong in a Flex-OneNAND, and how the driver says so: orders broken, locks, bit errors, power losses, bad
// segments.
#include <gmock/gmock.h>

#include "tests/unit/firmware/driver/onenand/onenand_fixture.h"

namespace ftlab::test {
namespace {

namespace regs = hw::flexonenand;

using OneNandFaults = OneNandFixture;

TEST_F(OneNandFaults, program_out_of_order_or_twice_is_refused) {
  start();
  ASSERT_EQ(erase(3), PartStatus::ok);
  ASSERT_EQ(program(3, 10, page(1)), PartStatus::ok) << "gaps are allowed";
  EXPECT_EQ(program(3, 10, page(2)), PartStatus::program_failed);
  EXPECT_EQ(program(3, 9, page(2)), PartStatus::program_failed);
  Bytes data;
  EXPECT_EQ(read(3, 10, data).status, PartStatus::ok);
  EXPECT_EQ(data, page(1));
  EXPECT_EQ(program(3, 11, page(3)), PartStatus::ok);
}

TEST_F(OneNandFaults, operations_outside_the_part_are_refused) {
  start();
  Bytes data = page(1);
  EXPECT_EQ(erase(1024), PartStatus::erase_failed);
  EXPECT_EQ(program(1024, 0, data), PartStatus::program_failed);
  EXPECT_EQ(read(3, 128, data).status, PartStatus::uncorrectable);
  EXPECT_EQ(run({.kind = PartOpKind::program, .segment = SegmentId{3}, .offset = 0, .length = 512, .from = data.data()})
                .status,
            PartStatus::program_failed)
      << "a page is programmed whole";
  EXPECT_EQ(
      run({.kind = PartOpKind::read, .segment = SegmentId{3}, .offset = 100, .length = kPage, .into = data.data()})
          .status,
      PartStatus::uncorrectable)
      << "a read stays inside one page";
}

TEST_F(OneNandFaults, locked_segments_are_distinguished_from_failed_ones) {
  start();
  ASSERT_EQ(erase(3), PartStatus::ok);
  port_->write16(regs::reg::kStartBlock, 3);
  port_->write16(regs::reg::kCommand, regs::command::kLock);
  port_->delay_ns(1'000'000);
  EXPECT_EQ(program(3, 0, page(1)), PartStatus::write_protected);
  EXPECT_EQ(erase(3), PartStatus::write_protected);
  EXPECT_EQ(run({.kind = PartOpKind::mark_bad, .segment = SegmentId{3}}).status, PartStatus::write_protected);
  EXPECT_EQ(erase(4), PartStatus::ok);
}

TEST_F(OneNandFaults, corrected_bits_tell_the_worst_sector) {
  hw::OneNandSpec spec = perfect(load_onenand("flexonenand-4gb"));
  spec.errors.base = 1.2e-4;
  start(spec);
  ASSERT_EQ(erase(3), PartStatus::ok);
  Bytes data;
  std::uint32_t levels = 0;
  for (std::uint32_t p = 0; p < 128; ++p) {
    ASSERT_EQ(program(3, p, page(p)), PartStatus::ok);
    const auto errors = core_->page_errors(3, p, port_->now);
    const std::uint8_t worst = *std::ranges::max_element(errors);
    const PartDone done = read(3, p, data);
    // The model may draw anew for each load: only what the load itself said counts.
    if (done.status == PartStatus::uncorrectable) continue;
    EXPECT_EQ(done.status, done.corrected_bits == 0 ? PartStatus::ok : PartStatus::corrected);
    EXPECT_LE(done.corrected_bits, 4);
    if (worst <= 4) {
      EXPECT_EQ(data, page(p)) << p;
    }
    levels |= 1U << done.corrected_bits;
  }
  EXPECT_EQ(levels & 0b110U, 0b110U) << "one and two corrected bits were met";
}

TEST_F(OneNandFaults, too_many_errors_are_uncorrectable_and_cost_the_recovery_read) {
  hw::OneNandSpec spec = perfect(load_onenand("flexonenand-4gb"));
  spec.errors.base = 0.02;
  start(spec);
  ASSERT_EQ(erase(3), PartStatus::ok);
  ASSERT_EQ(program(3, 0, page(1)), PartStatus::ok);
  Bytes data;
  EXPECT_EQ(read(3, 0, data).status, PartStatus::uncorrectable);
  EXPECT_NE(data, page(1)) << "what is there is handed over, errors and all";
}

TEST_F(OneNandFaults, lsb_page_spoiled_by_a_torn_program_is_recovered) {
  start();
  ASSERT_EQ(erase(3), PartStatus::ok);
  for (std::uint32_t p = 0; p < 4; ++p) ASSERT_EQ(program(3, p, page(p), spare(p)), PartStatus::ok);
  // Page 4 is the MSB partner of page 0; the supply goes while it is programmed.
  const Bytes doomed = page(4);
  port_->copy_to(regs::area::kDataRam, doomed);
  port_->write16(regs::reg::kStartAddress1, 3);
  port_->write16(regs::reg::kStartAddress8, 4 << 2);
  port_->write16(regs::reg::kCommand, regs::command::kProgram);
  port_->delay_ns(700'000);
  power_cycle();
  Bytes data;
  Bytes user;
  const PartDone done = read(3, 0, data, &user);
  EXPECT_EQ(done.status, PartStatus::corrected);
  EXPECT_EQ(done.corrected_bits, kRecovered);
  EXPECT_EQ(data, page(0));
  EXPECT_EQ(user, spare(0));
  EXPECT_EQ(read(3, 1, data).status, PartStatus::ok) << "only the partner was touched";
  EXPECT_EQ(read(3, 4, data).status, PartStatus::uncorrectable) << "an MSB page has no second way to be read";
}

TEST_F(OneNandFaults, segment_of_a_torn_erase_is_lost_but_not_bad) {
  start();
  ASSERT_EQ(erase(3), PartStatus::ok);
  ASSERT_EQ(program(3, 0, page(1)), PartStatus::ok);
  port_->write16(regs::reg::kStartAddress1, 3);
  port_->write16(regs::reg::kCommand, regs::command::kErase);
  port_->delay_ns(300'000);
  power_cycle();
  Bytes data;
  EXPECT_EQ(read(3, 0, data).status, PartStatus::uncorrectable);
  EXPECT_EQ(run({.kind = PartOpKind::check_bad, .segment = SegmentId{3}}).status, PartStatus::ok);
  EXPECT_EQ(erase(3), PartStatus::ok);
  EXPECT_EQ(program(3, 0, page(2)), PartStatus::ok);
}

TEST_F(OneNandFaults, factory_markers_of_both_dies_are_found) {
  hw::OneNandSpec spec = load_onenand("flexonenand-8gb-ddp");
  spec.bad_segments.initial_share = 0.02;
  start(spec);
  std::uint32_t bad[2] = {};
  for (std::uint32_t s = 0; s < 2048; ++s) {
    const PartStatus status = run({.kind = PartOpKind::check_bad, .segment = SegmentId{s}}).status;
    EXPECT_EQ(status, core_->is_factory_bad(s) ? PartStatus::bad_segment : PartStatus::ok) << s;
    bad[s / 1024] += status == PartStatus::bad_segment ? 1 : 0;
  }
  EXPECT_GT(bad[0], 0U);
  EXPECT_GT(bad[1], 0U);
}

TEST_F(OneNandFaults, any_word_but_ffffh_is_a_marker_and_one_wrong_bit_is_none) {
  start();
  const auto put = [&](std::uint32_t segment, std::uint16_t word, bool second_page) {
    ASSERT_EQ(erase(segment), PartStatus::ok);
    for (std::uint16_t p = 0; p < 2; ++p) {
      Bytes raw(128, std::byte{0xFF});
      if (p == 0 || second_page) {
        raw[0] = std::byte(word & 0xFFU);
        raw[1] = std::byte(word >> 8);
      }
      port_->copy_to(regs::area::kDataRam, page(p));
      port_->copy_to(regs::area::kDataSpare, raw);
      port_->write16(regs::reg::kStartAddress1, static_cast<std::uint16_t>(segment));
      port_->write16(regs::reg::kStartAddress8, static_cast<std::uint16_t>(p << 2));
      port_->write16(regs::reg::kCommand, regs::command::kProgram);
      port_->delay_ns(3'000'000);
    }
  };
  const auto check = [&](std::uint32_t segment) {
    return run({.kind = PartOpKind::check_bad, .segment = SegmentId{segment}}).status;
  };
  std::uint32_t segment = 3;
  for (const std::uint16_t word : {0x0000, 0xFF00, 0x00FF, 0xF0F0, 0x2222, 0x4444, 0x8888, 0x7FFE}) {
    put(++segment, word, true);
    EXPECT_EQ(check(segment), PartStatus::bad_segment) << std::hex << word;
    EXPECT_EQ(run({.kind = PartOpKind::mark_bad, .segment = SegmentId{segment}}).status, PartStatus::ok);
    Bytes data;
    EXPECT_EQ(read(segment, 0, data).status, PartStatus::ok);
    EXPECT_EQ(data, page(0)) << "a marker that is there is left alone";
    put(++segment, word, false);
    const PartStatus alone = word == 0x7FFE ? PartStatus::ok : PartStatus::bad_segment;
    EXPECT_EQ(check(segment), alone) << std::hex << word << " in page 0 alone: two bits may be errors";
  }
  for (const std::uint16_t word : {0xFFFF, 0xFFFE, 0x7FFF, 0xFEFF}) {
    put(++segment, word, true);
    EXPECT_EQ(check(segment), PartStatus::ok) << std::hex << word;
  }
}

TEST_F(OneNandFaults, noise_of_torn_erases_is_no_marker) {
  start();
  for (std::uint16_t segment = 3; segment < 600; ++segment) {
    port_->write16(regs::reg::kStartAddress1, segment);
    port_->write16(regs::reg::kCommand, regs::command::kErase);
    port_->delay_ns(300'000);
    power_cycle();
    EXPECT_EQ(run({.kind = PartOpKind::check_bad, .segment = SegmentId{segment}}).status, PartStatus::ok) << segment;
  }
}

TEST_F(OneNandFaults, noise_of_a_program_lost_in_page_0_is_no_marker) {
  start();
  for (std::uint16_t segment = 3; segment < 300; ++segment) {
    port_->copy_to(regs::area::kDataSpare, Bytes(128, std::byte{0xFF}));
    port_->write16(regs::reg::kStartAddress1, segment);
    port_->write16(regs::reg::kStartAddress8, 0);
    port_->write16(regs::reg::kCommand, regs::command::kProgram);
    port_->delay_ns(100'000);
    power_cycle();
    EXPECT_EQ(run({.kind = PartOpKind::check_bad, .segment = SegmentId{segment}}).status, PartStatus::ok) << segment;
  }
}

TEST_F(OneNandFaults, bad_block_marker_survives_power_loss) {
  start();
  ASSERT_EQ(erase(3), PartStatus::ok);
  ASSERT_EQ(program(3, 0, page(1), Bytes(32)), PartStatus::ok);
  ASSERT_EQ(program(3, 1, page(2), Bytes(32)), PartStatus::ok);
  EXPECT_EQ(run({.kind = PartOpKind::check_bad, .segment = SegmentId{3}}).status, PartStatus::ok)
      << "user bytes are no marker";
  EXPECT_EQ(run({.kind = PartOpKind::mark_bad, .segment = SegmentId{3}}).status, PartStatus::ok);
  power_cycle();
  EXPECT_EQ(run({.kind = PartOpKind::check_bad, .segment = SegmentId{3}}).status, PartStatus::bad_segment);
  EXPECT_EQ(run({.kind = PartOpKind::check_bad, .segment = SegmentId{4}}).status, PartStatus::ok);
}

TEST_F(OneNandFaults, worn_segments_fail_as_results) {
  hw::OneNandSpec spec = perfect(load_onenand("flexonenand-4gb"));
  spec.endurance.rated_mlc = 5;
  spec.endurance.median_ratio = 1.1;
  spec.endurance.spread = 0.01;
  start(spec);
  bool erase_failed = false;
  bool program_failed = false;
  for (std::uint32_t s = 1; s < 40; ++s) {
    PartStatus status = PartStatus::ok;
    for (int cycle = 0; cycle < 20 && status == PartStatus::ok; ++cycle) {
      status = erase(s);
      if (status == PartStatus::ok) status = program(s, 0, page(1));
    }
    erase_failed = erase_failed || status == PartStatus::erase_failed;
    program_failed = program_failed || status == PartStatus::program_failed;
    EXPECT_NE(status, PartStatus::ok) << s;
    const PartStatus marked = run({.kind = PartOpKind::mark_bad, .segment = SegmentId{s}}).status;
    EXPECT_TRUE(marked == PartStatus::ok || marked == PartStatus::program_failed);
    const PartStatus seen = run({.kind = PartOpKind::check_bad, .segment = SegmentId{s}}).status;
    EXPECT_EQ(seen == PartStatus::bad_segment, marked == PartStatus::ok) << "the result reports what can be seen";
  }
  EXPECT_TRUE(erase_failed);
  EXPECT_TRUE(program_failed);
}

TEST_F(OneNandFaults, part_that_never_gets_ready_is_a_timeout) {
  hw::OneNandSpec spec = perfect(load_onenand("flexonenand-4gb"));
  spec.timing.erase_mlc = Nanoseconds{5'000'000};
  config_.deadline_ns = 2'000'000;
  start(spec);
  EXPECT_EQ(erase(3), PartStatus::timeout) << "an erase takes longer than this driver waits";
  EXPECT_EQ(program(4, 0, page(1)), PartStatus::ok) << "the part was brought back";
  config_.deadline_ns = 60'000'000;
  ASSERT_EQ(attach(), OneNandAttachStatus::ok);
  EXPECT_EQ(erase(3), PartStatus::ok);
}

}  // namespace
}  // namespace ftlab::test
