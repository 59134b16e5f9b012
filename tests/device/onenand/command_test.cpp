// Commands over the bus: what each does, what the part refuses, what a busy part ignores.
#include "tests/device/onenand/onenand_fixture.h"

namespace ftlab::hw::testing {
namespace {

TEST(OneNandId, registers_and_identifier_mode_tell_the_part) {
  OneNandFixture fixture;
  EXPECT_EQ(fixture.read16(reg::kManufacturerId), 0x00EC);
  EXPECT_EQ(fixture.read16(reg::kDeviceId), 0x0250);
  EXPECT_EQ(fixture.read16(reg::kDataBufferSize), 2048);
  EXPECT_EQ(fixture.read16(reg::kTechnology) & regs::id::kTechnologyMlc, 1);
  fixture.write16(regs::area::kBootRam, regs::boot_command::kReadId);
  EXPECT_EQ(fixture.read16(0), 0x00EC);
  EXPECT_EQ(fixture.read16(2), 0x0250);
  fixture.write16(regs::area::kBootRam, regs::boot_command::kReset);
  fixture.wait();
  EXPECT_NE(fixture.read16(0), 0x00EC) << "boot RAM content again";
}

TEST(OneNandBoot, fresh_part_shows_a_finished_load_and_locked_segments) {
  OneNandCore core(onenand_part(), {});
  std::byte bytes[2];
  core.bus().read(Ticks::zero(), reg::kInterrupt, bytes);
  EXPECT_EQ(bytes[0], std::byte{0x80});
  EXPECT_EQ(bytes[1], std::byte{0x80});
  EXPECT_TRUE(core.locked(1));
  EXPECT_EQ(core.next_status_change(Ticks::zero()), kNever);
}

TEST(OneNandProgram, page_comes_back_as_written) {
  OneNandFixture fixture;
  fixture.select(5, 3);
  OneNandFixture::Bytes spare(regs::kSpareBytes, std::byte{0xFF});
  spare[2] = std::byte{0x12};
  spare[19] = std::byte{0x34};
  spare[6] = std::byte{0x56};  // where the ECC code goes
  fixture.fill(OneNandFixture::pattern(1), spare);
  EXPECT_TRUE(fixture.run(command::kProgram));
  EXPECT_EQ(fixture.int_word(), interrupt::kInt | interrupt::kWrite);
  fixture.fill(OneNandFixture::Bytes(regs::kPageBytes, std::byte{0}));
  EXPECT_TRUE(fixture.load(5, 3));
  EXPECT_EQ(fixture.int_word(), interrupt::kInt | interrupt::kRead);
  EXPECT_EQ(fixture.data(), OneNandFixture::pattern(1));
  spare[6] = std::byte{0xFF};
  EXPECT_EQ(fixture.spare(), spare) << "user bytes kept, ECC bytes the device's own";
  EXPECT_EQ(fixture.read16(reg::kEccStatus1), 0);
}

TEST(OneNandProgram, data_ram_may_be_refilled_only_for_the_next_page) {
  OneNandFixture fixture;
  fixture.select(5, 0);
  fixture.fill(OneNandFixture::pattern(1));
  fixture.give(command::kProgram);
  fixture.fill(OneNandFixture::pattern(2));  // the page buffer has the first page already
  fixture.wait();
  EXPECT_EQ(fixture.peek(5, 0), OneNandFixture::pattern(1));
}

TEST(OneNandProgram, descending_page_is_refused) {
  OneNandFixture fixture;
  EXPECT_TRUE(fixture.program(5, 10));
  EXPECT_FALSE(fixture.program(5, 9));
  EXPECT_EQ(fixture.status_word(), status::kError | status::kProgram);
  EXPECT_FALSE(fixture.core.is_programmed(5, 9));
}

TEST(OneNandProgram, programmed_page_is_refused_until_erased) {
  OneNandFixture fixture;
  EXPECT_TRUE(fixture.program(5, 0, OneNandFixture::pattern(1)));
  EXPECT_FALSE(fixture.program(5, 0, OneNandFixture::pattern(2)));
  EXPECT_EQ(fixture.peek(5, 0), OneNandFixture::pattern(1));
  EXPECT_TRUE(fixture.erase(5));
  EXPECT_TRUE(fixture.program(5, 0, OneNandFixture::pattern(2)));
  EXPECT_EQ(fixture.peek(5, 0), OneNandFixture::pattern(2));
}

TEST(OneNandProgram, wrong_buffer_or_sector_field_is_refused) {
  OneNandFixture fixture;
  fixture.select(5, 0);
  fixture.write16(reg::kStartBuffer, 0x0801);
  EXPECT_FALSE(fixture.run(command::kProgram));
  fixture.select(5, 0);
  fixture.write16(reg::kStartAddress8, 1);
  EXPECT_FALSE(fixture.run(command::kProgram));
  EXPECT_TRUE(fixture.observer.started.empty()) << "a refused command is no work";
}

TEST(OneNandProgram, slc_segment_ends_at_page_63) {
  OneNandFixture fixture;
  EXPECT_TRUE(fixture.core.is_slc(0));
  EXPECT_FALSE(fixture.core.is_slc(1));
  EXPECT_TRUE(fixture.program(0, 63));
  EXPECT_FALSE(fixture.load(0, 64));
  EXPECT_EQ(fixture.status_word(), status::kError | status::kLoad);
  EXPECT_TRUE(fixture.program(1, 127));
}

TEST(OneNandErase, blanks_the_segment_and_counts) {
  OneNandFixture fixture;
  EXPECT_TRUE(fixture.program(7, 0));
  EXPECT_TRUE(fixture.erase(7));
  EXPECT_EQ(fixture.int_word(), interrupt::kInt | interrupt::kErase);
  EXPECT_EQ(fixture.core.erase_count(7), 1U);
  EXPECT_EQ(fixture.core.erase_count(8), 0U);
  EXPECT_TRUE(fixture.load(7, 0));
  EXPECT_EQ(fixture.data(), OneNandFixture::Bytes(regs::kPageBytes, std::byte{0xFF}));
}

TEST(OneNandBusy, commands_but_reset_are_ignored) {
  for (const std::uint16_t code : {command::kLoad, command::kProgram, command::kCacheProgram, command::kUnlock,
                                   command::kOtpAccess, command::kEraseSuspend, command::kEraseResume}) {
    OneNandFixture fixture;
    fixture.select(5, 0);
    fixture.give(command::kProgram);
    const Ticks end = fixture.core.next_status_change(fixture.now);
    fixture.give(code);
    EXPECT_EQ(fixture.core.next_status_change(fixture.now), end) << code;
    EXPECT_EQ(fixture.status_word(), status::kOnGo | status::kProgram) << code;
    fixture.wait();
    EXPECT_FALSE(fixture.failed()) << code;
    EXPECT_EQ(fixture.observer.ended.size(), 1U) << code;
  }
}

TEST(OneNandBusy, address_registers_may_be_written) {
  OneNandFixture fixture;
  fixture.select(5, 0);
  fixture.fill(OneNandFixture::pattern(3));
  fixture.give(command::kProgram);
  fixture.select(6, 1);
  fixture.wait();
  EXPECT_TRUE(fixture.core.is_programmed(5, 0));
  EXPECT_FALSE(fixture.core.is_programmed(6, 1));
}

TEST(OneNandInterrupt, next_command_clears_it_and_so_does_the_host) {
  OneNandFixture fixture;
  EXPECT_TRUE(fixture.load(5, 0));
  fixture.give(command::kLoad);
  EXPECT_EQ(fixture.int_word(), 0);
  fixture.wait();
  fixture.write16(reg::kInterrupt, interrupt::kRead);
  EXPECT_EQ(fixture.int_word(), interrupt::kRead) << "bits written 0 are cleared, the others stay";
  fixture.write16(reg::kInterrupt, 0);
  EXPECT_EQ(fixture.int_word(), 0);
}

TEST(OneNandInterrupt, pin_follows_enable_and_polarity) {
  OneNandFixture fixture;
  EXPECT_FALSE(fixture.core.line_level(fixture.now)) << "outputs off";
  fixture.configure(regs::config::kDefault | regs::config::kOutputsOn);
  EXPECT_TRUE(fixture.core.line_level(fixture.now)) << "unlock has ended";
  fixture.give(command::kLoad);
  EXPECT_FALSE(fixture.core.line_level(fixture.now));
  const Ticks edge = fixture.core.next_ready_edge(fixture.now);
  EXPECT_EQ(edge, fixture.now + fixture.core.spec().timing.load[0]);
  EXPECT_FALSE(fixture.core.line_level(edge - Ticks{1}));
  EXPECT_TRUE(fixture.core.line_level(edge));
  fixture.configure((regs::config::kDefault | regs::config::kOutputsOn) & ~regs::config::kInterruptHigh);
  EXPECT_FALSE(fixture.core.line_level(edge));
  EXPECT_EQ(fixture.core.next_ready_edge(edge), kNever);
}

TEST(OneNandCommand, unknown_code_sets_error) {
  OneNandFixture fixture;
  EXPECT_FALSE(fixture.run(0x13));
  EXPECT_TRUE(fixture.load(5, 0)) << "the next command starts clean";
}

TEST(OneNandBus, illegal_accesses_change_nothing) {
  OneNandFixture fixture;
  std::array<std::byte, 4> data{};
  EXPECT_EQ(fixture.core.bus().read(fixture.now, 0, std::span(data).first(1)).error, BusError::misaligned);
  EXPECT_EQ(fixture.core.bus().read(fixture.now, 1, std::span(data).first(2)).error, BusError::misaligned);
  EXPECT_EQ(fixture.core.bus().write(fixture.now, regs::kWindowBytes - 2, data).error, BusError::out_of_range);
  EXPECT_EQ(fixture.core.bus().write(fixture.now, regs::kWindowBytes - 2, data, true).error, BusError::none)
      << "repeats one word";
  EXPECT_EQ(fixture.core.bus().read(fixture.now, 0, std::span(data).first(0)).error, BusError::misaligned);
}

TEST(OneNandBus, burst_crosses_from_boot_ram_into_data_ram_and_repeat_stays) {
  OneNandFixture fixture;
  fixture.fill(OneNandFixture::pattern(9));
  const auto both = fixture.burst(regs::area::kDataRam - 2, 6);
  EXPECT_EQ(both[2], OneNandFixture::pattern(9)[0]);
  EXPECT_EQ(both[5], OneNandFixture::pattern(9)[3]);
  std::array<std::byte, 6> same{};
  fixture.core.bus().read(fixture.now, regs::area::kDataRam, same, true);
  EXPECT_EQ(same[4], OneNandFixture::pattern(9)[0]);
}

TEST(OneNandBootCommand, two_cycles_load_the_first_page) {
  OneNandFixture fixture;
  EXPECT_TRUE(fixture.program(0, 0, OneNandFixture::pattern(4)));
  fixture.fill(OneNandFixture::Bytes(regs::kPageBytes, std::byte{0}));
  fixture.write16(0, regs::boot_command::kLoad);
  fixture.write16(0, regs::boot_command::kLoadConfirm);
  fixture.write16(reg::kInterrupt, 0);
  fixture.wait();
  EXPECT_EQ(fixture.data(), OneNandFixture::pattern(4));
}

TEST(OneNandDualDie, dies_work_at_the_same_time_with_their_own_ram_and_status) {
  OneNandFixture fixture(onenand_part("flexonenand-8gb-ddp", ideal()));
  ASSERT_EQ(fixture.core.spec().segments(), 2048U);
  fixture.select(5, 0);
  fixture.fill(OneNandFixture::pattern(1));
  fixture.give(command::kProgram);
  fixture.select(1024 + 5, 0);
  EXPECT_NE(fixture.int_word() & interrupt::kInt, 0) << "the other die is idle";
  fixture.fill(OneNandFixture::pattern(2));
  fixture.give(command::kProgram);
  fixture.wait();
  fixture.select(5, 0);
  EXPECT_NE(fixture.int_word() & interrupt::kInt, 0);
  EXPECT_EQ(fixture.peek(5, 0), OneNandFixture::pattern(1));
  EXPECT_EQ(fixture.peek(1024 + 5, 0), OneNandFixture::pattern(2));
  ASSERT_EQ(fixture.observer.ended.size(), 2U);
  EXPECT_LT(fixture.observer.ended[1].start, fixture.observer.ended[0].end) << "they overlap";
  EXPECT_EQ(fixture.observer.ended[1].device, 1U);
  EXPECT_EQ(fixture.observer.ended[1].address, 1029ULL * 512 * 1024);
  EXPECT_EQ(fixture.read16(reg::kDeviceId), 0x0268);
}

TEST(OneNandContent, without_it_times_and_status_are_the_same_and_spare_bytes_stay) {
  OneNandFixture with(onenand_part(), 3, true);
  OneNandFixture without(onenand_part(), 3, false);
  for (OneNandFixture* fixture : {&with, &without}) {
    fixture->select(9, 0);
    OneNandFixture::Bytes spare(regs::kSpareBytes, std::byte{0xA5});
    fixture->fill(OneNandFixture::pattern(1), spare);
    fixture->run(command::kProgram);
    fixture->program(9, 1);
    fixture->load(9, 0);
    EXPECT_EQ(fixture->spare()[2], std::byte{0xA5});
    fixture->erase(9);
  }
  EXPECT_EQ(with.now, without.now);
  EXPECT_EQ(with.observer.ended.size(), without.observer.ended.size());
  EXPECT_EQ(without.peek(9, 0), OneNandFixture::Bytes(regs::kPageBytes, std::byte{0xFF}));
}

}  // namespace
}  // namespace ftlab::hw::testing
