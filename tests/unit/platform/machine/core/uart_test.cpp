// Text that firmware writes to the UART comes out line by line.
#include "platform/machine/core/uart.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hw/regs/uart_regs.h"

namespace ftlab::platform {
namespace {

using Lines = std::vector<std::string>;

struct Terminal {
  void type(std::string_view text) {
    for (const char c : text) EXPECT_TRUE(uart.write(hw::uart::reg::kData, static_cast<unsigned char>(c)));
  }

  Lines lines;
  Uart uart{[this](std::string_view line) { lines.emplace_back(line); }};
};

TEST(Uart, lines_come_out_when_they_end_and_the_last_one_at_the_end) {
  Terminal terminal;
  terminal.type("mounted\r\n\nn = 7");
  EXPECT_EQ(terminal.lines, (Lines{"mounted", ""}));
  terminal.uart.flush();
  terminal.uart.flush();
  EXPECT_EQ(terminal.lines, (Lines{"mounted", "", "n = 7"}));
}

TEST(Uart, what_is_no_text_does_not_reach_a_terminal) {
  Terminal terminal;
  terminal.type("a\tb\x1b[31m\x7f\xe4\n");
  EXPECT_EQ(terminal.lines, (Lines{"a\tb?[31m??"}));
}

TEST(Uart, a_line_without_an_end_is_cut) {
  Terminal terminal;
  terminal.type(std::string(1001, 'x'));
  ASSERT_EQ(terminal.lines.size(), 1U);
  EXPECT_EQ(terminal.lines[0].size(), 1000U);
}

TEST(Uart, is_always_ready_and_keeps_its_settings) {
  Terminal terminal;
  std::uint32_t value = 0;
  EXPECT_TRUE(terminal.uart.read(hw::uart::reg::kFlags, value));
  EXPECT_EQ(value, hw::uart::kNothingToSend | hw::uart::kNothingReceived);
  EXPECT_TRUE(terminal.uart.write(hw::uart::reg::kControl, 0x301));
  EXPECT_TRUE(terminal.uart.read(hw::uart::reg::kControl, value));
  EXPECT_EQ(value, 0x301U);
  EXPECT_TRUE(terminal.uart.read(hw::uart::reg::kData, value));
  EXPECT_EQ(value, 0U);
  EXPECT_FALSE(terminal.uart.read(0x100, value));
  EXPECT_FALSE(terminal.uart.write(hw::uart::reg::kFlags, 0));
}

}  // namespace
}  // namespace ftlab::platform
