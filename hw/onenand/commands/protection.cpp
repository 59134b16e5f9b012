#include "hw/onenand/commands/protection.h"

#include <algorithm>

namespace ftlab::hw {

namespace regs = flexonenand;
namespace state_of = flexonenand::protect;
namespace command_code = flexonenand::command;

DieProtection::DieProtection(const OneNandSpec& spec, const DieArray& array, std::uint32_t die)
    : array_(array),
      boundary_mask_(regs::partition::boundary_mask(spec.segments_per_die)),
      first_die_(die == 0),
      states_(spec.segments_per_die, static_cast<std::uint8_t>(state_of::kLocked)) {}

void DieProtection::lock_all() { std::ranges::fill(states_, static_cast<std::uint8_t>(state_of::kLocked)); }

void DieProtection::unlock_all() {
  for (std::uint8_t& segment : states_) {
    if (segment != state_of::kLockedTight) segment = static_cast<std::uint8_t>(state_of::kUnlocked);
  }
}

bool DieProtection::change(std::uint32_t fba, std::uint16_t code) {
  const bool tighten = code == command_code::kLockTight;
  if (states_[fba] == state_of::kLockedTight || (tighten && states_[fba] != state_of::kLocked)) return false;
  states_[fba] = static_cast<std::uint8_t>(code == command_code::kUnlock ? state_of::kUnlocked
                                           : tighten                     ? state_of::kLockedTight
                                                                         : state_of::kLocked);
  return true;
}

bool DieProtection::unlocked(std::uint32_t fba) const {
  return states_[fba] == state_of::kUnlocked && !(first_block_locked_ && first_die_ && fba == 0);
}

void DieProtection::read_boundary(Ticks t) { boundary_ = array_.loaded_partition_word(t) & boundary_mask_; }

bool DieProtection::partition_locked() const {
  // Of the bits as programmed: a torn erase, whose cells are on their way to FFh, locks nothing for good.
  return (array_.stored_partition_word() & regs::partition::kLockMask) == 0;
}

void DieProtection::read_otp_locks() {
  const std::uint16_t lock = array_.stored_otp_lock();
  otp_locked_ = (lock & ~regs::otp::kLockOtp & 0xFF) == 0;
  first_block_locked_ = (lock & ~regs::otp::kLockFirstBlock & 0xFF) == 0;
}

std::uint16_t DieProtection::status_bits() const {
  const std::uint16_t otp = otp_locked_ ? regs::status::kOtpLocked : 0;
  return otp | (first_block_locked_ && first_die_ ? regs::status::kFirstBlockLocked : 0);
}

}  // namespace ftlab::hw
