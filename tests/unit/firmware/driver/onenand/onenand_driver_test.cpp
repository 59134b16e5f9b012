// The driver on the part's own core: what attach finds, every operation, both dies.
#include <gmock/gmock.h>

#include "tests/unit/firmware/driver/onenand/onenand_fixture.h"

namespace ftlab::test {
namespace {

namespace regs = hw::flexonenand;

using OneNandAttach = OneNandFixture;
using OneNandDriverTest = OneNandFixture;
using OneNandDies = OneNandFixture;

TEST_F(OneNandAttach, geometry_comes_from_the_part) {
  const struct {
    const char* part;
    std::uint32_t segments;
    std::uint32_t dies;
  } kParts[] = {{"flexonenand-4gb", 1024, 1},
                {"flexonenand-8gb", 2048, 1},
                {"flexonenand-8gb-ddp", 2048, 2},
                {"flexonenand-16gb-ddp", 4096, 2}};
  for (const auto& part : kParts) {
    start(perfect(load_onenand(part.part, "")));
    const PartGeometry& geometry = driver_->geometry();
    EXPECT_EQ(geometry.segments, part.segments) << part.part;
    EXPECT_EQ(geometry.parallel_units, part.dies) << part.part;
    EXPECT_EQ(geometry.segment_bytes, 512U * 1024);
    EXPECT_EQ(geometry.program_unit_bytes, kPage);
    EXPECT_EQ(geometry.spare_bytes, 32U);
    EXPECT_EQ(geometry.slc_segments_per_unit, 1U) << "set so at the factory";
    ASSERT_EQ(geometry.paired_page.size(), 128U);
    for (std::uint32_t p = 0; p < 128; ++p) {
      EXPECT_EQ(geometry.paired_page[geometry.paired_page[p]], p);
      EXPECT_EQ(p < geometry.paired_page[p], regs::paired::is_lsb(p)) << p;
    }
    EXPECT_TRUE(driver_->capabilities().spare);
    EXPECT_FALSE(driver_->capabilities().in_place_clear);
  }
}

TEST_F(OneNandAttach, boundary_of_the_slc_area_is_read_from_the_part) {
  start();
  // Set boundary as the sheet says: erase, all ones but the word, program, update.
  const auto wait = [this](std::uint16_t bits) {
    ASSERT_TRUE(port_
                    ->wait_until({.address = regs::reg::kInterrupt,
                                  .mask = bits,
                                  .expected = bits,
                                  .poll_interval_ns = 1000,
                                  .deadline_ns = 20'000'000})
                    .met);
  };
  port_->write16(regs::reg::kSystemConfig1, regs::config::kDefault | regs::config::kEccOff);
  port_->write16(regs::reg::kStartAddress1, 0);
  port_->write16(regs::reg::kStartAddress8, 0);
  port_->write16(regs::reg::kCommand, regs::command::kPartitionAccess);
  wait(regs::interrupt::kInt);
  port_->write16(regs::reg::kCommand, regs::command::kErase);
  wait(regs::interrupt::kErase);
  Bytes data(kPage, std::byte{0xFF});
  data[0] = std::byte{99};
  data[1] = std::byte{0xFC};
  port_->copy_to(regs::area::kDataRam, data);
  port_->copy_to(regs::area::kDataSpare, Bytes(128, std::byte{0xFF}));
  port_->write16(regs::reg::kCommand, regs::command::kProgram);
  wait(regs::interrupt::kWrite);
  port_->write16(regs::reg::kCommand, regs::command::kPartitionUpdate);
  wait(regs::interrupt::kInt);
  ASSERT_EQ(core_->boundary(0), 99U);
  ASSERT_EQ(attach(), OneNandAttachStatus::ok);
  EXPECT_EQ(driver_->geometry().slc_segments_per_unit, 100U);
  EXPECT_EQ(erase(99), PartStatus::ok);
  EXPECT_EQ(program(99, 63, page(1)), PartStatus::ok);
  EXPECT_EQ(erase(98), PartStatus::ok);
  EXPECT_EQ(program(98, 64, page(1)), PartStatus::program_failed) << "an SLC segment has 64 pages";
}

TEST_F(OneNandAttach, boundary_set_by_a_driver_that_never_switches_ecc_off_is_taken) {
  start("flexonenand-8gb-ddp");
  const auto command = [this](std::uint16_t code) {
    port_->write16(regs::reg::kCommand, code);
    port_->delay_ns(3'000'000);
  };
  port_->write16(regs::reg::kSystemConfig1, regs::config::kDefault);
  for (const std::uint16_t die : {std::uint16_t{0}, regs::start_address::kDie}) {
    port_->write16(regs::reg::kStartAddress1, die);
    port_->write16(regs::reg::kStartAddress2, die);
    port_->write16(regs::reg::kStartAddress8, 0);
    command(regs::command::kPartitionAccess);
    command(regs::command::kErase);
    Bytes data(kPage, std::byte{0xFF});
    data[0] = std::byte{99};
    data[1] = std::byte{0xC0};  // bits 13:10 zero
    port_->copy_to(regs::area::kDataRam, data);
    port_->copy_to(regs::area::kDataSpare, Bytes(128, std::byte{0xFF}));
    command(regs::command::kProgram);
    command(regs::command::kPartitionUpdate);
  }
  command(regs::command::kCoreReset);
  ASSERT_EQ(attach(), OneNandAttachStatus::ok);
  EXPECT_EQ(driver_->geometry().slc_segments_per_unit, 100U);
}

TEST_F(OneNandAttach, another_device_is_refused) {
  hw::OneNandSpec spec = perfect(load_onenand("flexonenand-4gb"));
  spec.device_id = 0x0050;  // an SLC part
  power_on(spec);
  EXPECT_EQ(attach(), OneNandAttachStatus::wrong_device);
  spec.device_id = 0x0240;  // 2 Gb
  power_on(spec);
  EXPECT_EQ(attach(), OneNandAttachStatus::wrong_device);
}

TEST_F(OneNandAttach, noise_for_a_partition_word_is_refused_or_is_what_the_part_uses) {
  int refused = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    power_on(perfect(load_onenand("flexonenand-4gb")), seed);
    port_->write16(regs::reg::kSystemConfig1, regs::config::kDefault | regs::config::kEccOff);
    port_->write16(regs::reg::kCommand, regs::command::kPartitionAccess);
    port_->delay_ns(3'000'000);
    port_->write16(regs::reg::kCommand, regs::command::kErase);
    port_->delay_ns(200'000);
    core_->lose_power(port_->now);
    core_->restore_power(port_->now);
    port_->delay_ns(1'000'000);
    const OneNandAttachStatus status = attach();
    if (status == OneNandAttachStatus::bad_partition) {
      ++refused;
      continue;
    }
    ASSERT_EQ(status, OneNandAttachStatus::ok) << seed;
    EXPECT_EQ(driver_->geometry().slc_segments_per_unit, core_->boundary(0) + 1) << seed;
  }
  EXPECT_GT(refused, 10) << "the fixed bits distinguish most noise from a word";
}

TEST(OneNandPartitionWord, is_locked_or_not_and_its_reserved_bits_are_all_ones_or_all_zeros) {
  using regs::partition::plausible;
  EXPECT_TRUE(plausible(0xFC00 | 9, 1024));
  EXPECT_TRUE(plausible(0x3C00 | 9, 1024));
  EXPECT_TRUE(plausible(0xF800 | 1500, 2048));
  EXPECT_TRUE(plausible(0xC000 | 9, 1024));
  EXPECT_TRUE(plausible(0x0000 | 9, 1024));
  EXPECT_TRUE(plausible(0xC000 | 1500, 2048));
  EXPECT_FALSE(plausible(0x7C00 | 9, 1024)) << "half a lock";
  EXPECT_FALSE(plausible(0x4000 | 9, 1024)) << "half a lock";
  for (const unsigned bit : {10U, 11U, 12U, 13U}) {
    EXPECT_FALSE(plausible(static_cast<std::uint16_t>(0xFC09 & ~(1U << bit)), 1024)) << bit;
    EXPECT_FALSE(plausible(static_cast<std::uint16_t>(0xC009 | 1U << bit), 1024)) << bit;
  }
  EXPECT_FALSE(plausible(0xF009, 2048));
}

TEST_F(OneNandAttach, work_left_behind_is_ended_first) {
  start();
  port_->write16(regs::reg::kStartAddress1, 5);
  port_->write16(regs::reg::kCommand, regs::command::kErase);
  ASSERT_EQ(attach(), OneNandAttachStatus::ok);
  EXPECT_EQ(erase(5), PartStatus::ok);
}

TEST_F(OneNandDriverTest, programmed_page_and_spare_bytes_read_back) {
  start();
  ASSERT_EQ(erase(3), PartStatus::ok);
  for (std::uint32_t p = 0; p < 128; ++p) ASSERT_EQ(program(3, p, page(p), spare(p + 1000)), PartStatus::ok) << p;
  Bytes data;
  Bytes user;
  for (std::uint32_t p = 0; p < 128; ++p) {
    const PartDone done = read(3, p, data, &user);
    ASSERT_EQ(done.status, PartStatus::ok) << p;
    EXPECT_EQ(done.corrected_bits, 0);
    ASSERT_EQ(data, page(p)) << p;
    ASSERT_EQ(user, spare(p + 1000)) << p;
  }
  EXPECT_EQ(port_->counts[Work::driver_call], 1U + 128 + 128);
  EXPECT_EQ(port_->counts[Work::buffer_program], 128U);
}

TEST_F(OneNandDriverTest, erase_does_not_depend_on_the_page_used_last) {
  start();
  ASSERT_EQ(erase(3), PartStatus::ok);
  ASSERT_EQ(program(3, 100, page(1)), PartStatus::ok);
  EXPECT_EQ(erase(0), PartStatus::ok) << "an SLC segment has no page 100";
}

TEST_F(OneNandDriverTest, page_without_spare_bytes_keeps_them_erased) {
  start();
  ASSERT_EQ(erase(3), PartStatus::ok);
  ASSERT_EQ(program(3, 0, page(1), spare(1)), PartStatus::ok);
  ASSERT_EQ(program(3, 1, page(2)), PartStatus::ok);
  Bytes data;
  Bytes user;
  EXPECT_EQ(read(3, 1, data, &user).status, PartStatus::ok);
  EXPECT_EQ(user, Bytes(32, std::byte{0xFF}));
}

TEST_F(OneNandDriverTest, any_part_of_a_page_can_be_read) {
  start();
  ASSERT_EQ(erase(3), PartStatus::ok);
  const Bytes whole = page(9);
  ASSERT_EQ(program(3, 2, whole), PartStatus::ok);
  for (const std::uint32_t from : {0U, 1U, 511U, 512U, 2047U, 4095U}) {
    for (const std::uint32_t length : {1U, 2U, 3U, 64U, 513U, 4096U}) {
      if (from + length > kPage) continue;
      Bytes into(length, std::byte{0xA5});
      EXPECT_EQ(run({.kind = PartOpKind::read,
                     .segment = SegmentId{3},
                     .offset = 2 * kPage + from,
                     .length = length,
                     .into = into.data()})
                    .status,
                PartStatus::ok);
      EXPECT_TRUE(std::equal(into.begin(), into.end(), whole.begin() + from)) << from << " " << length;
    }
  }
}

TEST_F(OneNandDriverTest, spare_bytes_can_be_read_alone) {
  start();
  ASSERT_EQ(erase(3), PartStatus::ok);
  ASSERT_EQ(program(3, 0, page(1), spare(7)), PartStatus::ok);
  Bytes user(32);
  const Ticks before = port_->now;
  EXPECT_EQ(run({.kind = PartOpKind::read, .segment = SegmentId{3}, .spare_into = user.data()}).status, PartStatus::ok);
  EXPECT_EQ(user, spare(7));
  Bytes data;
  const Ticks middle = port_->now;
  read(3, 0, data, &user);
  EXPECT_LT(middle - before, (port_->now - middle) * 0.6) << "the main area was not transferred";
}

TEST_F(OneNandDriverTest, copy_moves_a_page_without_the_bus) {
  start();
  ASSERT_EQ(erase(3), PartStatus::ok);
  ASSERT_EQ(erase(4), PartStatus::ok);
  ASSERT_EQ(program(3, 0, page(1), spare(1)), PartStatus::ok);
  const Bytes other = spare(2);
  PartOp op{.kind = PartOpKind::copy, .segment = SegmentId{3}, .copy_segment = SegmentId{4}, .copy_offset = 0};
  EXPECT_EQ(run(op).status, PartStatus::ok);
  op.copy_offset = kPage;
  op.spare_from = other.data();
  EXPECT_EQ(run(op).status, PartStatus::ok);
  Bytes data;
  Bytes user;
  EXPECT_EQ(read(4, 0, data, &user).status, PartStatus::ok);
  EXPECT_EQ(data, page(1));
  EXPECT_EQ(user, spare(1));
  EXPECT_EQ(read(4, 1, data, &user).status, PartStatus::ok);
  EXPECT_EQ(data, page(1));
  EXPECT_EQ(user, other);
}

TEST_F(OneNandDriverTest, program_costs_few_register_accesses) {
  start();
  ASSERT_EQ(erase(3), PartStatus::ok);
  port_->accesses = 0;
  ASSERT_EQ(program(3, 0, page(1), spare(1)), PartStatus::ok);
  EXPECT_LE(port_->accesses, 8U);
}

TEST_F(OneNandDies, copy_across_dies_is_refused) {
  start("flexonenand-8gb-ddp");
  ASSERT_EQ(erase(3), PartStatus::ok);
  ASSERT_EQ(program(3, 0, page(1)), PartStatus::ok);
  EXPECT_EQ(run({.kind = PartOpKind::copy, .segment = SegmentId{3}, .copy_segment = SegmentId{1027}}).status,
            PartStatus::program_failed);
}

TEST_F(OneNandDies, background_erase_lets_the_other_die_work) {
  config_.background_erase = true;
  start("flexonenand-8gb-ddp");
  EXPECT_TRUE(driver_->capabilities().background_erase);
  ASSERT_EQ(erase(1027), PartStatus::ok);
  const Ticks before = port_->now;
  const PartOp erase_op{.kind = PartOpKind::erase, .segment = SegmentId{3}, .tag = 7};
  ASSERT_EQ(driver_->submit({&erase_op, 1}), 1U);
  const Bytes data = page(1);
  PartOp op = program_op(1027, 0, data);
  op.tag = 8;
  ASSERT_EQ(driver_->submit({&op, 1}), 1U);
  PartDone done[2];
  ASSERT_EQ(driver_->reap(done, true), 1U);
  EXPECT_EQ(done[0].tag, 8U) << "the program ended first";
  EXPECT_EQ(done[0].status, PartStatus::ok);
  ASSERT_EQ(driver_->reap(done, true), 1U);
  EXPECT_EQ(done[0].tag, 7U);
  EXPECT_EQ(done[0].status, PartStatus::ok);
  EXPECT_LT(to_seconds(port_->now - before), 0.95e-3) << "one erase time, not the sum";
  EXPECT_EQ(driver_->reap(done, true), 0U);
}

TEST_F(OneNandDies, operation_on_an_erasing_die_waits_for_it) {
  config_.background_erase = true;
  start("flexonenand-8gb-ddp");
  const Bytes data = page(1);
  std::vector<PartOp> ops = {{.kind = PartOpKind::erase, .segment = SegmentId{3}}, program_op(3, 0, data)};
  const auto done = run(ops);
  EXPECT_EQ(done[0].status, PartStatus::ok);
  EXPECT_EQ(done[1].status, PartStatus::ok);
}

}  // namespace
}  // namespace ftlab::test
