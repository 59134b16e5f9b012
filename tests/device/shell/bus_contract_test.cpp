// The bus contract of bus_target.h and address_window.h, over all windows of every family.
#include <gtest/gtest.h>

#include <array>

#include "hw/shell/bus_pace.h"
#include "tests/device/shell/families.h"
#include "tests/device/shell/master.h"

extern "C" int sc_main(int, char**) { return 0; }

namespace ftlab::hw {
namespace {

using sc_core::sc_time;
using testing::Bytes;
using testing::Master;
using testing::WordRead;

constexpr tlm::tlm_command kCommands[] = {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND};

template <class Family>
class BusContract : public ::testing::Test {
 protected:
  using Module = typename Family::Module;

  BusContract() { sc_core::sc_set_time_resolution(100, sc_core::SC_PS); }

  void run(const std::function<void(Master&, Module&)>& script, LineStyle style = LineStyle::asked) {
    Module part("part", Family::spec(), {}, style);
    Family::power_on(part);
    testing::run_on(part, [&](Master& master) { script(master, part); });
  }
  static std::uint64_t accesses(const Module& part) {
    std::uint64_t sum = 0;
    for (const AccessTotal& total : part.core().access_totals()) sum += total.accesses;
    return sum;
  }
  /// Refused as `response`, whatever the command; nothing has happened.
  static void refused(Master& master, Module& part, const AddressWindow::Shape& window, std::uint64_t address,
                      std::size_t size, unsigned streaming, tlm::tlm_response_status response) {
    for (const tlm::tlm_command command : kCommands) {
      Bytes data(size + 1, 0x20);  // never empty, so that there is a pointer
      data.resize(size);
      const Bytes before = data;
      const std::uint64_t counted = accesses(part);
      sc_time delay(5, sc_core::SC_NS);
      EXPECT_EQ(master.access(command, address, data, delay, streaming, window.name), response)
          << window.name << " address " << address << " size " << size << " streaming " << streaming;
      EXPECT_EQ(delay, sc_time(5, sc_core::SC_NS)) << "a refused access takes no time";
      EXPECT_EQ(accesses(part), counted);
      EXPECT_EQ(data, before);
    }
  }
};

TYPED_TEST_SUITE(BusContract, testing::Families, testing::FamilyName);

TYPED_TEST(BusContract, every_window_has_a_socket_by_its_name) {
  this->run([](Master& master, auto& part) {
    for (AddressWindow* window : part.core().windows()) {
      Bytes word(2);
      sc_time delay = sc_core::SC_ZERO_TIME;
      EXPECT_EQ(master.access(tlm::TLM_READ_COMMAND, 0, word, delay, 0, window->shape().name), tlm::TLM_OK_RESPONSE);
      EXPECT_GT(delay, sc_core::SC_ZERO_TIME);
    }
  });
}

TYPED_TEST(BusContract, odd_lengths_and_addresses_are_burst_errors) {
  this->run([this](Master& master, auto& part) {
    for (AddressWindow* window : part.core().windows()) {
      const AddressWindow::Shape& shape = window->shape();
      this->refused(master, part, shape, 0, 0, 1, tlm::TLM_BURST_ERROR_RESPONSE);
      this->refused(master, part, shape, 0, 3, 0, tlm::TLM_BURST_ERROR_RESPONSE);
      this->refused(master, part, shape, 1, 2, 0, tlm::TLM_BURST_ERROR_RESPONSE);
      this->refused(master, part, shape, 1, 8, 0, tlm::TLM_BURST_ERROR_RESPONSE);
      if (!shape.byte_cycles) this->refused(master, part, shape, 0, 1, 0, tlm::TLM_BURST_ERROR_RESPONSE);
    }
  });
}

TYPED_TEST(BusContract, one_byte_is_a_cycle_of_either_lane_where_the_window_has_such_cycles) {
  this->run([](Master& master, auto& part) {
    for (AddressWindow* window : part.core().windows()) {
      if (!window->shape().byte_cycles) continue;
      for (const std::uint64_t address : {0U, 1U}) {
        Bytes byte(1);
        sc_time delay = sc_core::SC_ZERO_TIME;
        EXPECT_EQ(master.access(tlm::TLM_READ_COMMAND, address, byte, delay, 0, window->shape().name),
                  tlm::TLM_OK_RESPONSE);
      }
    }
  });
}

TYPED_TEST(BusContract, what_lies_behind_the_end_is_an_address_error) {
  this->run([this](Master& master, auto& part) {
    for (AddressWindow* window : part.core().windows()) {
      const AddressWindow::Shape& shape = window->shape();
      const std::uint64_t end = shape.bytes;
      this->refused(master, part, shape, end, 2, 0, tlm::TLM_ADDRESS_ERROR_RESPONSE);
      this->refused(master, part, shape, end - 2, 4, 0, tlm::TLM_ADDRESS_ERROR_RESPONSE);
      this->refused(master, part, shape, 0xFFFF'FFFE, 4, 0, tlm::TLM_ADDRESS_ERROR_RESPONSE);
      this->refused(master, part, shape, std::uint64_t{1} << 33, 2, 0, tlm::TLM_ADDRESS_ERROR_RESPONSE);
      Bytes last(2);
      Bytes repeated(8);
      sc_time delay = sc_core::SC_ZERO_TIME;
      EXPECT_EQ(master.access(tlm::TLM_READ_COMMAND, end - 2, last, delay, 0, shape.name), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(master.access(tlm::TLM_READ_COMMAND, end - 2, repeated, delay, 2, shape.name), tlm::TLM_OK_RESPONSE)
          << "a repeated word reaches no further than itself";
    }
  });
}

TYPED_TEST(BusContract, streaming_width_is_two_or_the_whole_length) {
  this->run([this](Master& master, auto& part) {
    for (AddressWindow* window : part.core().windows()) {
      for (const unsigned width : {1U, 3U, 4U, 6U}) {
        this->refused(master, part, window->shape(), 0, 8, width, tlm::TLM_BURST_ERROR_RESPONSE);
      }
      Bytes data(8);
      sc_time delay = sc_core::SC_ZERO_TIME;
      EXPECT_EQ(master.access(tlm::TLM_READ_COMMAND, 0, data, delay, 64, window->shape().name), tlm::TLM_OK_RESPONSE);
    }
  });
}

TYPED_TEST(BusContract, streaming_width_zero_is_a_burst_error) {
  this->run([](Master& master, auto&) {
    std::array<unsigned char, 2> data{};
    WordRead payload(TypeParam::kStableWord, data.data());
    payload.set_streaming_width(0);
    sc_time delay = sc_core::SC_ZERO_TIME;
    master.window()->b_transport(payload, delay);
    EXPECT_EQ(payload.get_response_status(), tlm::TLM_BURST_ERROR_RESPONSE);
  });
}

TYPED_TEST(BusContract, streaming_width_two_repeats_one_address) {
  this->run([](Master& master, auto&) {
    const std::uint16_t word = master.read16(TypeParam::kStableWord);
    Bytes data(8);
    sc_time single = sc_core::SC_ZERO_TIME;
    sc_time four = sc_core::SC_ZERO_TIME;
    Bytes one(2);
    master.read(TypeParam::kStableWord, one, single);
    EXPECT_EQ(master.read(TypeParam::kStableWord, data, four, 2), tlm::TLM_OK_RESPONSE);
    for (std::size_t i = 0; i < data.size(); i += 2) EXPECT_EQ(data[i] | data[i + 1] << 8, word);
    EXPECT_EQ(four, 4 * single);
  });
}

TYPED_TEST(BusContract, other_commands_byte_enables_and_missing_data_are_refused) {
  this->run([](Master& master, auto& part) {
    const std::uint64_t counted = TestFixture::accesses(part);
    for (AddressWindow* window : part.core().windows()) {
      std::array<unsigned char, 2> data{};
      unsigned char enable = 0xFF;
      sc_time delay = sc_core::SC_ZERO_TIME;
      const auto response_to = [&](tlm::tlm_generic_payload& payload) {
        master.window(window->shape().name)->b_transport(payload, delay);
        return payload.get_response_status();
      };
      WordRead ignored(0, data.data());
      ignored.set_command(tlm::TLM_IGNORE_COMMAND);
      EXPECT_EQ(response_to(ignored), tlm::TLM_COMMAND_ERROR_RESPONSE);
      WordRead enabled(0, data.data());
      enabled.set_byte_enable_ptr(&enable);
      enabled.set_byte_enable_length(1);
      EXPECT_EQ(response_to(enabled), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
      WordRead empty(0, nullptr);
      EXPECT_EQ(response_to(empty), tlm::TLM_GENERIC_ERROR_RESPONSE);
      EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
    }
    EXPECT_EQ(TestFixture::accesses(part), counted);
  });
}

TYPED_TEST(BusContract, access_begins_at_kernel_time_plus_delay) {
  this->run([](Master& master, auto&) {
    const Ticks length = TypeParam::make_busy(master);
    const Ticks end = Master::now() + length;
    EXPECT_EQ(master.hint->next_status_change(Master::now()), end);
    Bytes status(2);
    sc_time before = to_sc_time(length - Ticks{1});
    sc_time at = to_sc_time(length);
    const std::uint64_t word = TypeParam::kStatusWord;
    master.read(word, status, before);
    const Bytes busy = status;
    master.read(word, status, at);
    EXPECT_NE(status, busy) << "the tick at which the work ends shows the end";
  });
}

TYPED_TEST(BusContract, delay_grows_by_the_parts_own_cycles_from_where_it_was) {
  this->run([](Master& master, auto&) {
    Bytes word(2);
    sc_time single = sc_core::SC_ZERO_TIME;
    ASSERT_EQ(master.read(TypeParam::kStableWord, word, single), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(single, to_sc_time(TypeParam::read_cycle()));
    sc_time later(3, sc_core::SC_US);
    master.read(TypeParam::kStableWord, word, later);
    EXPECT_EQ(later, sc_time(3, sc_core::SC_US) + single);
  });
}

TYPED_TEST(BusContract, a_pace_within_the_parts_own_cycle_changes_nothing) {
  this->run([](Master& master, auto&) {
    Bytes data(64);
    sc_time unpaced = sc_core::SC_ZERO_TIME;
    ASSERT_EQ(master.read(TypeParam::kStableWord, data, unpaced, 2), tlm::TLM_OK_RESPONSE);
    BusPace pace;
    pace.read_cycle = pace.write_cycle = Ticks{1};
    WordRead payload(TypeParam::kStableWord, data.data());
    payload.set_data_length(64);
    payload.set_extension(&pace);
    sc_time paced = sc_core::SC_ZERO_TIME;
    master.window()->b_transport(payload, paced);
    payload.clear_extension(&pace);
    EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(paced, unpaced);
  });
}

TYPED_TEST(BusContract, a_single_cycle_is_not_paced) {
  this->run([](Master& master, auto&) {
    std::array<unsigned char, 2> data{};
    BusPace pace;
    pace.read_cycle = pace.write_cycle = std::chrono::seconds{1};
    WordRead payload(TypeParam::kStableWord, data.data());
    payload.set_extension(&pace);
    sc_time delay = sc_core::SC_ZERO_TIME;
    master.window()->b_transport(payload, delay);
    payload.clear_extension(&pace);
    EXPECT_EQ(delay, to_sc_time(TypeParam::read_cycle()));
  });
}

TYPED_TEST(BusContract, non_blocking_transport_completes_at_the_request) {
  this->run([](Master& master, auto&) {
    const std::uint16_t word = master.read16(TypeParam::kStableWord);
    std::array<unsigned char, 2> data{};
    WordRead payload(TypeParam::kStableWord, data.data());
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(master.window()->nb_transport_fw(payload, phase, delay), tlm::TLM_COMPLETED);
    EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(delay, to_sc_time(TypeParam::read_cycle()));
    EXPECT_EQ(data[0] | data[1] << 8, word);
  });
}

TYPED_TEST(BusContract, another_phase_stops_the_program) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
  this->run([](Master& master, auto&) {
    std::array<unsigned char, 2> data{};
    WordRead payload(TypeParam::kStableWord, data.data());
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_time delay = sc_core::SC_ZERO_TIME;
    EXPECT_THROW(master.window()->nb_transport_fw(payload, phase, delay), sc_core::sc_report);
  });
}

TYPED_TEST(BusContract, there_is_no_direct_memory) {
  this->run([](Master& master, auto& part) {
    for (AddressWindow* window : part.core().windows()) {
      std::array<unsigned char, 2> data{};
      WordRead payload(0, data.data());
      payload.set_dmi_allowed(true);
      tlm::tlm_dmi dmi;
      EXPECT_FALSE(master.window(window->shape().name)->get_direct_mem_ptr(payload, dmi));
      EXPECT_FALSE(payload.is_dmi_allowed());
    }
  });
}

TYPED_TEST(BusContract, debug_transport_sees_the_array_where_a_window_shows_it_and_is_no_access) {
  this->run([](Master& master, auto& part) {
    const std::uint64_t counted = TestFixture::accesses(part);
    const std::uint64_t end = part.core().array_bytes();
    for (AddressWindow* window : part.core().windows()) {
      auto& socket = master.window(window->shape().name);
      std::array<unsigned char, 4> data{1, 2, 3, 4};
      WordRead payload(12'388, data.data());
      payload.set_command(tlm::TLM_WRITE_COMMAND);
      payload.set_data_length(4);
      EXPECT_EQ(socket->transport_dbg(payload), window->shape().shows_array ? 4U : 0U);
      if (!window->shape().shows_array) continue;
      std::array<std::byte, 4> seen{};
      part.core().peek(12'388, seen);
      EXPECT_EQ(seen[3], std::byte{4});
      payload.set_command(tlm::TLM_READ_COMMAND);
      payload.set_address(end - 2);
      EXPECT_EQ(socket->transport_dbg(payload), 2U) << "up to the end of the array";
      payload.set_address(end);
      EXPECT_EQ(socket->transport_dbg(payload), 0U);
    }
    EXPECT_EQ(TestFixture::accesses(part), counted);
  });
}

TYPED_TEST(BusContract, without_supply_every_window_reads_ones_and_takes_its_time) {
  this->run([](Master& master, auto& part) {
    part.core().lose_power(Master::now());
    for (AddressWindow* window : part.core().windows()) {
      Bytes data(8);
      sc_time delay = sc_core::SC_ZERO_TIME;
      EXPECT_EQ(master.access(tlm::TLM_READ_COMMAND, 0, data, delay, 0, window->shape().name), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(data, Bytes(8, 0xFF));
      EXPECT_GT(delay, sc_core::SC_ZERO_TIME);
    }
  });
}

}  // namespace
}  // namespace ftlab::hw
