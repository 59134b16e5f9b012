// Every command of the card where it is illegal while busy or out of sequence. One row per command and situation.
//
// Legal while busy by the data sheet, so never illegal then: 70 and 71 (status is always to be had), 72, 74, E0 and 0C
// (page buffers fill while the array works; a taken buffer and a full queue are the limits), 96 (mode of the ready
// pin), 80 (abort), B0 during an erase, D0 during a suspension. Operations (10, 40, FB, 0C, 20, A7, 77, 97, 99) queue
// while busy; only a full queue refuses them. Cannot be out of sequence: FF, 90, 70, 71, 50, 72, 75, F0 and 80 are
// whole in one cycle and need nothing before them; 10, 40, 74 and FB take any data in the cycles that follow. D0 and B0
// alone ask for nothing and do nothing.
#include <functional>

#include "tests/device/series2plus/card_fixture.h"

namespace ftlab::hw::testing {
namespace {

constexpr std::uint8_t kSequenceError = regs::csr::kEraseError | regs::csr::kWriteError;

// --- illegal while busy ----------------------------------------------------------------------------------------------

struct BusyCase {
  const char* name;
  std::uint8_t code;
};

class IgnoredWhileBusy : public ::testing::TestWithParam<BusyCase> {};

TEST_P(IgnoredWhileBusy, and_the_part_goes_on_answering_with_status) {
  CardFixture fixture;
  fixture.erase(0);
  const Ticks end = fixture.core.next_ready_edge(fixture.now);
  fixture.now += fixture.core.spec().timing.erase / 3;
  fixture.command(0, GetParam().code);
  EXPECT_EQ(fixture.read16(0), 0x0000) << "status, not data, identifier or buffer";
  EXPECT_EQ(fixture.core.next_ready_edge(fixture.now), end);
  fixture.now = end;
  EXPECT_EQ(fixture.csr(0), both(0x80));
  EXPECT_EQ(fixture.gsr(0), both(0x86)) << "neither asleep nor in error";
  EXPECT_EQ(fixture.core.erase_count(0), 1U);
}

INSTANTIATE_TEST_SUITE_P(Commands, IgnoredWhileBusy,
                         ::testing::Values(BusyCase{"read_array", command::kReadArray},
                                           BusyCase{"read_identifier", command::kReadIdentifier},
                                           BusyCase{"read_page_buffer", command::kReadPageBuffer},
                                           BusyCase{"clear_status", command::kClearStatus},
                                           BusyCase{"sleep", command::kSleep},
                                           BusyCase{"resume_without_suspend", command::kResume}),
                         [](const auto& test) { return test.param.name; });

TEST(WhileBusy, swap_and_loads_go_to_the_free_page_buffer_and_leave_the_operation_alone) {
  CardFixture fixture;
  const auto first = pattern(512, 1);
  fixture.page_program(0, first);  // takes its buffer and selects the other
  fixture.command(0, command::kSwapPageBuffer);
  fixture.command(0, command::kSwapPageBuffer);
  fixture.load(0, pattern(512, 2));
  fixture.command(0, command::kSingleLoad);
  fixture.write16(40, 0xBEEF);
  EXPECT_EQ(fixture.gsr(0) & both(regs::gsr::kError), 0);
  fixture.finish();
  EXPECT_EQ(fixture.peek(0, 512), first);
}

TEST(WhileBusy, ready_mode_is_taken_and_the_erase_goes_on) {
  CardFixture fixture;
  fixture.erase(0);
  fixture.command(0, command::kReadyBusyMode);
  fixture.command(0, series2plus::ready_mode::kLevel);
  EXPECT_EQ(fixture.csr(0), both(0x00)) << "busy, no error";
  fixture.finish();
  EXPECT_EQ(fixture.csr(0), both(0x80));
  EXPECT_EQ(fixture.core.erase_count(0), 1U);
}

TEST(WhileBusy, unknown_code_is_flagged_and_the_erase_goes_on) {
  CardFixture fixture;
  fixture.erase(0);
  fixture.command(0, 0x33);
  EXPECT_EQ(fixture.csr(0), both(kSequenceError));
  fixture.finish();
  EXPECT_EQ(fixture.core.erase_count(0), 1U);
}

TEST(WhileBusy, clear_status_does_not_clear_errors) {
  CardFixture fixture;
  fixture.command(0, command::kErase);
  fixture.command(0, command::kReadArray);
  fixture.erase(0);
  fixture.command(0, command::kClearStatus);
  EXPECT_EQ(fixture.csr(0), both(kSequenceError));
}

TEST(WhileBusy, suspend_of_a_program_is_ignored) {
  CardFixture fixture;
  fixture.program_word(0, 0);
  const Ticks end = fixture.core.next_ready_edge(fixture.now);
  fixture.command(0, command::kSuspend);
  EXPECT_EQ(fixture.core.next_ready_edge(fixture.now), end);
  fixture.now = end;
  EXPECT_EQ(fixture.csr(0), both(0x80));
}

TEST(WhileBusy, loads_into_a_taken_buffer_are_swallowed_and_flagged) {
  CardFixture fixture;
  const auto first = pattern(512, 1);
  fixture.page_program(0, first);
  fixture.page_program(512, pattern(512, 2));
  EXPECT_EQ(fixture.gsr(0), 0x0000) << "no buffer free, selected one busy";
  fixture.load(1024, pattern(512, 3));  // its data must not be taken for commands either
  EXPECT_EQ(fixture.gsr(0) & both(regs::gsr::kError), both(regs::gsr::kError));
  fixture.finish();
  EXPECT_EQ(fixture.peek(0, 512), first);
  EXPECT_EQ(fixture.core.erase_count(0), 0U);
}

struct QueueCase {
  const char* name;
  std::function<void(CardFixture&)> issue;
};

class FullQueue : public ::testing::TestWithParam<QueueCase> {};

TEST_P(FullQueue, refuses_the_operation_and_flags_it) {
  CardFixture fixture;
  for (std::uint32_t segment = 1; segment <= 3; ++segment) fixture.erase(segment * kSegment);
  EXPECT_EQ(fixture.gsr(0) & both(regs::gsr::kQueueFull | regs::gsr::kError), both(regs::gsr::kQueueFull));
  const std::size_t started = fixture.observer.started.size();
  GetParam().issue(fixture);
  EXPECT_EQ(fixture.observer.started.size(), started);
  EXPECT_EQ(fixture.gsr(0) & both(regs::gsr::kError), both(regs::gsr::kError));
  fixture.finish();
  EXPECT_EQ(fixture.peek16(0), 0xFFFF);
}

INSTANTIATE_TEST_SUITE_P(
    Operations, FullQueue,
    ::testing::Values(QueueCase{"erase", [](CardFixture& fixture) { fixture.erase(0); }},
                      QueueCase{"program", [](CardFixture& fixture) { fixture.program_word(0, 0); }},
                      QueueCase{"program_alternate",
                                [](CardFixture& fixture) {
                                  fixture.command(0, command::kProgramAlternate);
                                  fixture.write16(0, 0);
                                }},
                      QueueCase{"page_buffer_write",
                                [](CardFixture& fixture) { fixture.page_program(0, pattern(512)); }},
                      QueueCase{"two_byte_program",
                                [](CardFixture& fixture) {
                                  fixture.command(0, command::kTwoByteProgram);
                                  fixture.write16(0, 0);
                                  fixture.write16(0, 0);
                                }},
                      QueueCase{"erase_all",
                                [](CardFixture& fixture) {
                                  fixture.command(0, command::kEraseAllUnlocked);
                                  fixture.command(0, command::kConfirm);
                                }},
                      QueueCase{"lock",
                                [](CardFixture& fixture) {
                                  fixture.command(0, command::kLockBlock);
                                  fixture.command(0, command::kConfirm);
                                }},
                      QueueCase{"upload_lock_bits",
                                [](CardFixture& fixture) {
                                  fixture.command(0, command::kUploadLockBits);
                                  fixture.command(0, command::kConfirm);
                                }},
                      QueueCase{"upload_device_information",
                                [](CardFixture& fixture) {
                                  fixture.command(0, command::kUploadDeviceInfo);
                                  fixture.command(0, command::kConfirm);
                                }}),
    [](const auto& test) { return test.param.name; });

// --- wrong sequence --------------------------------------------------------------------------------------------------

class WrongConfirm : public ::testing::TestWithParam<BusyCase> {};

TEST_P(WrongConfirm, sets_both_error_bits_and_does_nothing) {
  CardFixture fixture;
  fixture.poke16(0, 0x1234);
  fixture.command(0, GetParam().code);
  fixture.command(0, command::kReadArray);
  EXPECT_EQ(fixture.read16(0), both(regs::csr::kReady | kSequenceError));
  EXPECT_EQ(fixture.gsr(0), both(0x86 | regs::gsr::kError));
  EXPECT_TRUE(fixture.observer.started.empty());
  EXPECT_EQ(fixture.peek16(0), 0x1234);
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
  CardFixture fixture;
  fixture.command(0, GetParam().code);
  fixture.write16(0, 0x0505);
  fixture.write16(0, 0x0101);
  EXPECT_EQ(fixture.csr(0), both(regs::csr::kReady | kSequenceError));
  EXPECT_TRUE(fixture.observer.started.empty());
}

INSTANTIATE_TEST_SUITE_P(Commands, WrongCount,
                         ::testing::Values(BusyCase{"sequential_load", command::kSequentialLoad},
                                           BusyCase{"page_buffer_write", command::kPageBufferWrite}),
                         [](const auto& test) { return test.param.name; });

TEST(WrongSequence, ready_mode_outside_the_table_is_refused) {
  for (const std::uint8_t mode : {std::uint8_t{0}, std::uint8_t{5}}) {
    CardFixture fixture;
    fixture.command(0, command::kReadyBusyMode);
    fixture.command(0, mode);
    EXPECT_EQ(fixture.csr(0), both(regs::csr::kReady | kSequenceError)) << int{mode};
  }
}

TEST(WrongSequence, data_cycles_of_a_program_or_load_are_never_commands) {
  for (const std::uint8_t code : {command::kProgram, command::kProgramAlternate, command::kSingleLoad}) {
    CardFixture fixture;
    fixture.command(0, code);
    fixture.write16(0, both(command::kErase));
    fixture.command(0, command::kConfirm);
    fixture.core.advance_to(fixture.now + std::chrono::seconds{1});
    EXPECT_EQ(fixture.core.erase_count(0), 0U) << int{code};
  }
}

TEST(WrongSequence, unknown_command_is_flagged) {
  CardFixture fixture;
  fixture.command(0, 0x33);
  EXPECT_EQ(fixture.csr(0), both(regs::csr::kReady | kSequenceError));
}

TEST(WrongSequence, confirm_alone_does_nothing) {
  CardFixture fixture;
  fixture.command(0, command::kConfirm);
  EXPECT_EQ(fixture.csr(0), both(0x80));
  EXPECT_TRUE(fixture.observer.started.empty());
}

TEST(WrongSequence, suspend_of_an_idle_part_does_nothing) {
  CardFixture fixture;
  fixture.command(0, command::kSuspend);
  EXPECT_EQ(fixture.csr(0), both(0x80));
}

TEST(WrongSequence, page_buffer_write_across_a_segment_end_is_refused) {
  CardFixture fixture;
  fixture.page_program(kSegment - 256, pattern(512));
  EXPECT_EQ(fixture.csr(0) & both(regs::csr::kWriteError), both(regs::csr::kWriteError));
  EXPECT_TRUE(fixture.observer.started.empty());
  EXPECT_EQ(fixture.peek16(kSegment - 2), 0xFFFF);
}

TEST(WrongSequence, operation_on_a_sleeping_part_is_refused) {
  CardFixture fixture;
  fixture.command(0, command::kSleep);
  fixture.command(0, command::kProgram);
  EXPECT_EQ(fixture.gsr(0), both(regs::gsr::kReady | regs::gsr::kError | regs::gsr::kSleep));
  EXPECT_TRUE(fixture.observer.started.empty());
}

}  // namespace
}  // namespace ftlab::hw::testing
