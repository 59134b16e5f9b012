// A device of the board as a TLM target: registers at offsets of its window, accessed in no time of their own. Knows no
// address of the board.
//
// Bus contract: reads and writes of one aligned word, or of one byte or halfword where the device takes them. Nothing
// that is read changes anything, so that a debugger reads as the core does, at a time; debug transport, which has none,
// gives nothing.
#pragma once

#include <cstdint>
#include <systemc>
#include <tlm>

#include "common/units.h"

namespace ftlab::platform {

// Public bases: clang 14 cannot end one that is virtual and private.
class RegisterTarget : public sc_core::sc_module, public tlm::tlm_fw_transport_if<> {
 public:
  enum class Sizes : std::uint8_t { words, up_to_words };

  tlm::tlm_target_socket<32> socket{"socket"};

  [[nodiscard]] std::uint32_t window_bytes() const { return window_bytes_; }

  /// A register that has been read now reads the same before that time, unless firmware or host do something.
  [[nodiscard]] virtual Ticks steady_until(std::uint32_t /*offset*/, Ticks /*now*/) const { return kNever; }

 protected:
  RegisterTarget(sc_core::sc_module_name name, std::uint32_t window_bytes, Sizes sizes = Sizes::words);

 private:
  /// False: no such register, or none that is read. `now`: of the access.
  virtual bool read_register(std::uint32_t offset, Ticks now, std::uint32_t& value) const = 0;
  virtual bool write_register(std::uint32_t offset, Ticks now, std::uint32_t value) = 0;

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override;
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

  [[nodiscard]] bool is_taken(const tlm::tlm_generic_payload& payload) const;

  const std::uint32_t window_bytes_;
  const Sizes sizes_;
};

}  // namespace ftlab::platform
