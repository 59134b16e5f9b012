// The Flex-OneNAND as a SystemC module: payload rules, delays, inspection, interrupt line in both modes.
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <functional>
#include <systemc>
#include <tlm>
#include <vector>

#include "common/toml/toml_file.h"
#include "hw/onenand/flex_onenand.h"
#include "hw/onenand/onenand_core.h"
#include "hw/regs/onenand_regs.h"

extern "C" int sc_main(int, char**) { return 0; }

namespace ftlab::hw {
namespace {

namespace regs = flexonenand;
namespace reg = flexonenand::reg;
using sc_core::sc_time;

OneNandSpec part() {
  auto file = spec::TomlFile::load(FTLAB_PART_DIR "/flexonenand-4gb.toml");
  return load_onenand_spec(file);
}

/// A master that runs one script as a kernel thread.
struct Master : sc_core::sc_module {
  SC_HAS_PROCESS(Master);
  tlm_utils::simple_initiator_socket<Master, 16> bus;
  sc_core::sc_in<bool> interrupt;
  sc_core::sc_port<TimeHintIf> hint;
  std::function<void()> script;
  bool finished = false;

  explicit Master(sc_core::sc_module_name name) : sc_module(name), bus("bus"), interrupt("interrupt"), hint("hint") {
    SC_THREAD(run);
  }
  void run() {
    script();
    finished = true;
  }
  tlm::tlm_response_status access(bool write, std::uint64_t address, std::vector<unsigned char>& data, sc_time& delay,
                                  unsigned streaming = 0) {
    tlm::tlm_generic_payload payload;
    payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload.set_address(address);
    payload.set_data_ptr(data.data());
    payload.set_data_length(static_cast<unsigned>(data.size()));
    payload.set_streaming_width(streaming == 0 ? static_cast<unsigned>(data.size()) : streaming);
    bus->b_transport(payload, delay);
    return payload.get_response_status();
  }
  /// Waits for the bus time.
  void write16(std::uint64_t address, std::uint16_t value) {
    std::vector<unsigned char> data{static_cast<unsigned char>(value & 0xFF), static_cast<unsigned char>(value >> 8)};
    sc_time delay = sc_core::SC_ZERO_TIME;
    ASSERT_EQ(access(true, address, data, delay), tlm::TLM_OK_RESPONSE);
    wait(delay);
  }
  std::uint16_t read16(std::uint64_t address) {
    std::vector<unsigned char> data(2);
    sc_time delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(access(false, address, data, delay), tlm::TLM_OK_RESPONSE);
    wait(delay);
    return static_cast<std::uint16_t>(data[0] | data[1] << 8);
  }
};

class FlexOneNandModule : public ::testing::Test {
 protected:
  FlexOneNandModule() { sc_core::sc_set_time_resolution(100, sc_core::SC_PS); }

  void run(bool event_accurate, const std::function<void(Master&, FlexOneNand&)>& script) {
    FlexOneNandOptions options;
    options.event_accurate = event_accurate;
    FlexOneNand device("device", part(), options);
    Master master("master");
    sc_core::sc_signal<bool> line("line");
    master.bus.bind(device.bus_target);
    device.interrupt.bind(line);
    master.interrupt.bind(line);
    master.hint.bind(device.hint);
    master.script = [&] { script(master, device); };
    sc_core::sc_start();
    EXPECT_TRUE(master.finished);
  }
};

TEST_F(FlexOneNandModule, delay_grows_by_the_devices_own_cycles) {
  run(false, [](Master& master, FlexOneNand& device) {
    std::vector<unsigned char> page(4096, 0xA5);
    sc_time delay(1, sc_core::SC_US);
    EXPECT_EQ(master.access(true, regs::area::kDataRam, page, delay), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(delay, sc_time(1, sc_core::SC_US) + sc_time(2048 * 70, sc_core::SC_NS));
    std::vector<unsigned char> back(4096);
    delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(master.access(false, regs::area::kDataRam, back, delay), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(delay, sc_time(2048 * 76, sc_core::SC_NS));
    EXPECT_EQ(back, page);
    EXPECT_EQ(device.core().access_totals()[static_cast<std::size_t>(DeviceOpKind::buffer_load)].bytes, 4096U);
  });
}

TEST_F(FlexOneNandModule, access_begins_at_kernel_time_plus_delay) {
  run(false, [](Master& master, FlexOneNand&) {
    std::vector<unsigned char> load{regs::command::kUnlockAll, 0};
    sc_time delay = sc_core::SC_ZERO_TIME;
    master.access(true, reg::kCommand, load, delay);
    const Ticks begin{static_cast<std::int64_t>(delay.value())};
    const Ticks end = master.hint->next_status_change(begin);
    EXPECT_EQ(end, begin + part().timing.unlock_all);
    EXPECT_EQ(master.hint->next_ready_edge(begin), kNever) << "pins are off";
    std::vector<unsigned char> status(2);
    sc_time before = sc_time::from_value(static_cast<sc_dt::uint64>(end.count() - 1));
    master.access(false, reg::kInterrupt, status, before);
    EXPECT_EQ(status[1], 0x00);
    sc_time at = sc_time::from_value(static_cast<sc_dt::uint64>(end.count()));
    master.access(false, reg::kInterrupt, status, at);
    EXPECT_EQ(status[1], 0x80);
  });
}

TEST_F(FlexOneNandModule, bad_payloads_get_their_error_response) {
  run(false, [](Master& master, FlexOneNand&) {
    std::vector<unsigned char> one(1);
    std::vector<unsigned char> two(2);
    std::vector<unsigned char> eight(8);
    sc_time delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(master.access(false, 0, one, delay), tlm::TLM_BURST_ERROR_RESPONSE) << "no 8-bit cycles";
    EXPECT_EQ(master.access(false, 1, two, delay), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(master.access(false, 0, eight, delay, 4), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(master.access(false, regs::kWindowBytes, two, delay), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(master.access(false, 1ULL << 33, two, delay), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(delay, sc_core::SC_ZERO_TIME) << "an impossible access takes no time";
    tlm::tlm_generic_payload payload;
    payload.set_data_ptr(two.data());
    payload.set_data_length(2);
    payload.set_streaming_width(2);
    payload.set_command(tlm::TLM_IGNORE_COMMAND);
    master.bus->b_transport(payload, delay);
    EXPECT_EQ(payload.get_response_status(), tlm::TLM_COMMAND_ERROR_RESPONSE);
    unsigned char enable = 0xFF;
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_byte_enable_ptr(&enable);
    payload.set_byte_enable_length(1);
    master.bus->b_transport(payload, delay);
    EXPECT_EQ(payload.get_response_status(), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  });
}

TEST_F(FlexOneNandModule, streaming_width_two_repeats_one_address) {
  run(false, [](Master& master, FlexOneNand&) {
    std::vector<unsigned char> ids(8);
    sc_time delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(master.access(false, reg::kManufacturerId, ids, delay, 2), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(ids, (std::vector<unsigned char>{0xEC, 0, 0xEC, 0, 0xEC, 0, 0xEC, 0}));
    EXPECT_EQ(delay, sc_time(4 * 76, sc_core::SC_NS));
  });
}

TEST_F(FlexOneNandModule, debug_transport_sees_the_array_and_takes_no_time) {
  run(false, [](Master& master, FlexOneNand& device) {
    std::array<unsigned char, 4> data{1, 2, 3, 4};
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_WRITE_COMMAND);
    payload.set_address(3 * 4096 + 100);
    payload.set_data_ptr(data.data());
    payload.set_data_length(4);
    EXPECT_EQ(master.bus->transport_dbg(payload), 4U);
    std::array<std::byte, 4> seen{};
    device.core().peek(3 * 4096 + 100, seen);
    EXPECT_EQ(seen[3], std::byte{4});
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(512ULL * 1024 * 1024 - 2);
    EXPECT_EQ(master.bus->transport_dbg(payload), 2U) << "cut at the end of the array";
    payload.set_address(512ULL * 1024 * 1024);
    EXPECT_EQ(master.bus->transport_dbg(payload), 0U);
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(master.bus->get_direct_mem_ptr(payload, dmi));
  });
}

TEST_F(FlexOneNandModule, non_blocking_transport_completes_at_the_request) {
  run(false, [](Master& master, FlexOneNand&) {
    std::array<unsigned char, 2> data{};
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(reg::kManufacturerId);
    payload.set_data_ptr(data.data());
    payload.set_data_length(2);
    payload.set_streaming_width(2);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(master.bus->nb_transport_fw(payload, phase, delay), tlm::TLM_COMPLETED);
    EXPECT_EQ(data[0], 0xEC);
    EXPECT_EQ(delay, sc_time(76, sc_core::SC_NS));
  });
}

TEST_F(FlexOneNandModule, interrupt_line_rises_exactly_when_the_work_ends) {
  run(true, [](Master& master, FlexOneNand& device) {
    EXPECT_FALSE(master.interrupt.read()) << "pins are off";
    master.write16(reg::kSystemConfig1, regs::config::kDefault | regs::config::kOutputsOn);
    sc_core::wait(sc_core::SC_ZERO_TIME);
    sc_core::wait(sc_core::SC_ZERO_TIME);
    EXPECT_TRUE(master.interrupt.read());
    master.write16(reg::kCommand, regs::command::kUnlockAll);
    const sc_time begin = sc_core::sc_time_stamp();
    sc_core::wait(master.interrupt.posedge_event());
    const auto length = static_cast<sc_dt::uint64>(part().timing.unlock_all.count());
    EXPECT_EQ(sc_core::sc_time_stamp() - begin, sc_time::from_value(length));
    for (std::uint32_t page = 0; page < 6; ++page) {
      master.write16(reg::kStartAddress1, 5);
      master.write16(reg::kStartAddress8, static_cast<std::uint16_t>(page << 2));
      master.write16(reg::kStartBuffer, regs::kStartBufferPage);
      master.write16(reg::kCommand, regs::command::kProgram);
      sc_core::wait(sc_core::SC_ZERO_TIME);
      sc_core::wait(sc_core::SC_ZERO_TIME);
      EXPECT_FALSE(master.interrupt.read());
      sc_core::wait(master.interrupt.posedge_event());
      EXPECT_EQ(master.read16(reg::kInterrupt), regs::interrupt::kInt | regs::interrupt::kWrite);
      EXPECT_TRUE(device.core().is_programmed(5, page));
    }
  });
}

TEST(FlexOneNandResolution, wrong_time_resolution_is_refused) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
  try {
    FlexOneNand device("device", part(), {});
    FAIL() << "built with the default resolution";
  } catch (const sc_core::sc_report& report) {
    EXPECT_NE(std::string(report.what()).find("100 ps"), std::string::npos);
  }
}

}  // namespace
}  // namespace ftlab::hw
