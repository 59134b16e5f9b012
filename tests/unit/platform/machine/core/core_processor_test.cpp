// The processor around an ARM core, with programs of a few instructions.
#include "platform/machine/core/core_processor.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/platform/machine/core/processor_fixture.h"
#include "tests/unit/platform/machine/core/small_program.h"
#include "tests/unit/platform/machine/core/thumb_code.h"

namespace ftlab::platform {
namespace {

TEST(CoreProcessor, an_instruction_takes_a_cycle_and_an_access_what_part_and_bridge_take) {
  // Reads the part, writes its report.
  const Code code{load(0, 2), kReadHalfR1, load(0, 2), kStoreR1, kStay, kNothing, 0x0000, 0x6000, 0x0014, 0x4000};
  Fixture fixture(small_program(code), [](Fixture& f) {
    f.start();
    // Four instructions; the bridge's read takes longer than the part's.
    EXPECT_EQ(f.cpu.now(), nanoseconds{400 + 500});
    EXPECT_EQ(f.cpu.queue().report(), 0x8080U);
    f.cpu.advance(microseconds{10});
    EXPECT_EQ(f.cpu.now(), nanoseconds{10'900});
  });
  fixture.cpu.rethrow_error();
  EXPECT_EQ(fixture.ledger.totals().simulated(), fixture.cpu.now());
  EXPECT_EQ(fixture.ledger.totals().bus_time, nanoseconds{500});
}

/// Writes to the part, sleeps until its ready edge, and reports. When it has.
Ticks woken_at(Ticks quantum) {
  // r0 = interrupt enable, r1 = 1; the part; wfi; the queue's report.
  const Code code{load(0, 4), 0x2101, kStoreR1, load(0, 4), kStoreHalfR1, kWait,  load(0, 3), kStoreR1, kStay,
                  kNothing,   0xE100, 0xE000,   0x0000,     0x6000,       0x0014, 0x4000,     0x4770,   0x0000};
  Ticks woken{};
  Fixture fixture(
      small_program(code, 32),
      [&woken](Fixture& f) {
        f.start();
        woken = f.cpu.now();
        EXPECT_EQ(f.part.written_at, nanoseconds{400});
      },
      quantum);
  fixture.cpu.rethrow_error();
  return woken;
}

// Four instructions, the store and its 200 ns, 70 us of work from the store's begin on; then the handler and two more.
// A store begins where its instruction does.
constexpr Ticks kWoken = nanoseconds{400} + kBusy + nanoseconds{100} * 3;

TEST(CoreProcessor, the_ready_edge_wakes_the_core_at_its_time) { EXPECT_EQ(woken_at(std::chrono::seconds{1}), kWoken); }
TEST(CoreProcessor, the_ready_edge_does_not_depend_on_the_quantum) { EXPECT_EQ(woken_at(Ticks{700}), kWoken); }

TEST(CoreProcessor, an_illegal_instruction_ends_the_run_with_its_place) {
  const std::string text = failure(small_program({kNothing, 0xDE00}));
  EXPECT_NE(text.find("small.elf: the firmware stops by itself: illegal instruction"), std::string::npos) << text;
  EXPECT_NE(text.find("at main+0x2 (0x82)"), std::string::npos) << text;
  EXPECT_NE(text.find("pc=82"), std::string::npos) << text;
}

TEST(CoreProcessor, an_access_that_nobody_answers_ends_the_run_with_its_address) {
  const std::string text = failure(small_program({load(0, 0), kReadHalfR1, 0x0000, 0x5000}));
  EXPECT_NE(text.find("bus error at 0x50000000"), std::string::npos) << text;
}

TEST(CoreProcessor, a_stack_without_end_is_named) {
  // push {r0-r7, lr}; b to it
  const std::string text = failure(small_program({0xB5FF, 0xE7FD}));
  EXPECT_NE(text.find("needs more stack than there is"), std::string::npos) << text;
}

TEST(CoreProcessor, sleep_without_an_end_is_named) {
  const std::string text = failure(small_program({kWait, kStay}));
  EXPECT_NE(text.find("sleeps, and nothing will ever wake it"), std::string::npos) << text;
}

TEST(CoreProcessor, a_program_that_does_nothing_for_who_waits_is_named) {
  const std::string text = failure(small_program({kStay}));
  EXPECT_NE(text.find("has asked neither the part nor the host queue for 20 s"), std::string::npos) << text;
}

TEST(CoreProcessor, a_program_that_ends_says_why) {
  // The text lies behind the literals.
  const Code code{load(0, 1), load(1, 2), kStoreR1, kStay, 0x0018, 0x4000, 0x0090, 0x0000, 'n' | 'o' << 8, 0x0000};
  const std::string text = failure(small_program(code));
  EXPECT_NE(text.find("has ended: no;"), std::string::npos) << text;
}

TEST(CoreProcessor, a_completion_of_nothing_is_named) {
  const Code code{load(0, 1), 0x2105, kStoreR1, kStay, 0x0024, 0x4000};
  const std::string text = failure(small_program(code));
  EXPECT_NE(text.find("completes a request that is not in flight, tag 0"), std::string::npos) << text;
}

/// Power is lost so many instructions behind the report: the first does nothing, and the second is this one.
void lose_power_behind(std::uint64_t instructions, std::uint16_t second) {
  const Code code{load(0, 2), kStoreR1, kNothing, second, kStay, kNothing, 0x0014, 0x4000};
  Fixture fixture(small_program(code), [instructions](Fixture& f) {
    f.start();
    const std::uint64_t last = f.cpu.core_totals()->instructions + instructions;
    f.cpu.lose_power_behind(last);
    EXPECT_THROW(f.cpu.advance(std::chrono::seconds{1}), PowerLost);
    EXPECT_EQ(f.cpu.core_totals()->instructions, last);
    f.start();
    f.cpu.advance(microseconds{10});
    EXPECT_GT(f.cpu.core_totals()->instructions, last) << "once";
  });
  fixture.cpu.rethrow_error();
}

TEST(CoreProcessor, power_is_lost_behind_so_many_instructions) { lose_power_behind(1'000, kNothing); }
TEST(CoreProcessor, power_is_lost_behind_the_instruction_that_was_to_sleep) { lose_power_behind(2, kWait); }

}  // namespace
}  // namespace ftlab::platform
