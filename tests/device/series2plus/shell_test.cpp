// What is particular about the card as a SystemC module; the contract that all parts share is in tests/device/shell.
#include "hw/series2plus/shell.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>

#include "hw/regs/series2plus_regs.h"
#include "hw/shell/bus_pace.h"
#include "tests/device/shell/families.h"
#include "tests/device/shell/master.h"

extern "C" int sc_main(int, char**) { return 0; }

namespace ftlab::hw {
namespace {

namespace command = series2plus::command;
using sc_core::sc_time;
using testing::Bytes;
using testing::Master;

class CardModule : public ::testing::Test {
 protected:
  CardModule() { sc_core::sc_set_time_resolution(100, sc_core::SC_PS); }

  static void run(LineStyle style, const std::function<void(Master&, Series2PlusCard&)>& script) {
    Series2PlusCard card("card", testing::Series2PlusFamily::spec(), {}, style);
    testing::Series2PlusFamily::power_on(card);
    testing::run_on(card, [&](Master& master) { script(master, card); });
  }
  static void give(Master& master, std::uint64_t address, std::uint8_t code) {
    master.write16(address, series2plus::doubled(code));
  }
};

TEST_F(CardModule, bursts_and_attribute_cycles_take_the_cards_own_times) {
  run(LineStyle::asked, [](Master& master, Series2PlusCard& card) {
    Bytes data(4096);
    sc_time delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(master.read(0, data, delay), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(delay, sc_time(2048 * 150, sc_core::SC_NS));
    EXPECT_EQ(data[0], 0xFF);
    Bytes cis(1);
    delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(master.access(tlm::TLM_READ_COMMAND, 0, cis, delay, 0, "attribute"), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(delay, sc_time(300, sc_core::SC_NS));
    EXPECT_EQ(cis[0], 0x01);
    EXPECT_EQ(card.core().access_totals()[0].bytes, 4096U);
  });
}

TEST_F(CardModule, a_slow_master_spreads_the_cycles_of_a_burst) {
  run(LineStyle::asked, [](Master& master, Series2PlusCard&) {
    Bytes data(64);
    BusPace pace;
    pace.read_cycle = Ticks{5'000};
    testing::WordRead payload(0, data.data());
    payload.set_data_length(64);
    payload.set_streaming_width(64);
    payload.set_extension(&pace);
    sc_time delay = sc_core::SC_ZERO_TIME;
    master.window("common")->b_transport(payload, delay);
    payload.clear_extension(&pace);
    EXPECT_EQ(delay, to_sc_time(pace.read_cycle * 32));
  });
}

TEST_F(CardModule, driven_line_follows_suspend_and_overlapping_pairs) {
  run(LineStyle::driven, [](Master& master, Series2PlusCard& card) {
    const CardTiming& timing = card.core().spec().timing;
    give(master, 0, command::kErase);
    give(master, 0, command::kConfirm);
    sc_core::wait(1, sc_core::SC_MS);
    give(master, 0, command::kSuspend);
    const Ticks asked = Master::now();
    sc_core::wait(master.line.posedge_event());
    EXPECT_EQ(Master::now(), asked + timing.erase_suspend);
    give(master, 4 * 1024 * 1024, command::kErase);
    give(master, 4 * 1024 * 1024, command::kConfirm);
    const Ticks second = Master::now();
    sc_core::wait(master.line.posedge_event());
    EXPECT_EQ(Master::now(), second + timing.erase);
  });
}

TEST_F(CardModule, driven_and_asked_cards_do_the_same) {
  run(LineStyle::driven, [](Master& master, Series2PlusCard& card) {
    CardCore twin(testing::Series2PlusFamily::spec(), {});
    twin.set_vpp_pin(Ticks::zero(), true);
    const auto both = [&](std::uint32_t address, std::uint8_t code) {
      const std::array<std::byte, 2> data{std::byte{code}, std::byte{code}};
      twin.common().write(Master::now(), address, data);
      give(master, address, code);
    };
    for (int i = 0; i < 5; ++i) {
      both(0, command::kErase);
      both(0, command::kConfirm);
      sc_core::wait(master.line.posedge_event());
      both(0, command::kReadCsr);
    }
    EXPECT_EQ(card.core().erase_count(0), 5U);
    EXPECT_EQ(twin.erase_count(0), 5U);
  });
}

}  // namespace
}  // namespace ftlab::hw
