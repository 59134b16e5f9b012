#include "platform/machine/bus_window.h"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "platform/machine/native_processor.h"

namespace ftlab::platform {

namespace {

[[gnu::cold]] void refuse(const tlm::tlm_generic_payload& payload) {
  SC_REPORT_FATAL("ftlab/bus", ("firmware made an access that the device cannot answer at byte address " +
                                std::to_string(payload.get_address()) + ", length " +
                                std::to_string(payload.get_data_length()) + ": " + payload.get_response_string())
                                   .c_str());
}

}  // namespace

BusWindow::BusWindow(NativeProcessor& cpu, Ticks read_cycle, Ticks write_cycle)
    : cpu_(cpu), read_cycle_(read_cycle), write_cycle_(write_cycle) {
  payload_.set_dmi_allowed(false);
  payload_.set_byte_enable_ptr(nullptr);
  pace_.read_cycle = read_cycle;
  pace_.write_cycle = write_cycle;
  payload_.set_extension(&pace_);
  word_payload_.set_data_ptr(reinterpret_cast<unsigned char*>(&word_));
  word_payload_.set_data_length(sizeof word_);
  word_payload_.set_streaming_width(sizeof word_);
}

// A payload would delete its extensions.
BusWindow::~BusWindow() { payload_.clear_extension(&pace_); }

void BusWindow::transport_word(tlm::tlm_command command, std::uint32_t address, const Cycle& cycle) {
  word_payload_.set_command(command);
  word_payload_.set_address(address);
  word_payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  // The clock itself goes along as the delay: a copy there and back would cost as much as the call.
  const sc_core::sc_time before = cpu_.ahead_;
  target_->b_transport(word_payload_, cpu_.ahead_);
  if (word_payload_.get_response_status() != tlm::TLM_OK_RESPONSE) refuse(word_payload_);
  const Ticks device{static_cast<std::int64_t>(cpu_.ahead_.value() - before.value())};
  if (device >= cycle.ticks) return cpu_.end_bus_access(device);
  cpu_.ahead_ = before + cycle.time;
  cpu_.end_bus_access(cycle.ticks);
}

void BusWindow::transport(tlm::tlm_command command, std::uint32_t address, unsigned char* data, std::uint32_t length,
                          std::uint32_t width, const Cycle& cycle) {
  payload_.set_command(command);
  payload_.set_address(address);
  payload_.set_data_ptr(data);
  payload_.set_data_length(length);
  payload_.set_streaming_width(width);
  payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  const sc_core::sc_time before = cpu_.ahead_;
  target_->b_transport(payload_, cpu_.ahead_);
  if (payload_.get_response_status() != tlm::TLM_OK_RESPONSE) refuse(payload_);
  const Ticks device{static_cast<std::int64_t>(cpu_.ahead_.value() - before.value())};
  const Ticks bridge = length <= 2 ? cycle.ticks : cycle.ticks * (length / 2);
  if (device >= bridge) return cpu_.end_bus_access(device);
  cpu_.ahead_ = before + (length <= 2 ? cycle.time : cpu_.kernel_time_.of(bridge));
  cpu_.end_bus_access(bridge);
}

std::uint8_t BusWindow::read8(std::uint32_t address) {
  unsigned char value = 0;
  transport(tlm::TLM_READ_COMMAND, address, &value, 1, 1, read_cycle_);
  return value;
}

void BusWindow::write8(std::uint32_t address, std::uint8_t value) {
  transport(tlm::TLM_WRITE_COMMAND, address, &value, 1, 1, write_cycle_);
}

std::uint16_t BusWindow::read16(std::uint32_t address) {
  transport_word(tlm::TLM_READ_COMMAND, address, read_cycle_);
  return word_;
}

void BusWindow::write16(std::uint32_t address, std::uint16_t value) {
  word_ = value;
  transport_word(tlm::TLM_WRITE_COMMAND, address, write_cycle_);
}

void BusWindow::copy_from(std::uint32_t address, std::span<std::byte> into) {
  const auto size = static_cast<std::uint32_t>(into.size());
  transport(tlm::TLM_READ_COMMAND, address, reinterpret_cast<unsigned char*>(into.data()), size, size, read_cycle_);
}

void BusWindow::copy_to(std::uint32_t address, std::span<const std::byte> from) {
  // TLM payloads carry a non-const pointer; a write command never stores through it.
  auto* data = const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(from.data()));
  const auto size = static_cast<std::uint32_t>(from.size());
  transport(tlm::TLM_WRITE_COMMAND, address, data, size, size, write_cycle_);
}

void BusWindow::write16_sequence(std::uint32_t address, std::span<const std::uint16_t> values) {
  auto* data = const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(values.data()));
  transport(tlm::TLM_WRITE_COMMAND, address, data, static_cast<std::uint32_t>(values.size_bytes()), 2, write_cycle_);
}

void BusWindow::spin(const WaitSpec& spec, Ticks sampled, Ticks deadline) {
  const Ticks interval = from_ns(spec.poll_interval_ns);
  Ticks period = std::max(interval + read_cycle_.ticks, Ticks{1});
  // Polls that must read the same value need not be simulated one by one: one stands for all before the change.
  const Ticks change = std::min({cpu_.hint->next_status_change(sampled), deadline, cpu_.lost_at_, cpu_.look_at_});
  const std::int64_t unchanged = change <= cpu_.now_ ? 0 : (change - cpu_.now_) / period;
  if (unchanged > 2) {
    cpu_.ledger_.collect_accesses();
    cpu_.advance(interval);
    const Ticks began = cpu_.now_;
    read16(spec.address);
    // A device that is slower than the bridge sets the pace.
    const Ticks taken = cpu_.now_ - began;
    period = std::max(interval + taken, Ticks{1});
    std::int64_t more = std::max<std::int64_t>((change - began + interval) / period - 2, 0);
    // Where each takes as long as the bridge says, all that look at the device before the change are known.
    if (taken == read_cycle_.ticks && change < deadline) more = (change - began - Ticks{1}) / period;
    cpu_.ledger_.collect_polls(static_cast<std::uint64_t>(more), period, taken);
    cpu_.advance(period * more);
  }
  cpu_.advance(interval);
}

WaitResult BusWindow::wait_until(const WaitSpec& spec) {
  const Ticks deadline = later(cpu_.now_, from_ns(spec.deadline_ns));
  for (;;) {
    const Ticks sampled = cpu_.now_;
    const std::uint16_t value = read16(spec.address);
    if ((value & spec.mask) == spec.expected) return {true, value};
    if (cpu_.now_ >= deadline) return {false, value};
    const Ticks interval = from_ns(spec.poll_interval_ns);
    switch (spec.style) {
      case WaitStyle::spin:
        spin(spec, sampled, deadline);
        break;
      case WaitStyle::sleep:
        cpu_.sleep_until(cpu_.timer_expiry(interval));
        break;
      case WaitStyle::ready_interrupt:
        cpu_.sleep_for_ready(sampled,
                             interval > Ticks::zero() ? std::min(deadline, cpu_.timer_expiry(interval)) : deadline);
        break;
    }
  }
}

void BusWindow::delay_ns(std::uint64_t ns) { cpu_.sleep_until(later(cpu_.now_, from_ns(ns))); }

}  // namespace ftlab::platform
