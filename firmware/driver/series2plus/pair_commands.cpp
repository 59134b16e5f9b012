#include "firmware/driver/series2plus/pair_commands.h"

#include "hw/regs/series2plus_regs.h"

namespace ftlab {

namespace regs = hw::series2plus;
namespace code = hw::series2plus::command;
using regs::doubled;

namespace {
/// A component that slept (after an abort it does) answers correctly this long after it was woken.
constexpr std::uint64_t kPairWakeNs = 1'000;
}  // namespace

void PairCommands::command(PairState& pair, std::uint32_t address, std::uint8_t value) {
  common_.write16(address, doubled(value));
  pair.mode = ReadMode::unknown;
}

void PairCommands::show_array(PairState& pair) {
  if (pair.mode == ReadMode::array) return;
  common_.write16(pair.first, doubled(code::kReadArray));
  pair.mode = ReadMode::array;
}

void PairCommands::show_extended_status(PairState& pair, std::uint32_t base) {
  if (pair.mode == ReadMode::extended_status) return;
  common_.write16(base, doubled(code::kReadExtendedStatus));
  pair.mode = ReadMode::extended_status;
}

void PairCommands::show_compatible_status(PairState& pair, std::uint32_t base) {
  if (pair.mode == ReadMode::compatible_status) return;
  common_.write16(base, doubled(code::kReadCsr));
  pair.mode = ReadMode::compatible_status;
}

bool PairCommands::await_status(std::uint32_t address, std::uint8_t bit, bool set) {
  const std::uint16_t mask = doubled(bit);
  const std::uint16_t expected = set ? mask : 0;
  // Nearly always true at once, and one plain read is all it takes then.
  if ((common_.read16(address) & mask) == expected) return true;
  return common_
      .wait_until({.address = address,
                   .mask = mask,
                   .expected = expected,
                   .style = WaitStyle::spin,
                   .poll_interval_ns = config_.word_poll_ns,
                   .deadline_ns = config_.command_deadline_ns})
      .met;
}

void PairCommands::clear_status(PairState& pair, std::uint32_t base) {
  command(pair, base, code::kReadArray);
  common_.delay_ns(kPairWakeNs);
  command(pair, base, code::kClearStatus);
}

void PairCommands::abort(PairState& pair, std::uint32_t base) {
  command(pair, base, code::kAbort);
  show_extended_status(pair, base);
  await_status(base + regs::offset::kGsr, regs::gsr::kSleep, true);
  clear_status(pair, base);
}

bool PairCommands::bring_to_rest(PairState& pair) {
  const std::uint32_t base = pair.first;
  pair.erase = EraseState::none;
  clear_status(pair, base);
  constexpr std::uint16_t kReady = doubled(regs::gsr::kReady);
  constexpr std::uint16_t kSuspended = doubled(regs::gsr::kSuspended);
  for (bool resumed = false;; resumed = true) {
    show_extended_status(pair, base);
    const WaitResult idle = common_.wait_until({.address = base + regs::offset::kGsr,
                                                .mask = kReady,
                                                .expected = kReady,
                                                .style = WaitStyle::sleep,
                                                .poll_interval_ns = config_.erase_poll_ns,
                                                .deadline_ns = config_.erase_deadline_ns});
    if (!idle.met) return false;
    if ((idle.value & kSuspended) == 0) break;
    if (resumed) return false;
    command(pair, base, code::kResume);
  }
  clear_status(pair, base);
  return true;
}

bool PairCommands::confirmed_command(PairState& pair, std::uint8_t first, std::uint8_t second) {
  const std::uint32_t base = pair.first;
  const std::uint32_t gsr = base + regs::offset::kGsr;
  for (std::uint32_t attempt = 0; attempt <= config_.retries; ++attempt) {
    show_extended_status(pair, base);
    if (await_status(gsr, regs::gsr::kQueueFull, false)) {
      command(pair, base, first);
      command(pair, base, second);
      show_extended_status(pair, base);
      if (await_status(gsr, regs::gsr::kReady, true) && (common_.read16(gsr) & doubled(regs::gsr::kError)) == 0) {
        return true;
      }
    }
    clear_status(pair, base);
  }
  return false;
}

bool PairCommands::set_ready_line(PairState& pair, bool level) {
  const std::uint8_t mode = level ? regs::ready_mode::kLevel : regs::ready_mode::kDisable;
  if (!confirmed_command(pair, code::kReadyBusyMode, mode)) return false;
  pair.ready_line = level;
  return true;
}

bool PairCommands::upload_lock_bits(PairState& pair) {
  return confirmed_command(pair, code::kUploadLockBits, code::kConfirm);
}

bool PairCommands::segment_unlocked(PairState& pair, std::uint32_t base) {
  constexpr std::uint16_t kUnlocked = doubled(regs::bsr::kUnlocked);
  show_extended_status(pair, base);
  if ((common_.read16(base + regs::offset::kBsr) & kUnlocked) == kUnlocked) return true;
  // A reset that the driver did not see makes every block look locked: ask for the true bits once.
  if (pair.erase != EraseState::none || !upload_lock_bits(pair)) return false;
  show_extended_status(pair, base);
  return (common_.read16(base + regs::offset::kBsr) & kUnlocked) == kUnlocked;
}

void PairCommands::read(PairState& pair, std::uint32_t address, std::span<std::byte> into) {
  show_array(pair);
  if ((address & 1U) != 0 && !into.empty()) {
    into[0] = std::byte{common_.read8(address)};
    into = into.subspan(1);
    ++address;
  }
  const std::size_t even = into.size() & ~std::size_t{1};
  if (even != 0) common_.copy_from(address, into.first(even));
  if (even != into.size()) into[even] = std::byte{common_.read8(address + static_cast<std::uint32_t>(even))};
}

}  // namespace ftlab
