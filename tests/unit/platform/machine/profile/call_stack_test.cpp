#include "platform/machine/profile/call_stack.h"

#include <gtest/gtest.h>

#include <vector>

namespace ftlab::platform {
namespace {

/// Functions 1, 2, ... lie at 0x100, 0x200, ...
Position at(std::uint32_t pc, std::uint32_t sp, std::uint32_t return_address = 0, bool interrupts = false) {
  return {pc, sp, return_address, pc >> 8, (pc & 0xFF) == 0, interrupts};
}

class CallStackTest : public ::testing::Test {
 protected:
  CallStackTest() { stack_.begin(at(0x100, 0x1000)); }
  std::vector<Function> after(const Position& now) {
    stack_.follow(now);
    std::vector<Function> functions;
    for (const CallStack::Frame& frame : stack_.frames()) functions.push_back(frame.function);
    return functions;
  }
  using Functions = std::vector<Function>;

  CallStack stack_;
};

TEST_F(CallStackTest, calls_and_returns) {
  EXPECT_EQ(after(at(0x102, 0xFF0)), Functions{1});
  EXPECT_EQ(after(at(0x200, 0xFF0, 0x106)), (Functions{1, 2})) << "by an instruction of four bytes";
  EXPECT_EQ(after(at(0x202, 0xFE0, 0x106)), (Functions{1, 2}));
  EXPECT_EQ(after(at(0x300, 0xFE0, 0x204)), (Functions{1, 2, 3}));
  EXPECT_EQ(after(at(0x302, 0xFE0, 0x204)), (Functions{1, 2, 3}));
  EXPECT_EQ(after(at(0x204, 0xFE0, 0x204)), (Functions{1, 2})) << "a leaf, which has not touched the stack";
  EXPECT_EQ(after(at(0x106, 0xFF0)), Functions{1});
}

TEST_F(CallStackTest, a_function_may_call_itself) {
  EXPECT_EQ(after(at(0x200, 0xFF0, 0x102)), (Functions{1, 2}));
  EXPECT_EQ(after(at(0x202, 0xFE0)), (Functions{1, 2}));
  EXPECT_EQ(after(at(0x200, 0xFE0, 0x204)), (Functions{1, 2, 2}));
  EXPECT_EQ(after(at(0x210, 0xFE0, 0x204)), (Functions{1, 2, 2}));
  EXPECT_EQ(after(at(0x204, 0xFE0)), (Functions{1, 2}));
}

TEST_F(CallStackTest, a_loop_that_begins_where_its_function_does_is_no_call) {
  EXPECT_EQ(after(at(0x200, 0xFF0, 0x102)), (Functions{1, 2}));
  EXPECT_EQ(after(at(0x202, 0xFF0, 0x102)), (Functions{1, 2}));
  EXPECT_EQ(after(at(0x200, 0xFF0, 0x102)), (Functions{1, 2}));
  EXPECT_EQ(after(at(0x102, 0xFF0, 0x102)), Functions{1});
}

TEST_F(CallStackTest, a_jump_to_another_function_takes_the_place_of_who_made_it) {
  EXPECT_EQ(after(at(0x200, 0xFF0, 0x102)), (Functions{1, 2}));
  EXPECT_EQ(after(at(0x300, 0xFF0, 0x102)), (Functions{1, 3}));
  EXPECT_EQ(after(at(0x102, 0xFF0, 0x102)), Functions{1});
}

TEST_F(CallStackTest, several_may_end_at_once) {
  after(at(0x200, 0xFF0, 0x102));
  after(at(0x202, 0xFE0, 0x102));
  EXPECT_EQ(after(at(0x300, 0xFE0, 0x204)), (Functions{1, 2, 3}));
  EXPECT_EQ(after(at(0x102, 0xFF0, 0x204)), Functions{1});
}

TEST_F(CallStackTest, a_handler_lies_on_what_it_interrupts) {
  EXPECT_EQ(after(at(0x200, 0xFF0, 0x102)), (Functions{1, 2}));
  // With registers on the stack, and without.
  for (const std::uint32_t sp : {0xFD0U, 0xFF0U}) {
    EXPECT_EQ(after(at(0x402, sp - 8, 0xFFFFFFF8, true)), (Functions{1, 2, 4}));
    EXPECT_EQ(after(at(0x404, sp - 16)), (Functions{1, 2, 4}));
    EXPECT_EQ(after(at(0x500, sp - 16, 0x406)), (Functions{1, 2, 4, 5}));
    EXPECT_EQ(after(at(0x406, sp - 16)), (Functions{1, 2, 4}));
    EXPECT_EQ(after(at(0x420, sp)), (Functions{1, 2, 4})) << "its last instruction";
    EXPECT_EQ(after(at(0x210, 0xFF0, 0x102)), (Functions{1, 2}));
  }
}

TEST_F(CallStackTest, says_how_many_frames_are_as_they_were) {
  EXPECT_EQ(stack_.follow(at(0x200, 0xFF0, 0x102)), 1U);
  EXPECT_EQ(stack_.follow(at(0x202, 0xFF0, 0x102)), 2U);
  EXPECT_EQ(stack_.follow(at(0x300, 0xFF0, 0x102)), 1U) << "the second is another";
  EXPECT_EQ(stack_.follow(at(0x102, 0xFF0)), 1U);
}

}  // namespace
}  // namespace ftlab::platform
