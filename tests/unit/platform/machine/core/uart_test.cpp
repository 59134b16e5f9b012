// Text that firmware writes to the UART comes out line by line.
#include "platform/machine/core/uart.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hw/regs/uart_regs.h"
#include "tests/unit/platform/machine/core/bus_master.h"

namespace ftlab::platform {
namespace {

using Lines = std::vector<std::string>;

struct Terminal {
  void type(std::string_view text) {
    for (const char c : text) {
      std::uint32_t value = static_cast<unsigned char>(c);
      EXPECT_EQ(master.access(tlm::TLM_WRITE_COMMAND, hw::uart::reg::kData, value, 1), tlm::TLM_OK_RESPONSE);
    }
  }

  Lines lines;
  Uart uart{"uart", [this](std::string_view line) { lines.emplace_back(line); }};
  BusMaster master{"master", uart};
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
  EXPECT_EQ(terminal.master.read(hw::uart::reg::kFlags), hw::uart::kNothingToSend | hw::uart::kNothingReceived);
  terminal.master.write(hw::uart::reg::kControl, 0x301);
  EXPECT_EQ(terminal.master.read(hw::uart::reg::kControl), 0x301U);
  EXPECT_EQ(terminal.master.read(hw::uart::reg::kData), 0U);
  EXPECT_FALSE(terminal.master.has(tlm::TLM_READ_COMMAND, 0x100));
  EXPECT_FALSE(terminal.master.has(tlm::TLM_WRITE_COMMAND, hw::uart::reg::kFlags));
}

}  // namespace
}  // namespace ftlab::platform
