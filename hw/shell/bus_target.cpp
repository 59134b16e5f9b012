// Payload to access and answer to response.
#include "hw/shell/bus_target.h"

#include <algorithm>
#include <string>

#include "hw/shell/bus_pace.h"

namespace ftlab::hw {
namespace {

tlm::tlm_response_status response_of(BusError error) {
  switch (error) {
    case BusError::none:
      return tlm::TLM_OK_RESPONSE;
    case BusError::misaligned:
      return tlm::TLM_BURST_ERROR_RESPONSE;
    case BusError::out_of_range:
      return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  return tlm::TLM_GENERIC_ERROR_RESPONSE;
}

/// What is wrong with a payload before its window is asked.
tlm::tlm_response_status check(const tlm::tlm_generic_payload& payload) {
  const unsigned width = payload.get_streaming_width();
  if (payload.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (payload.get_data_ptr() == nullptr) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  if (width != 2 && width < payload.get_data_length()) return tlm::TLM_BURST_ERROR_RESPONSE;
  return payload.get_address() > UINT32_MAX ? tlm::TLM_ADDRESS_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE;
}

std::byte* data_of(const tlm::tlm_generic_payload& payload) {
  return reinterpret_cast<std::byte*>(payload.get_data_ptr());
}

}  // namespace

void BusTarget::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (const auto wrong = check(payload); wrong != tlm::TLM_OK_RESPONSE) return payload.set_response_status(wrong);
  const std::size_t size = payload.get_data_length();
  const auto address = static_cast<std::uint32_t>(payload.get_address());
  const Ticks now = to_ticks(kernel_now_) + to_ticks(delay);
  BusError error;
  if (size > 2) {
    error = burst(payload, delay, now, address);
  } else if (payload.is_read()) {
    const BusResult result = window_.read(now, address, {data_of(payload), size});
    delay += read_time_.of(result.time);
    error = result.error;
  } else {
    const BusResult result = window_.write(now, address, {data_of(payload), size});
    delay += write_time_.of(result.time);
    error = result.error;
  }
  payload.set_response_status(response_of(error));
  if (accessed_ != nullptr) accessed_->notify(delay);
}

BusError BusTarget::burst(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay, Ticks now,
                          std::uint32_t address) {
  const std::size_t size = payload.get_data_length();
  const bool repeat = payload.get_streaming_width() < size;
  // Asked for where it makes a difference: looking an extension up costs a good part of a single cycle.
  const BusPace* pace = window_.shape().paced ? payload.get_extension<BusPace>() : nullptr;
  const BusResult result = payload.is_read() ? window_.read(now, address, {data_of(payload), size}, repeat,
                                                            pace != nullptr ? pace->read_cycle : Ticks{})
                                             : window_.write(now, address, {data_of(payload), size}, repeat,
                                                             pace != nullptr ? pace->write_cycle : Ticks{});
  delay += burst_time_.of(result.time);
  return result.error;
}

tlm::tlm_sync_enum BusTarget::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                              sc_core::sc_time& delay) {
  // The whole transaction in the request call: a legal, early completion of the base protocol.
  if (phase != tlm::BEGIN_REQ) {
    SC_REPORT_FATAL("ftlab/device", ("a device completes every transaction at BEGIN_REQ and accepts no phase " +
                                     std::to_string(static_cast<unsigned>(phase)))
                                        .c_str());
  }
  b_transport(payload, delay);
  return tlm::TLM_COMPLETED;
}

bool BusTarget::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi&) {
  payload.set_dmi_allowed(false);
  return false;
}

unsigned BusTarget::transport_dbg(tlm::tlm_generic_payload& payload) {
  const std::uint64_t end = window_.shape().shows_array ? core_.array_bytes() : 0;
  const std::uint64_t address = payload.get_address();
  if (address >= end) return 0;
  const auto size = static_cast<unsigned>(std::min<std::uint64_t>(payload.get_data_length(), end - address));
  if (payload.is_read()) {
    core_.peek(address, {data_of(payload), size});
  } else if (payload.is_write()) {
    core_.poke(address, {data_of(payload), size});
  }
  return size;
}

}  // namespace ftlab::hw
