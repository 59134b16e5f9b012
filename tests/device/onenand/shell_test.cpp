// What is particular about the Flex-OneNAND as a SystemC module; the contract that all parts share is in
// tests/device/shell.
#include "hw/onenand/shell.h"

#include <gtest/gtest.h>

#include <functional>

#include "hw/regs/onenand_regs.h"
#include "hw/shell/bus_pace.h"
#include "tests/device/shell/families.h"
#include "tests/device/shell/master.h"

extern "C" int sc_main(int, char**) { return 0; }

namespace ftlab::hw {
namespace {

namespace regs = flexonenand;
namespace reg = flexonenand::reg;
using sc_core::sc_time;
using testing::Bytes;
using testing::Master;

class FlexOneNandModule : public ::testing::Test {
 protected:
  FlexOneNandModule() { sc_core::sc_set_time_resolution(100, sc_core::SC_PS); }

  static void run(LineStyle style, const std::function<void(Master&, FlexOneNand&)>& script) {
    FlexOneNand device("device", testing::FlexOneNandFamily::spec(), {}, style);
    testing::run_on(device, [&](Master& master) { script(master, device); });
  }
};

TEST_F(FlexOneNandModule, bursts_in_data_ram_take_the_parts_own_cycles) {
  run(LineStyle::asked, [](Master& master, FlexOneNand& device) {
    Bytes page(4096, 0xA5);
    sc_time delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(master.write(regs::area::kDataRam, page, delay), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(delay, sc_time(2048 * 70, sc_core::SC_NS));
    Bytes back(4096);
    delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(master.read(regs::area::kDataRam, back, delay), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(delay, sc_time(2048 * 76, sc_core::SC_NS));
    EXPECT_EQ(back, page);
    EXPECT_EQ(device.core().access_totals()[static_cast<std::size_t>(DeviceOpKind::buffer_load)].bytes, 4096U);
  });
}

TEST_F(FlexOneNandModule, a_burst_runs_at_the_parts_own_pace_whatever_the_masters) {
  run(LineStyle::asked, [](Master& master, FlexOneNand&) {
    Bytes data(64);
    BusPace pace;
    pace.read_cycle = Ticks{5'000};
    testing::WordRead payload(regs::area::kDataRam, data.data());
    payload.set_data_length(64);
    payload.set_streaming_width(64);
    payload.set_extension(&pace);
    sc_time delay = sc_core::SC_ZERO_TIME;
    master.window()->b_transport(payload, delay);
    payload.clear_extension(&pace);
    EXPECT_EQ(delay, sc_time(32 * 76, sc_core::SC_NS));
  });
}

TEST_F(FlexOneNandModule, pins_that_are_off_drive_no_interrupt) {
  run(LineStyle::driven, [](Master& master, FlexOneNand& device) {
    EXPECT_FALSE(master.line.read());
    master.write16(reg::kCommand, regs::command::kUnlockAll);
    EXPECT_EQ(master.hint->next_ready_edge(Master::now()), kNever);
    sc_core::wait(to_sc_time(device.core().spec().timing.unlock_all));
    Master::let_line_follow();
    EXPECT_FALSE(master.line.read());
    EXPECT_NE(master.read16(reg::kInterrupt) & regs::interrupt::kInt, 0);
  });
}

TEST_F(FlexOneNandModule, interrupt_rises_exactly_when_a_page_is_programmed) {
  run(LineStyle::driven, [](Master& master, FlexOneNand& device) {
    testing::FlexOneNandFamily::enable_line(master);
    testing::FlexOneNandFamily::make_busy(master);  // unlocks all segments
    sc_core::wait(master.line.posedge_event());
    for (std::uint32_t page = 0; page < 6; ++page) {
      master.write16(reg::kStartAddress1, 5);
      master.write16(reg::kStartAddress8, static_cast<std::uint16_t>(page << 2));
      master.write16(reg::kStartBuffer, regs::kStartBufferPage);
      master.write16(reg::kCommand, regs::command::kProgram);
      Master::let_line_follow();
      EXPECT_FALSE(master.line.read());
      sc_core::wait(master.line.posedge_event());
      EXPECT_EQ(master.read16(reg::kInterrupt), regs::interrupt::kInt | regs::interrupt::kWrite);
      EXPECT_TRUE(device.core().is_programmed(5, page));
    }
  });
}

}  // namespace
}  // namespace ftlab::hw
