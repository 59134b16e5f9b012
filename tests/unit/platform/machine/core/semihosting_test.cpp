// A program that calls by a breakpoint instruction; one simulation a process, so one call a test.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/platform/machine/core/processor_fixture.h"
#include "tests/unit/platform/machine/core/small_program.h"

namespace ftlab::platform {
namespace {

/// movs r0, #operation; movs r1, #7; bkpt
std::string arm_end(std::uint16_t operation, std::uint16_t bkpt) {
  return failure(small_program({static_cast<std::uint16_t>(0x2000U | operation), 0x2107, bkpt}));
}

/// li a0, operation; li a1, 7; slli x0, x0, 31; ebreak; the last word.
std::string riscv_end(std::uint32_t operation, std::uint32_t last) {
  return failure(small_riscv_program({operation << 20 | 0x513, 0x00700593, 0x01F01013, 0x00100073, last}));
}

bool holds(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

constexpr std::uint32_t kBehind = 0x40705013;
constexpr std::uint32_t kNothing = 0x00000013;

TEST(Semihosting, an_arm_program_ends_with_its_reason) {
  EXPECT_TRUE(holds(arm_end(0x18, 0xBEAB), "has ended by semihosting, for the reason 0x7; at main+0x4"));
}
TEST(Semihosting, an_operation_that_the_board_has_not_is_named) {
  EXPECT_TRUE(holds(arm_end(0x02, 0xBEAB), "asks for operation 0x2 of semihosting"));
}
TEST(Semihosting, another_breakpoint_of_arm_is_a_mistake) {
  EXPECT_TRUE(holds(arm_end(0x18, 0xBE00), "stops by itself: breakpoint"));
}
TEST(Semihosting, a_riscv_program_ends_with_its_reason) {
  EXPECT_TRUE(holds(riscv_end(0x18, kBehind), "has ended by semihosting, for the reason 0x7; at main+0xc"));
}
TEST(Semihosting, an_ebreak_alone_is_a_mistake) {
  EXPECT_TRUE(holds(riscv_end(0x18, kNothing), "stops by itself: breakpoint: EBREAK"));
}

}  // namespace
}  // namespace ftlab::platform
