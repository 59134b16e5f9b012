// Commands over the bus: what each does, what the part refuses, what a busy part ignores.
#include "tests/device/onenand/onenand_fixture.h"

namespace ftlab::hw::testing {
namespace {

TEST(OneNandId, registers_and_identifier_mode_tell_the_part) {
  OneNandRig rig;
  EXPECT_EQ(rig.read16(reg::kManufacturerId), 0x00EC);
  EXPECT_EQ(rig.read16(reg::kDeviceId), 0x0250);
  EXPECT_EQ(rig.read16(reg::kDataBufferSize), 2048);
  EXPECT_EQ(rig.read16(reg::kTechnology) & regs::id::kTechnologyMlc, 1);
  rig.write16(regs::area::kBootRam, regs::boot_command::kReadId);
  EXPECT_EQ(rig.read16(0), 0x00EC);
  EXPECT_EQ(rig.read16(2), 0x0250);
  rig.write16(regs::area::kBootRam, regs::boot_command::kReset);
  rig.wait();
  EXPECT_NE(rig.read16(0), 0x00EC) << "boot RAM content again";
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
  OneNandRig rig;
  rig.select(5, 3);
  OneNandRig::Bytes spare(regs::kSpareBytes, std::byte{0xFF});
  spare[2] = std::byte{0x12};
  spare[19] = std::byte{0x34};
  spare[6] = std::byte{0x56};  // where the ECC code goes
  rig.fill(OneNandRig::pattern(1), spare);
  EXPECT_TRUE(rig.run(command::kProgram));
  EXPECT_EQ(rig.int_word(), interrupt::kInt | interrupt::kWrite);
  rig.fill(OneNandRig::Bytes(regs::kPageBytes, std::byte{0}));
  EXPECT_TRUE(rig.load(5, 3));
  EXPECT_EQ(rig.int_word(), interrupt::kInt | interrupt::kRead);
  EXPECT_EQ(rig.data(), OneNandRig::pattern(1));
  spare[6] = std::byte{0xFF};
  EXPECT_EQ(rig.spare(), spare) << "user bytes kept, ECC bytes the device's own";
  EXPECT_EQ(rig.read16(reg::kEccStatus1), 0);
}

TEST(OneNandProgram, data_ram_may_be_refilled_only_for_the_next_page) {
  OneNandRig rig;
  rig.select(5, 0);
  rig.fill(OneNandRig::pattern(1));
  rig.give(command::kProgram);
  rig.fill(OneNandRig::pattern(2));  // the page buffer has the first page already
  rig.wait();
  EXPECT_EQ(rig.peek(5, 0), OneNandRig::pattern(1));
}

TEST(OneNandProgram, descending_page_is_refused) {
  OneNandRig rig;
  EXPECT_TRUE(rig.program(5, 10));
  EXPECT_FALSE(rig.program(5, 9));
  EXPECT_EQ(rig.status_word(), status::kError | status::kProgram);
  EXPECT_FALSE(rig.core.is_programmed(5, 9));
}

TEST(OneNandProgram, programmed_page_is_refused_until_erased) {
  OneNandRig rig;
  EXPECT_TRUE(rig.program(5, 0, OneNandRig::pattern(1)));
  EXPECT_FALSE(rig.program(5, 0, OneNandRig::pattern(2)));
  EXPECT_EQ(rig.peek(5, 0), OneNandRig::pattern(1));
  EXPECT_TRUE(rig.erase(5));
  EXPECT_TRUE(rig.program(5, 0, OneNandRig::pattern(2)));
  EXPECT_EQ(rig.peek(5, 0), OneNandRig::pattern(2));
}

TEST(OneNandProgram, wrong_buffer_or_sector_field_is_refused) {
  OneNandRig rig;
  rig.select(5, 0);
  rig.write16(reg::kStartBuffer, 0x0801);
  EXPECT_FALSE(rig.run(command::kProgram));
  rig.select(5, 0);
  rig.write16(reg::kStartAddress8, 1);
  EXPECT_FALSE(rig.run(command::kProgram));
  EXPECT_TRUE(rig.observer.started.empty()) << "a refused command is no work";
}

TEST(OneNandProgram, slc_segment_ends_at_page_63) {
  OneNandRig rig;
  EXPECT_TRUE(rig.core.is_slc(0));
  EXPECT_FALSE(rig.core.is_slc(1));
  EXPECT_TRUE(rig.program(0, 63));
  EXPECT_FALSE(rig.load(0, 64));
  EXPECT_EQ(rig.status_word(), status::kError | status::kLoad);
  EXPECT_TRUE(rig.program(1, 127));
}

TEST(OneNandErase, blanks_the_segment_and_counts) {
  OneNandRig rig;
  EXPECT_TRUE(rig.program(7, 0));
  EXPECT_TRUE(rig.erase(7));
  EXPECT_EQ(rig.int_word(), interrupt::kInt | interrupt::kErase);
  EXPECT_EQ(rig.core.erase_count(7), 1U);
  EXPECT_EQ(rig.core.erase_count(8), 0U);
  EXPECT_TRUE(rig.load(7, 0));
  EXPECT_EQ(rig.data(), OneNandRig::Bytes(regs::kPageBytes, std::byte{0xFF}));
}

TEST(OneNandBusy, commands_but_reset_are_ignored) {
  for (const std::uint16_t code : {command::kLoad, command::kProgram, command::kCacheProgram, command::kUnlock,
                                   command::kOtpAccess, command::kEraseSuspend, command::kEraseResume}) {
    OneNandRig rig;
    rig.select(5, 0);
    rig.give(command::kProgram);
    const Ticks end = rig.core.next_status_change(rig.now);
    rig.give(code);
    EXPECT_EQ(rig.core.next_status_change(rig.now), end) << code;
    EXPECT_EQ(rig.status_word(), status::kOnGo | status::kProgram) << code;
    rig.wait();
    EXPECT_FALSE(rig.failed()) << code;
    EXPECT_EQ(rig.observer.ended.size(), 1U) << code;
  }
}

TEST(OneNandBusy, address_registers_may_be_written) {
  OneNandRig rig;
  rig.select(5, 0);
  rig.fill(OneNandRig::pattern(3));
  rig.give(command::kProgram);
  rig.select(6, 1);
  rig.wait();
  EXPECT_TRUE(rig.core.is_programmed(5, 0));
  EXPECT_FALSE(rig.core.is_programmed(6, 1));
}

TEST(OneNandInterrupt, next_command_clears_it_and_so_does_the_host) {
  OneNandRig rig;
  EXPECT_TRUE(rig.load(5, 0));
  rig.give(command::kLoad);
  EXPECT_EQ(rig.int_word(), 0);
  rig.wait();
  rig.write16(reg::kInterrupt, interrupt::kRead);
  EXPECT_EQ(rig.int_word(), interrupt::kRead) << "bits written 0 are cleared, the others stay";
  rig.write16(reg::kInterrupt, 0);
  EXPECT_EQ(rig.int_word(), 0);
}

TEST(OneNandInterrupt, pin_follows_enable_and_polarity) {
  OneNandRig rig;
  EXPECT_FALSE(rig.core.line_level(rig.now)) << "outputs off";
  rig.configure(regs::config::kDefault | regs::config::kOutputsOn);
  EXPECT_TRUE(rig.core.line_level(rig.now)) << "unlock has ended";
  rig.give(command::kLoad);
  EXPECT_FALSE(rig.core.line_level(rig.now));
  const Ticks edge = rig.core.next_ready_edge(rig.now);
  EXPECT_EQ(edge, rig.now + rig.core.spec().timing.load[0]);
  EXPECT_FALSE(rig.core.line_level(edge - Ticks{1}));
  EXPECT_TRUE(rig.core.line_level(edge));
  rig.configure((regs::config::kDefault | regs::config::kOutputsOn) & ~regs::config::kInterruptHigh);
  EXPECT_FALSE(rig.core.line_level(edge));
  EXPECT_EQ(rig.core.next_ready_edge(edge), kNever);
}

TEST(OneNandCommand, unknown_code_sets_error) {
  OneNandRig rig;
  EXPECT_FALSE(rig.run(0x13));
  EXPECT_TRUE(rig.load(5, 0)) << "the next command starts clean";
}

TEST(OneNandBus, illegal_accesses_change_nothing) {
  OneNandRig rig;
  std::array<std::byte, 4> data{};
  EXPECT_EQ(rig.core.bus().read(rig.now, 0, std::span(data).first(1)).error, BusError::misaligned);
  EXPECT_EQ(rig.core.bus().read(rig.now, 1, std::span(data).first(2)).error, BusError::misaligned);
  EXPECT_EQ(rig.core.bus().write(rig.now, regs::kWindowBytes - 2, data).error, BusError::out_of_range);
  EXPECT_EQ(rig.core.bus().write(rig.now, regs::kWindowBytes - 2, data, true).error, BusError::none)
      << "repeats one word";
  EXPECT_EQ(rig.core.bus().read(rig.now, 0, std::span(data).first(0)).error, BusError::misaligned);
}

TEST(OneNandBus, burst_crosses_from_boot_ram_into_data_ram_and_repeat_stays) {
  OneNandRig rig;
  rig.fill(OneNandRig::pattern(9));
  const auto both = rig.burst(regs::area::kDataRam - 2, 6);
  EXPECT_EQ(both[2], OneNandRig::pattern(9)[0]);
  EXPECT_EQ(both[5], OneNandRig::pattern(9)[3]);
  std::array<std::byte, 6> same{};
  rig.core.bus().read(rig.now, regs::area::kDataRam, same, true);
  EXPECT_EQ(same[4], OneNandRig::pattern(9)[0]);
}

TEST(OneNandBootCommand, two_cycles_load_the_first_page) {
  OneNandRig rig;
  EXPECT_TRUE(rig.program(0, 0, OneNandRig::pattern(4)));
  rig.fill(OneNandRig::Bytes(regs::kPageBytes, std::byte{0}));
  rig.write16(0, regs::boot_command::kLoad);
  rig.write16(0, regs::boot_command::kLoadConfirm);
  rig.write16(reg::kInterrupt, 0);
  rig.wait();
  EXPECT_EQ(rig.data(), OneNandRig::pattern(4));
}

TEST(OneNandDualDie, dies_work_at_the_same_time_with_their_own_ram_and_status) {
  OneNandRig rig(onenand_part("flexonenand-8gb-ddp", ideal()));
  ASSERT_EQ(rig.core.spec().segments(), 2048U);
  rig.select(5, 0);
  rig.fill(OneNandRig::pattern(1));
  rig.give(command::kProgram);
  rig.select(1024 + 5, 0);
  EXPECT_NE(rig.int_word() & interrupt::kInt, 0) << "the other die is idle";
  rig.fill(OneNandRig::pattern(2));
  rig.give(command::kProgram);
  rig.wait();
  rig.select(5, 0);
  EXPECT_NE(rig.int_word() & interrupt::kInt, 0);
  EXPECT_EQ(rig.peek(5, 0), OneNandRig::pattern(1));
  EXPECT_EQ(rig.peek(1024 + 5, 0), OneNandRig::pattern(2));
  ASSERT_EQ(rig.observer.ended.size(), 2U);
  EXPECT_LT(rig.observer.ended[1].start, rig.observer.ended[0].end) << "they overlap";
  EXPECT_EQ(rig.observer.ended[1].device, 1U);
  EXPECT_EQ(rig.observer.ended[1].address, 1029ULL * 512 * 1024);
  EXPECT_EQ(rig.read16(reg::kDeviceId), 0x0268);
}

TEST(OneNandContent, without_it_times_and_status_are_the_same_and_spare_bytes_stay) {
  OneNandRig with(onenand_part(), 3, true);
  OneNandRig without(onenand_part(), 3, false);
  for (OneNandRig* rig : {&with, &without}) {
    rig->select(9, 0);
    OneNandRig::Bytes spare(regs::kSpareBytes, std::byte{0xA5});
    rig->fill(OneNandRig::pattern(1), spare);
    rig->run(command::kProgram);
    rig->program(9, 1);
    rig->load(9, 0);
    EXPECT_EQ(rig->spare()[2], std::byte{0xA5});
    rig->erase(9);
  }
  EXPECT_EQ(with.now, without.now);
  EXPECT_EQ(with.observer.ended.size(), without.observer.ended.size());
  EXPECT_EQ(without.peek(9, 0), OneNandRig::Bytes(regs::kPageBytes, std::byte{0xFF}));
}

}  // namespace
}  // namespace ftlab::hw::testing
