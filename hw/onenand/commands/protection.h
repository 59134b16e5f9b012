// What of a die may be written: lock states of its segments, OTP locks, and the boundary between its areas.
// States are lost without supply; OTP locks and boundary are read from the cells.
#pragma once

#include <cstdint>
#include <vector>

#include "hw/onenand/array/die_array.h"

namespace ftlab::hw {

class DieProtection {
 public:
  DieProtection(const OneNandSpec& spec, const DieArray& array, std::uint32_t die);

  [[nodiscard]] std::uint16_t state(std::uint32_t fba) const { return states_[fba]; }
  void lock_all();
  /// Segments that are locked tight stay so.
  void unlock_all();
  /// The commands on one segment; false: refused.
  bool change(std::uint32_t fba, std::uint16_t code);
  [[nodiscard]] bool unlocked(std::uint32_t fba) const;

  /// Puts the boundary that a load at `t` would find in the cells into force.
  void read_boundary(Ticks t);
  [[nodiscard]] std::uint32_t boundary() const { return boundary_; }
  [[nodiscard]] bool is_slc(std::uint32_t fba) const { return fba <= boundary_; }
  [[nodiscard]] bool partition_locked() const;

  void read_otp_locks();
  [[nodiscard]] bool otp_locked() const { return otp_locked_; }
  /// Bits of the controller status.
  [[nodiscard]] std::uint16_t status_bits() const;

 private:
  const DieArray& array_;
  std::uint32_t boundary_mask_;
  bool first_die_;
  std::uint32_t boundary_ = 0;
  bool otp_locked_ = false;
  bool first_block_locked_ = false;
  std::vector<std::uint8_t> states_;
};

}  // namespace ftlab::hw
