#include "platform/machine/core/register_target.h"

#include <bit>
#include <cstring>

#include "hw/shell/kernel_time.h"

namespace ftlab::platform {
namespace {

constexpr unsigned kWord = sizeof(std::uint32_t);

}  // namespace

RegisterTarget::RegisterTarget(sc_core::sc_module_name name, std::uint32_t window_bytes, Sizes sizes)
    : sc_module(name), window_bytes_(window_bytes), sizes_(sizes) {
  socket.bind(*this);
}

bool RegisterTarget::is_taken(const tlm::tlm_generic_payload& payload) const {
  const unsigned length = payload.get_data_length();
  const bool size = sizes_ == Sizes::words ? length == kWord : length <= kWord && std::has_single_bit(length);
  return size && payload.get_streaming_width() >= length && payload.get_address() % length == 0;
}

void RegisterTarget::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (payload.get_byte_enable_ptr() != nullptr) return payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  if (!is_taken(payload)) return payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
  std::uint32_t value = 0;
  bool known = payload.get_address() < window_bytes_;
  const auto offset = static_cast<std::uint32_t>(payload.get_address());
  const Ticks now = hw::to_ticks(sc_core::sc_time_stamp() + delay);
  if (known && payload.is_read()) {
    known = read_register(offset, now, value);
    std::memcpy(payload.get_data_ptr(), &value, payload.get_data_length());
  } else if (known && payload.is_write()) {
    std::memcpy(&value, payload.get_data_ptr(), payload.get_data_length());
    known = write_register(offset, now, value);
  }
  payload.set_response_status(known ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

tlm::tlm_sync_enum RegisterTarget::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase&,
                                                   sc_core::sc_time& delay) {
  b_transport(payload, delay);
  return tlm::TLM_COMPLETED;
}

bool RegisterTarget::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi&) {
  payload.set_dmi_allowed(false);
  return false;
}

}  // namespace ftlab::platform
