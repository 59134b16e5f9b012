// The processor around a RISC-V core, with programs of a few instructions.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/platform/machine/core/processor_fixture.h"
#include "tests/unit/platform/machine/core/small_program.h"

namespace ftlab::platform {
namespace {

constexpr std::uint32_t kJumpHere = 0x0000006f;  // j .
constexpr std::uint32_t kNop = 0x00000013;       // nop

TEST(RiscvOnBoard, an_instruction_takes_a_cycle_and_an_access_what_part_and_bridge_take) {
  // lui a0, 0x60000; lhu a1, 0(a0); lui a2, 0x40000; sw a1, 0x14(a2): the queue's report
  Fixture fixture(small_riscv_program({0x60000537, 0x00055583, 0x40000637, 0x00b62a23, kJumpHere}), [](Fixture& f) {
    f.start();
    EXPECT_EQ(f.cpu.now(), nanoseconds{400 + 500});
    EXPECT_EQ(f.cpu.queue().report(), 0x8080U);
    f.cpu.advance(microseconds{10});
    EXPECT_EQ(f.cpu.now(), nanoseconds{10'900});
  });
  fixture.cpu.rethrow_error();
  EXPECT_EQ(fixture.ledger.totals().simulated(), fixture.cpu.now());
}

TEST(RiscvOnBoard, the_timer_wakes_the_core_at_its_cycle) {
  // lui a0, 0x2004; li a1, 50; sw a1, 0(a0); sw zero, 4(a0): mtimecmp. li a2, 0x80; csrw mie, a2; wfi. Report.
  Fixture fixture(small_riscv_program({0x02004537, 0x03200593, 0x00b52023, 0x00052223, 0x08000613, 0x30461073,
                                       0x10500073, 0x400006b7, 0x00b6aa23, kJumpHere}),
                  [](Fixture& f) {
                    f.start();
                    EXPECT_EQ(f.cpu.now(), nanoseconds{100} * (50 + 2));
                  });
  fixture.cpu.rethrow_error();
}

TEST(RiscvOnBoard, a_timer_that_comes_in_the_instruction_that_sleeps_wakes_it) {
  // The same with mtimecmp = 7: WFI begins at cycle 6.
  Fixture fixture(small_riscv_program({0x02004537, 0x00700593, 0x00b52023, 0x00052223, 0x08000613, 0x30461073,
                                       0x10500073, 0x400006b7, 0x00b6aa23, kJumpHere}),
                  [](Fixture& f) {
                    f.start();
                    EXPECT_EQ(f.cpu.now(), nanoseconds{100} * (7 + 2));
                  });
  fixture.cpu.rethrow_error();
}

TEST(RiscvOnBoard, power_is_lost_behind_so_many_instructions) {
  // mtimecmp = 50, as above, which nothing enables; lui a2, 0x40000; sw zero, 0x14(a2): the queue's report; j .
  Fixture fixture(
      small_riscv_program({0x02004537, 0x03200593, 0x00b52023, 0x00052223, 0x40000637, 0x00062a23, kJumpHere}),
      [](Fixture& f) {
        f.start();
        const std::uint64_t last = f.cpu.core_totals()->instructions + 1'000;
        f.cpu.lose_power_behind(last);
        EXPECT_THROW(f.cpu.advance(std::chrono::seconds{1}), PowerLost);
        EXPECT_EQ(f.cpu.core_totals()->instructions, last) << "the timer's cycle divides them";
      });
  fixture.cpu.rethrow_error();
}

/// A loop of an access, which takes six cycles, and two instructions, from cycle 10 on. The timer's handler reports how
/// often it was executed.
void interrupt_a_loop(Ticks quantum) {
  // lui a0, 0x2004; li a1, 100; sw a1, 0(a0); sw zero, 4(a0); li a2, 0x80; csrw mie, a2; li a3, 0x40; csrw mtvec, a3;
  // csrsi mstatus, 8; lui a6, 0x60000. lhu a4, 0(a6); addi a5, a5, 1; j to it.
  // At 0x40: lui a3, 0x40000; sw a5, 0x14(a3); j .
  Fixture fixture(
      small_riscv_program({0x02004537, 0x06400593, 0x00b52023, 0x00052223, 0x08000613, 0x30461073, 0x04000693,
                           0x30569073, 0x30046073, 0x60000837, 0x00085703, 0x00178793, 0xff9ff06f, kNop, kNop, kNop,
                           0x400006b7, 0x00f6aa23, kJumpHere}),
      [](Fixture& f) {
        f.start();
        // The access that begins at cycle 98 ends at 104; nothing begins before the handler.
        EXPECT_EQ(f.cpu.queue().report(), 11U);
        EXPECT_EQ(f.cpu.now(), nanoseconds{100} * (104 + 2));
      },
      quantum);
  fixture.cpu.rethrow_error();
}
TEST(RiscvOnBoard, the_timer_interrupts_in_front_of_the_first_instruction_behind_its_cycle) {
  interrupt_a_loop(std::chrono::seconds{1});
}
TEST(RiscvOnBoard, the_timer_does_not_depend_on_the_quantum) { interrupt_a_loop(Ticks{700}); }

TEST(RiscvOnBoard, mistakes_of_a_program_end_the_run_with_their_place) {
  const std::string text = failure(small_riscv_program({kNop, 0xffffffff}));
  EXPECT_NE(text.find("small.elf: the firmware stops by itself: illegal instruction: the code 0xffffffff"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("at main+0x4 (0x4)"), std::string::npos) << text;
  EXPECT_NE(text.find("pc=4 ra=0 sp=0"), std::string::npos) << text;
}

TEST(RiscvOnBoard, an_access_that_nobody_answers_ends_the_run_with_its_address) {
  // lui a0, 0x50000; lhu a1, 0(a0)
  const std::string text = failure(small_riscv_program({0x50000537, 0x00055583}));
  EXPECT_NE(text.find("bus error at 0x50000000"), std::string::npos) << text;
}

TEST(RiscvOnBoard, sleep_without_an_end_is_named) {
  const std::string text = failure(small_riscv_program({0x10500073, kJumpHere}));
  EXPECT_NE(text.find("sleeps, and nothing will ever wake it"), std::string::npos) << text;
}

}  // namespace
}  // namespace ftlab::platform
