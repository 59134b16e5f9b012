// The card as a SystemC module: payload rules on both sockets, delays, inspection, ready line in both modes.
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <functional>
#include <systemc>
#include <tlm>
#include <vector>

#include "common/toml/toml_file.h"
#include "hw/regs/series2plus_regs.h"
#include "hw/series2plus/card_core.h"
#include "hw/series2plus/series2plus_card.h"

int sc_main(int, char**) { return 0; }

namespace ftlab::hw {
namespace {

namespace command = series2plus::command;
using sc_core::sc_time;

sc_time time_of(Ticks t) { return sc_time::from_value(static_cast<sc_dt::uint64>(t.count())); }

CardSpec part() {
  auto file = spec::TomlFile::load(FTLAB_PART_DIR "/series2plus-8mb.toml");
  return load_card_spec(file, Voltage::v5);
}

/// A master that runs one script as a kernel thread.
struct Master : sc_core::sc_module {
  SC_HAS_PROCESS(Master);
  tlm_utils::simple_initiator_socket<Master, 16> common;
  tlm_utils::simple_initiator_socket<Master, 16> attribute;
  sc_core::sc_in<bool> ready;
  sc_core::sc_port<TimeHintIf> hint;
  std::function<void()> script;
  bool finished = false;

  explicit Master(sc_core::sc_module_name name)
      : sc_module(name), common("common"), attribute("attribute"), ready("ready"), hint("hint") {
    SC_THREAD(run);
  }
  void run() {
    script();
    finished = true;
  }
  tlm::tlm_response_status access(bool write, std::uint64_t address, std::vector<unsigned char>& data, sc_time& delay,
                                  unsigned streaming = 0, bool attribute_window = false) {
    tlm::tlm_generic_payload payload;
    payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload.set_address(address);
    payload.set_data_ptr(data.data());
    payload.set_data_length(static_cast<unsigned>(data.size()));
    payload.set_streaming_width(streaming == 0 ? static_cast<unsigned>(data.size()) : streaming);
    (attribute_window ? attribute : common)->b_transport(payload, delay);
    return payload.get_response_status();
  }
  /// Doubled command; waits for the bus time.
  void command16(std::uint64_t address, std::uint8_t code) {
    std::vector<unsigned char> data{code, code};
    sc_time delay = sc_core::SC_ZERO_TIME;
    ASSERT_EQ(access(true, address, data, delay), tlm::TLM_OK_RESPONSE);
    wait(delay);
  }
};

class CardModule : public ::testing::Test {
 protected:
  CardModule() { sc_core::sc_set_time_resolution(100, sc_core::SC_PS); }

  void run(bool event_accurate, const std::function<void(Master&, Series2PlusCard&)>& script) {
    CardOptions options;
    options.event_accurate = event_accurate;
    Series2PlusCard card("card", part(), options);
    Master master("master");
    sc_core::sc_signal<bool> line("line");
    master.common.bind(card.common_target);
    master.attribute.bind(card.attribute_target);
    card.ready.bind(line);
    master.ready.bind(line);
    master.hint.bind(card.hint);
    card.core().set_vpp_pin(Ticks::zero(), true);
    master.script = [&] { script(master, card); };
    sc_core::sc_start();
    EXPECT_TRUE(master.finished);
  }
};

TEST_F(CardModule, delay_grows_by_the_cards_own_cycles) {
  run(false, [](Master& master, Series2PlusCard& card) {
    std::vector<unsigned char> data(4096);
    sc_time delay(1, sc_core::SC_US);
    EXPECT_EQ(master.access(false, 0, data, delay), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(delay, sc_time(1, sc_core::SC_US) + sc_time(2048 * 150, sc_core::SC_NS));
    EXPECT_EQ(data[0], 0xFF);
    std::vector<unsigned char> cis(1);
    delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(master.access(false, 0, cis, delay, 0, true), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(delay, sc_time(300, sc_core::SC_NS));
    EXPECT_EQ(cis[0], 0x01);
    EXPECT_EQ(card.core().access_totals()[0].bytes, 4096U);
  });
}

TEST_F(CardModule, access_begins_at_kernel_time_plus_delay) {
  run(false, [](Master& master, Series2PlusCard& card) {
    const Ticks erase = card.core().spec().timing.erase;
    std::vector<unsigned char> setup{command::kErase, command::kErase};
    std::vector<unsigned char> confirm{command::kConfirm, command::kConfirm};
    sc_time delay = sc_core::SC_ZERO_TIME;
    master.access(true, 0, setup, delay);
    master.access(true, 0, confirm, delay);
    const Ticks begin{static_cast<std::int64_t>(delay.value())};
    EXPECT_EQ(master.hint->next_ready_edge(begin), begin + erase);
    std::vector<unsigned char> status(2);
    sc_time before = time_of(begin + erase - Ticks{1});
    master.access(false, 0, status, before);
    EXPECT_EQ(status[0], 0x00);
    sc_time at = time_of(begin + erase);
    master.access(false, 0, status, at);
    EXPECT_EQ(status[1], 0x80);
    EXPECT_EQ(card.core().erase_count(0), 1U);
  });
}

TEST_F(CardModule, bad_payloads_get_their_error_response) {
  run(false, [](Master& master, Series2PlusCard&) {
    std::vector<unsigned char> one(1);
    std::vector<unsigned char> three(3);
    std::vector<unsigned char> eight(8);
    sc_time delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(master.access(false, 0, three, delay), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(master.access(false, 1, eight, delay), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(master.access(false, 0, eight, delay, 4), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(master.access(false, 8 * 1024 * 1024, one, delay), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(master.access(false, 1ULL << 33, one, delay), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(delay, sc_core::SC_ZERO_TIME) << "an impossible access takes no time";
    tlm::tlm_generic_payload payload;
    payload.set_data_ptr(one.data());
    payload.set_data_length(1);
    payload.set_streaming_width(1);
    payload.set_command(tlm::TLM_IGNORE_COMMAND);
    master.common->b_transport(payload, delay);
    EXPECT_EQ(payload.get_response_status(), tlm::TLM_COMMAND_ERROR_RESPONSE);
    unsigned char enable = 0xFF;
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_byte_enable_ptr(&enable);
    payload.set_byte_enable_length(1);
    master.common->b_transport(payload, delay);
    EXPECT_EQ(payload.get_response_status(), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  });
}

TEST_F(CardModule, streaming_width_two_repeats_one_address) {
  run(false, [](Master& master, Series2PlusCard&) {
    master.command16(0, command::kReadCsr);
    std::vector<unsigned char> status(8);
    sc_time delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(master.access(false, 0, status, delay, 2), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(status, std::vector<unsigned char>(8, 0x80));
    EXPECT_EQ(delay, sc_time(600, sc_core::SC_NS));
  });
}

TEST_F(CardModule, debug_transport_sees_the_array_and_takes_no_time) {
  run(false, [](Master& master, Series2PlusCard& card) {
    master.command16(0, command::kReadCsr);
    std::array<unsigned char, 4> data{1, 2, 3, 4};
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_WRITE_COMMAND);
    payload.set_address(100);
    payload.set_data_ptr(data.data());
    payload.set_data_length(4);
    EXPECT_EQ(master.common->transport_dbg(payload), 4U);
    std::array<std::byte, 4> seen{};
    card.core().peek(100, seen);
    EXPECT_EQ(seen[3], std::byte{4});
    payload.set_address(8 * 1024 * 1024 - 2);
    EXPECT_EQ(master.common->transport_dbg(payload), 2U) << "cut at the end of the card";
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(master.common->get_direct_mem_ptr(payload, dmi));
  });
}

TEST_F(CardModule, non_blocking_transport_completes_at_the_request) {
  run(false, [](Master& master, Series2PlusCard&) {
    std::array<unsigned char, 2> data{};
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(0);
    payload.set_data_ptr(data.data());
    payload.set_data_length(2);
    payload.set_streaming_width(2);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(master.common->nb_transport_fw(payload, phase, delay), tlm::TLM_COMPLETED);
    EXPECT_EQ(delay, sc_time(150, sc_core::SC_NS));
    EXPECT_EQ(data[0], 0xFF);
  });
}

TEST_F(CardModule, event_mode_drives_the_ready_line_at_its_tick) {
  run(true, [](Master& master, Series2PlusCard& card) {
    sc_core::wait(1, sc_core::SC_US);
    EXPECT_TRUE(master.ready.read());
    master.command16(0, command::kErase);
    master.command16(0, command::kConfirm);
    const sc_time begin = sc_core::sc_time_stamp();
    sc_core::wait(sc_core::SC_ZERO_TIME);
    sc_core::wait(sc_core::SC_ZERO_TIME);
    EXPECT_FALSE(master.ready.read());
    sc_core::wait(master.ready.posedge_event());
    EXPECT_EQ(sc_core::sc_time_stamp(), begin + time_of(card.core().spec().timing.erase));
    EXPECT_EQ(card.core().erase_count(0), 1U) << "settled by the notification";
  });
}

TEST_F(CardModule, event_mode_follows_suspend_and_overlapping_pairs) {
  run(true, [](Master& master, Series2PlusCard& card) {
    const CardTiming& timing = card.core().spec().timing;
    master.command16(0, command::kErase);
    master.command16(0, command::kConfirm);
    sc_core::wait(1, sc_core::SC_MS);
    master.command16(0, command::kSuspend);
    const sc_time asked = sc_core::sc_time_stamp();
    sc_core::wait(master.ready.posedge_event());
    EXPECT_EQ(sc_core::sc_time_stamp(), asked + time_of(timing.erase_suspend));
    master.command16(4 * 1024 * 1024, command::kErase);
    master.command16(4 * 1024 * 1024, command::kConfirm);
    const sc_time second = sc_core::sc_time_stamp();
    sc_core::wait(master.ready.posedge_event());
    EXPECT_EQ(sc_core::sc_time_stamp(), second + time_of(timing.erase));
  });
}

TEST_F(CardModule, both_modes_give_the_same_status_and_counts) {
  run(true, [](Master& master, Series2PlusCard& card) {
    CardCore twin(part(), {});
    twin.set_vpp_pin(Ticks::zero(), true);
    const auto both = [&](std::uint64_t address, std::uint8_t code) {
      const Ticks now{static_cast<std::int64_t>(sc_core::sc_time_stamp().value())};
      const std::array<std::byte, 2> data{std::byte{code}, std::byte{code}};
      twin.write(Window::common, now, static_cast<std::uint32_t>(address), data);
      master.command16(address, code);
    };
    for (int i = 0; i < 5; ++i) {
      both(0, command::kErase);
      both(0, command::kConfirm);
      sc_core::wait(master.ready.posedge_event());
      both(0, command::kReadCsr);
    }
    EXPECT_EQ(card.core().erase_count(0), 5U);
    EXPECT_EQ(twin.erase_count(0), 5U);
  });
}

TEST(CardModuleResolution, wrong_time_resolution_is_refused) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
  try {
    Series2PlusCard card("card", part(), {});
    FAIL() << "built with the default resolution";
  } catch (const sc_core::sc_report& report) {
    EXPECT_NE(std::string(report.what()).find("100 ps"), std::string::npos);
  }
}

}  // namespace
}  // namespace ftlab::hw
