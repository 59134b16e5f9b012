// Every command: legal, illegal while busy, out of sequence. One row per command and situation.
//
// Legal while busy by the data sheet, so never illegal then: 70 and 71 (status is always to be had), 72, 74, E0 and 0C
// (page buffers fill while the array works; a taken buffer and a full queue are the limits), 96 (mode of the ready
// pin), 80 (abort), B0 during an erase, D0 during a suspension. Operations (10, 40, FB, 0C, 20, A7, 77, 97, 99) queue
// while busy; only a full queue refuses them. Cannot be out of sequence: FF, 90, 70, 71, 50, 72, 75, F0 and 80 are
// whole in one cycle and need nothing before them; 10, 40, 74 and FB take any data in the cycles that follow. D0 and B0
// alone ask for nothing and do nothing.
#include <functional>

#include "tests/device/card_rig.h"

namespace ftlab::hw::testing {
namespace {

constexpr std::uint16_t both(std::uint8_t value) { return regs::doubled(value); }
constexpr std::uint8_t kSequenceError = regs::csr::kEraseError | regs::csr::kWriteError;

// --- legal -----------------------------------------------------------------------------------------------------------

TEST(LegalCommand, read_array_returns_data) {
  CardRig rig;
  rig.poke16(10, 0xCAFE);
  rig.csr(0);
  rig.read_array(0);
  EXPECT_EQ(rig.read16(10), 0xCAFE);
}

TEST(LegalCommand, power_up_default_is_read_array) {
  CardRig rig;
  rig.poke16(10, 0xCAFE);
  EXPECT_EQ(rig.read16(10), 0xCAFE);
}

TEST(LegalCommand, identifier_is_89_a0_of_each_component) {
  CardRig rig;
  rig.command(0, command::kReadIdentifier);
  EXPECT_EQ(rig.read16(0), 0x8989);
  EXPECT_EQ(rig.read16(2), 0xA0A0);
}

TEST(LegalCommand, idle_status_registers_read_80_86_80) {
  CardRig rig;
  EXPECT_EQ(rig.csr(0), both(0x80));
  EXPECT_EQ(rig.gsr(0), both(0x86));
  EXPECT_EQ(rig.bsr(0), both(0x80));
}

TEST(LegalCommand, csr_is_read_at_any_address) {
  CardRig rig;
  rig.command(0, command::kReadCsr);
  EXPECT_EQ(rig.read16(5 * kSegment + 46), both(0x80));
}

TEST(LegalCommand, clear_status_clears_errors_of_all_registers) {
  CardRig rig;
  rig.command(0, command::kErase);
  rig.command(0, command::kReadArray);  // wrong confirm
  rig.core.set_vpp_pin(rig.now, false);
  rig.erase(0);
  EXPECT_NE(rig.bsr(0) & both(regs::bsr::kVppLow), 0);
  rig.command(0, command::kClearStatus);
  EXPECT_EQ(rig.csr(0), both(0x80));
  EXPECT_EQ(rig.gsr(0), both(0x86));
  EXPECT_EQ(rig.bsr(0), both(0x80));
}

TEST(LegalCommand, both_program_codes_program) {
  for (const std::uint8_t code : {command::kProgram, command::kProgramAlternate}) {
    CardRig rig;
    rig.command(20, code);
    rig.write16(20, 0x55AA);
    rig.finish();
    EXPECT_EQ(rig.peek16(20), 0x55AA);
    EXPECT_EQ(rig.csr(0), both(0x80));
  }
}

TEST(LegalCommand, erase_sets_every_bit_of_one_segment_only) {
  CardRig rig;
  for (const std::uint32_t address : {kSegment - 2, kSegment, 2 * kSegment - 2, 2 * kSegment}) rig.poke16(address, 0);
  rig.erase(kSegment);
  rig.finish();
  EXPECT_EQ(rig.peek16(kSegment - 2), 0);
  EXPECT_EQ(rig.peek16(kSegment), 0xFFFF);
  EXPECT_EQ(rig.peek16(2 * kSegment - 2), 0xFFFF);
  EXPECT_EQ(rig.peek16(2 * kSegment), 0);
  EXPECT_EQ(rig.core.erase_count(1), 1U);
  EXPECT_EQ(rig.core.erase_count(0), 0U);
}

TEST(LegalCommand, status_during_erase_is_00_06_and_block_busy) {
  CardRig rig;
  rig.command(0, command::kUploadLockBits);
  rig.command(0, command::kConfirm);
  rig.finish();
  rig.erase(0);
  EXPECT_EQ(rig.csr(0), both(0x00));
  EXPECT_EQ(rig.gsr(0), both(0x06));
  EXPECT_EQ(rig.bsr(0), both(0x40));
  EXPECT_EQ(rig.bsr(kSegment), both(0xC0)) << "another block of the pair is not busy";
}

TEST(LegalCommand, erase_all_erases_the_pair_and_not_the_other) {
  CardRig rig;
  rig.poke16(0, 0);
  rig.poke16(31 * kSegment + 4, 0);
  rig.poke16(CardRig::kPair, 0);
  rig.command(0, command::kEraseAllUnlocked);
  rig.command(0, command::kConfirm);
  rig.finish();
  EXPECT_EQ(rig.peek16(0), 0xFFFF);
  EXPECT_EQ(rig.peek16(31 * kSegment + 4), 0xFFFF);
  EXPECT_EQ(rig.peek16(CardRig::kPair), 0);
  EXPECT_EQ(rig.core.erase_count(31), 1U);
  EXPECT_EQ(rig.core.erase_count(32), 0U);
}

TEST(LegalCommand, sleep_shows_in_gsr_and_read_array_wakes) {
  CardRig rig;
  rig.poke16(4, 0x4711);
  rig.command(0, command::kSleep);
  EXPECT_EQ(rig.gsr(0), both(regs::gsr::kReady | regs::gsr::kSleep));
  rig.read_array(0);
  rig.now += rig.core.spec().timing.wake;
  EXPECT_EQ(rig.read16(4), 0x4711);
  EXPECT_EQ(rig.gsr(0), both(0x86));
}

TEST(LegalCommand, abort_of_idle_part_ends_asleep) {
  CardRig rig;
  rig.command(0, command::kAbort);
  EXPECT_EQ(rig.gsr(0), both(regs::gsr::kReady | regs::gsr::kSleep));
}

TEST(LegalCommand, abort_leaves_failed_and_aborted_until_cleared) {
  CardRig rig;
  rig.erase(0);
  rig.now += rig.core.spec().timing.erase / 2;
  rig.command(0, command::kAbort);
  EXPECT_EQ(rig.gsr(0), both(0xB0));
  EXPECT_EQ(rig.bsr(0), both(0xB0));
  ASSERT_EQ(rig.observer.ended.size(), 1U);
  EXPECT_TRUE(rig.observer.ended[0].failed);
  rig.read_array(0);
  rig.command(0, command::kClearStatus);
  rig.now += rig.core.spec().timing.wake;
  EXPECT_EQ(rig.gsr(0), both(0x86));
  rig.erase(0);
  rig.finish();
  EXPECT_EQ(rig.csr(0), both(0x80));
  EXPECT_EQ(rig.bsr(0), both(0x80));
}

TEST(LegalCommand, device_information_lands_in_the_other_page_buffer) {
  CardRig rig;
  rig.command(0, command::kUploadDeviceInfo);
  rig.command(0, command::kConfirm);
  rig.finish();
  rig.command(0, command::kSwapPageBuffer);
  rig.command(0, command::kReadPageBuffer);
  EXPECT_EQ(rig.read16(2 * regs::kDeviceRevisionByte), both(rig.core.spec().device_revision));
}

TEST(LegalCommand, two_byte_program_programs_both_halves_of_each_component) {
  CardRig rig;
  rig.command(8, command::kTwoByteProgram);
  rig.write16(8, 0x1111);
  rig.write16(8, 0x2222);
  rig.finish();
  EXPECT_EQ(rig.peek16(8), 0x1111);
  EXPECT_EQ(rig.peek16(10), 0x2222);
}

TEST(LegalCommand, suspend_and_resume_take_an_erase_apart) {
  CardRig rig;
  rig.erase(0);
  rig.command(0, command::kSuspend);
  rig.wait_ready();
  EXPECT_EQ(rig.csr(0), both(regs::csr::kReady | regs::csr::kEraseSuspended));
  rig.command(0, command::kResume);
  EXPECT_EQ(rig.csr(0), both(0x00));
  rig.finish();
  EXPECT_EQ(rig.core.erase_count(0), 1U);
}

TEST(LegalCommand, single_and_sequential_load_fill_the_page_buffer_that_75_reads) {
  CardRig rig;
  const auto data = pattern(512);
  rig.load(0, data);
  rig.command(0, command::kSingleLoad);
  rig.write16(40, 0xBEEF);
  rig.command(0, command::kReadPageBuffer);
  EXPECT_EQ(rig.read16(40), 0xBEEF);
  EXPECT_EQ(rig.read8(42), std::to_integer<std::uint8_t>(data[42]));
}

TEST(LegalCommand, page_buffer_write_programs_what_was_loaded) {
  CardRig rig;
  const auto data = pattern(512);
  rig.page_program(1024, data);
  rig.finish();
  EXPECT_EQ(rig.peek(1024, 512), data);
}

TEST(LegalCommand, lock_and_upload_of_lock_bits_show_in_the_block_status) {
  CardRig rig;
  rig.set_attribute(regs::cmr::kWriteProtection, 0);  // lock bits can only be set while they do not count
  rig.command(kSegment, command::kLockBlock);
  rig.command(kSegment, command::kConfirm);
  rig.finish();
  rig.command(0, command::kUploadLockBits);
  rig.command(0, command::kConfirm);
  rig.finish();
  EXPECT_EQ(rig.bsr(kSegment) & both(regs::bsr::kUnlocked), 0);
  EXPECT_EQ(rig.bsr(0) & both(regs::bsr::kUnlocked), both(regs::bsr::kUnlocked));
}

TEST(LegalCommand, every_ready_mode_is_taken) {
  using namespace series2plus;
  for (const std::uint8_t mode :
       {ready_mode::kLevel, ready_mode::kPulseOnWrite, ready_mode::kPulseOnErase, ready_mode::kDisable}) {
    CardRig rig;
    rig.command(0, command::kReadyBusyMode);
    rig.command(0, mode);
    EXPECT_EQ(rig.csr(0), both(0x80)) << int{mode};
    rig.erase(0);
    EXPECT_EQ(rig.core.ready(rig.now), mode != ready_mode::kLevel) << int{mode};
  }
}

// --- illegal while busy ----------------------------------------------------------------------------------------------

struct BusyCase {
  const char* name;
  std::uint8_t code;
};

class IgnoredWhileBusy : public ::testing::TestWithParam<BusyCase> {};

TEST_P(IgnoredWhileBusy, and_the_part_goes_on_answering_with_status) {
  CardRig rig;
  rig.erase(0);
  const Ticks end = rig.core.next_ready_edge(rig.now);
  rig.now += rig.core.spec().timing.erase / 3;
  rig.command(0, GetParam().code);
  EXPECT_EQ(rig.read16(0), 0x0000) << "status, not data, identifier or buffer";
  EXPECT_EQ(rig.core.next_ready_edge(rig.now), end);
  rig.now = end;
  EXPECT_EQ(rig.csr(0), both(0x80));
  EXPECT_EQ(rig.gsr(0), both(0x86)) << "neither asleep nor in error";
  EXPECT_EQ(rig.core.erase_count(0), 1U);
}

INSTANTIATE_TEST_SUITE_P(Commands, IgnoredWhileBusy,
                         ::testing::Values(BusyCase{"read_array", command::kReadArray},
                                           BusyCase{"read_identifier", command::kReadIdentifier},
                                           BusyCase{"read_page_buffer", command::kReadPageBuffer},
                                           BusyCase{"clear_status", command::kClearStatus},
                                           BusyCase{"sleep", command::kSleep},
                                           BusyCase{"resume_without_suspend", command::kResume}),
                         [](const auto& test) { return test.param.name; });

TEST(WhileBusy, status_registers_answer) {
  CardRig rig;
  rig.erase(0);
  EXPECT_EQ(rig.csr(0), both(0x00));
  EXPECT_EQ(rig.gsr(0), both(0x06));
}

TEST(WhileBusy, swap_and_loads_go_to_the_free_page_buffer_and_leave_the_operation_alone) {
  CardRig rig;
  const auto first = pattern(512, 1);
  rig.page_program(0, first);  // takes its buffer and selects the other
  rig.command(0, command::kSwapPageBuffer);
  rig.command(0, command::kSwapPageBuffer);
  rig.load(0, pattern(512, 2));
  rig.command(0, command::kSingleLoad);
  rig.write16(40, 0xBEEF);
  EXPECT_EQ(rig.gsr(0) & both(regs::gsr::kError), 0);
  rig.finish();
  EXPECT_EQ(rig.peek(0, 512), first);
}

TEST(WhileBusy, ready_mode_is_taken_and_the_erase_goes_on) {
  CardRig rig;
  rig.erase(0);
  rig.command(0, command::kReadyBusyMode);
  rig.command(0, series2plus::ready_mode::kLevel);
  EXPECT_EQ(rig.csr(0), both(0x00)) << "busy, no error";
  rig.finish();
  EXPECT_EQ(rig.csr(0), both(0x80));
  EXPECT_EQ(rig.core.erase_count(0), 1U);
}

TEST(WhileBusy, second_suspend_does_nothing) {
  CardRig rig;
  rig.erase(0);
  rig.command(0, command::kSuspend);
  rig.wait_ready();
  rig.command(0, command::kSuspend);
  EXPECT_EQ(rig.csr(0), both(regs::csr::kReady | regs::csr::kEraseSuspended));
}

TEST(WhileBusy, unknown_code_is_flagged_and_the_erase_goes_on) {
  CardRig rig;
  rig.erase(0);
  rig.command(0, 0x33);
  EXPECT_EQ(rig.csr(0), both(kSequenceError));
  rig.finish();
  EXPECT_EQ(rig.core.erase_count(0), 1U);
}

TEST(WhileBusy, clear_status_does_not_clear_errors) {
  CardRig rig;
  rig.command(0, command::kErase);
  rig.command(0, command::kReadArray);
  rig.erase(0);
  rig.command(0, command::kClearStatus);
  EXPECT_EQ(rig.csr(0), both(kSequenceError));
}

TEST(WhileBusy, suspend_of_a_program_is_ignored) {
  CardRig rig;
  rig.program_word(0, 0);
  const Ticks end = rig.core.next_ready_edge(rig.now);
  rig.command(0, command::kSuspend);
  EXPECT_EQ(rig.core.next_ready_edge(rig.now), end);
  rig.now = end;
  EXPECT_EQ(rig.csr(0), both(0x80));
}

TEST(WhileBusy, loads_into_a_taken_buffer_are_swallowed_and_flagged) {
  CardRig rig;
  const auto first = pattern(512, 1);
  rig.page_program(0, first);
  rig.page_program(512, pattern(512, 2));
  EXPECT_EQ(rig.gsr(0), 0x0000) << "no buffer free, selected one busy";
  rig.load(1024, pattern(512, 3));  // its data must not be taken for commands either
  EXPECT_EQ(rig.gsr(0) & both(regs::gsr::kError), both(regs::gsr::kError));
  rig.finish();
  EXPECT_EQ(rig.peek(0, 512), first);
  EXPECT_EQ(rig.core.erase_count(0), 0U);
}

struct QueueCase {
  const char* name;
  std::function<void(CardRig&)> issue;
};

class FullQueue : public ::testing::TestWithParam<QueueCase> {};

TEST_P(FullQueue, refuses_the_operation_and_flags_it) {
  CardRig rig;
  for (std::uint32_t segment = 1; segment <= 3; ++segment) rig.erase(segment * kSegment);
  EXPECT_EQ(rig.gsr(0) & both(regs::gsr::kQueueFull | regs::gsr::kError), both(regs::gsr::kQueueFull));
  const std::size_t started = rig.observer.started.size();
  GetParam().issue(rig);
  EXPECT_EQ(rig.observer.started.size(), started);
  EXPECT_EQ(rig.gsr(0) & both(regs::gsr::kError), both(regs::gsr::kError));
  rig.finish();
  EXPECT_EQ(rig.peek16(0), 0xFFFF);
}

INSTANTIATE_TEST_SUITE_P(Operations, FullQueue,
                         ::testing::Values(QueueCase{"erase", [](CardRig& rig) { rig.erase(0); }},
                                           QueueCase{"program", [](CardRig& rig) { rig.program_word(0, 0); }},
                                           QueueCase{"program_alternate",
                                                     [](CardRig& rig) {
                                                       rig.command(0, command::kProgramAlternate);
                                                       rig.write16(0, 0);
                                                     }},
                                           QueueCase{"page_buffer_write",
                                                     [](CardRig& rig) { rig.page_program(0, pattern(512)); }},
                                           QueueCase{"two_byte_program",
                                                     [](CardRig& rig) {
                                                       rig.command(0, command::kTwoByteProgram);
                                                       rig.write16(0, 0);
                                                       rig.write16(0, 0);
                                                     }},
                                           QueueCase{"erase_all",
                                                     [](CardRig& rig) {
                                                       rig.command(0, command::kEraseAllUnlocked);
                                                       rig.command(0, command::kConfirm);
                                                     }},
                                           QueueCase{"lock",
                                                     [](CardRig& rig) {
                                                       rig.command(0, command::kLockBlock);
                                                       rig.command(0, command::kConfirm);
                                                     }},
                                           QueueCase{"upload_lock_bits",
                                                     [](CardRig& rig) {
                                                       rig.command(0, command::kUploadLockBits);
                                                       rig.command(0, command::kConfirm);
                                                     }},
                                           QueueCase{"upload_device_information",
                                                     [](CardRig& rig) {
                                                       rig.command(0, command::kUploadDeviceInfo);
                                                       rig.command(0, command::kConfirm);
                                                     }}),
                         [](const auto& test) { return test.param.name; });

// --- wrong sequence --------------------------------------------------------------------------------------------------

class WrongConfirm : public ::testing::TestWithParam<BusyCase> {};

TEST_P(WrongConfirm, sets_both_error_bits_and_does_nothing) {
  CardRig rig;
  rig.poke16(0, 0x1234);
  rig.command(0, GetParam().code);
  rig.command(0, command::kReadArray);
  EXPECT_EQ(rig.read16(0), both(regs::csr::kReady | kSequenceError));
  EXPECT_EQ(rig.gsr(0), both(0x86 | regs::gsr::kError));
  EXPECT_TRUE(rig.observer.started.empty());
  EXPECT_EQ(rig.peek16(0), 0x1234);
}

INSTANTIATE_TEST_SUITE_P(Commands, WrongConfirm,
                         ::testing::Values(BusyCase{"erase", command::kErase},
                                           BusyCase{"erase_all", command::kEraseAllUnlocked},
                                           BusyCase{"lock", command::kLockBlock},
                                           BusyCase{"upload_lock_bits", command::kUploadLockBits},
                                           BusyCase{"upload_device_information", command::kUploadDeviceInfo},
                                           BusyCase{"ready_busy_mode", command::kReadyBusyMode}),
                         [](const auto& test) { return test.param.name; });

class WrongCount : public ::testing::TestWithParam<BusyCase> {};

TEST_P(WrongCount, with_a_high_byte_is_a_sequence_error) {
  CardRig rig;
  rig.command(0, GetParam().code);
  rig.write16(0, 0x0505);
  rig.write16(0, 0x0101);
  EXPECT_EQ(rig.csr(0), both(regs::csr::kReady | kSequenceError));
  EXPECT_TRUE(rig.observer.started.empty());
}

INSTANTIATE_TEST_SUITE_P(Commands, WrongCount,
                         ::testing::Values(BusyCase{"sequential_load", command::kSequentialLoad},
                                           BusyCase{"page_buffer_write", command::kPageBufferWrite}),
                         [](const auto& test) { return test.param.name; });

TEST(WrongSequence, ready_mode_outside_the_table_is_refused) {
  for (const std::uint8_t mode : {std::uint8_t{0}, std::uint8_t{5}}) {
    CardRig rig;
    rig.command(0, command::kReadyBusyMode);
    rig.command(0, mode);
    EXPECT_EQ(rig.csr(0), both(regs::csr::kReady | kSequenceError)) << int{mode};
  }
}

TEST(WrongSequence, data_cycles_of_a_program_or_load_are_never_commands) {
  for (const std::uint8_t code : {command::kProgram, command::kProgramAlternate, command::kSingleLoad}) {
    CardRig rig;
    rig.command(0, code);
    rig.write16(0, both(command::kErase));
    rig.command(0, command::kConfirm);
    rig.core.settle(rig.now + std::chrono::seconds{1});
    EXPECT_EQ(rig.core.erase_count(0), 0U) << int{code};
  }
}

TEST(WrongSequence, unknown_command_is_flagged) {
  CardRig rig;
  rig.command(0, 0x33);
  EXPECT_EQ(rig.csr(0), both(regs::csr::kReady | kSequenceError));
}

TEST(WrongSequence, confirm_alone_does_nothing) {
  CardRig rig;
  rig.command(0, command::kConfirm);
  EXPECT_EQ(rig.csr(0), both(0x80));
  EXPECT_TRUE(rig.observer.started.empty());
}

TEST(WrongSequence, suspend_of_an_idle_part_does_nothing) {
  CardRig rig;
  rig.command(0, command::kSuspend);
  EXPECT_EQ(rig.csr(0), both(0x80));
}

TEST(WrongSequence, page_buffer_write_across_a_segment_end_is_refused) {
  CardRig rig;
  rig.page_program(kSegment - 256, pattern(512));
  EXPECT_EQ(rig.csr(0) & both(regs::csr::kWriteError), both(regs::csr::kWriteError));
  EXPECT_TRUE(rig.observer.started.empty());
  EXPECT_EQ(rig.peek16(kSegment - 2), 0xFFFF);
}

TEST(WrongSequence, operation_on_a_sleeping_part_is_refused) {
  CardRig rig;
  rig.command(0, command::kSleep);
  rig.command(0, command::kProgram);
  EXPECT_EQ(rig.gsr(0), both(regs::gsr::kReady | regs::gsr::kError | regs::gsr::kSleep));
  EXPECT_TRUE(rig.observer.started.empty());
}

}  // namespace
}  // namespace ftlab::hw::testing
