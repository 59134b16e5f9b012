#include "firmware/driver/onenand/sequences.h"

#include <algorithm>

#include "hw/regs/onenand_regs.h"

namespace ftlab {

namespace onenand = hw::flexonenand;
namespace reg = hw::flexonenand::reg;

namespace {

std::uint8_t corrected_in(std::uint16_t sector) {
  if ((sector & onenand::ecc::kCorrected4) != 0) return 4;
  if ((sector & onenand::ecc::kCorrected3) != 0) return 3;
  if ((sector & onenand::ecc::kCorrected2) != 0) return 2;
  return (sector & onenand::ecc::kCorrected1) != 0 ? 1 : 0;
}

std::uint16_t word_at(std::span<const std::byte> bytes, std::size_t offset) {
  return static_cast<std::uint16_t>(std::to_integer<unsigned>(bytes[offset]) |
                                    (std::to_integer<unsigned>(bytes[offset + 1]) << 8));
}

}  // namespace

void OneNandSequences::select(std::uint16_t die) {
  if (die == selected_) return;
  port_.write16(reg::kStartAddress2, die != 0 ? onenand::start_address::kDie : 0);
  selected_ = die;
}

void OneNandSequences::address(const OneNandPlace& place) {
  select(place.die);
  const std::uint16_t die = place.die != 0 ? onenand::start_address::kDie : 0;
  port_.write16(reg::kStartAddress1, die | place.segment);
}

void OneNandSequences::command(std::uint16_t code) { port_.write16(reg::kCommand, code); }

WaitResult OneNandSequences::await(std::uint16_t bits, DriverWait how, std::uint64_t poll_ns) {
  const bool interrupt = how == DriverWait::interrupt;
  return port_.wait_until({.address = reg::kInterrupt,
                           .mask = bits,
                           .expected = bits,
                           .style = interrupt ? WaitStyle::ready_interrupt : WaitStyle::spin,
                           .poll_interval_ns = interrupt ? 0 : poll_ns,
                           .deadline_ns = config_.deadline_ns});
}

WaitResult OneNandSequences::await_program() {
  return await(onenand::interrupt::kWrite, config_.program_wait, config_.program_poll_ns);
}

WaitResult OneNandSequences::await_erase() {
  return await(onenand::interrupt::kErase, config_.erase_wait, config_.erase_poll_ns);
}

bool OneNandSequences::reset_core() {
  command(onenand::command::kCoreReset);
  return await(onenand::interrupt::kReset, DriverWait::poll, config_.erase_poll_ns).met;
}

FlashStatus OneNandSequences::give_up() {
  reset_core();
  return FlashStatus::timeout;
}

OneNandResult OneNandSequences::judge_load() {
  std::array<std::byte, 2 * onenand::kSectorsPerPage / 2> bytes;
  port_.copy_from(reg::kEccStatus1, bytes);
  OneNandResult result;
  bool lost = false;
  for (std::size_t at = 0; at < bytes.size(); at += 2) {
    const std::uint16_t word = word_at(bytes, at);
    lost = lost || (word & onenand::ecc::kUncorrectableMask) != 0;
    const std::uint8_t worse = std::max(corrected_in(word & onenand::ecc::kSectorMask),
                                        corrected_in((word >> onenand::ecc::kOddShift) & onenand::ecc::kSectorMask));
    result.corrected_bits = std::max(result.corrected_bits, worse);
  }
  // ECC first: after a power cut the controller's error bit alone does not tell what can still be saved.
  lost = lost || (port_.read16(reg::kControllerStatus) & onenand::status::kError) != 0;
  if (lost) {
    result = {.status = FlashStatus::uncorrectable};
  } else if (result.corrected_bits != 0) {
    result.status = FlashStatus::corrected;
  }
  return result;
}

OneNandResult OneNandSequences::load(const OneNandPlace& place, bool lsb) {
  for (const std::uint16_t code : {onenand::command::kLoad, onenand::command::kLsbRecoveryRead}) {
    address(place);
    port_.write16(reg::kStartAddress8, static_cast<std::uint16_t>(place.page << onenand::start_address::kPageShift));
    command(code);
    if (!await(onenand::interrupt::kRead, config_.read_wait, config_.read_poll_ns).met) return {.status = give_up()};
    OneNandResult result = judge_load();
    if (code == onenand::command::kLsbRecoveryRead && result.status != FlashStatus::uncorrectable) {
      return {.status = FlashStatus::corrected, .corrected_bits = kRecovered};
    }
    if (result.status != FlashStatus::uncorrectable || !lsb) return result;
  }
  return {.status = FlashStatus::uncorrectable};
}

FlashStatus OneNandSequences::judge_write(const OneNandPlace& place, FlashStatus failed) {
  const bool error = (port_.read16(reg::kControllerStatus) & onenand::status::kError) != 0;
  return error ? refusal(place, failed) : FlashStatus::ok;
}

FlashStatus OneNandSequences::refusal(const OneNandPlace& place, FlashStatus failed) {
  // The protection register tells of the segment in F100h, which another operation may have changed since.
  return unlocked(place) ? failed : FlashStatus::write_protected;
}

FlashStatus OneNandSequences::program(const OneNandPlace& place) {
  address(place);
  port_.write16(reg::kStartAddress8, static_cast<std::uint16_t>(place.page << onenand::start_address::kPageShift));
  command(onenand::command::kProgram);
  return await_program().met ? judge_write(place, FlashStatus::program_failed) : give_up();
}

void OneNandSequences::start_erase(const OneNandPlace& place) {
  address(place);
  command(onenand::command::kErase);
}

FlashStatus OneNandSequences::wait_erase(const OneNandPlace& place) {
  select(place.die);
  if (await_erase().met) return judge_write(place, FlashStatus::erase_failed);
  // A reset goes to the die in F100h, which an operation of the other one may have changed since.
  address(place);
  return give_up();
}

FlashStatus OneNandSequences::erase(const OneNandPlace& place) {
  start_erase(place);
  return wait_erase(place);
}

bool OneNandSequences::poll_erase(const OneNandPlace& place, FlashStatus& status) {
  select(place.die);
  if ((port_.read16(reg::kInterrupt) & onenand::interrupt::kErase) == 0) return false;
  status = judge_write(place, FlashStatus::erase_failed);
  return true;
}

void OneNandSequences::read_main(std::uint32_t offset, std::span<std::byte> into) {
  std::uint32_t at = onenand::area::kDataRam + offset;
  if ((at & 1U) != 0 && !into.empty()) {
    into[0] = static_cast<std::byte>(port_.read16(at - 1) >> 8);
    into = into.subspan(1);
    ++at;
  }
  const std::size_t even = into.size() & ~std::size_t{1};
  if (even != 0) port_.copy_from(at, into.first(even));
  if (even != into.size()) {
    into[even] = static_cast<std::byte>(port_.read16(at + static_cast<std::uint32_t>(even)) & 0xFFU);
  }
}

void OneNandSequences::read_spare(OneNandSpare& into) { port_.copy_from(onenand::area::kDataSpare, into); }

void OneNandSequences::write_main(std::span<const std::byte> from) { port_.copy_to(onenand::area::kDataRam, from); }

void OneNandSequences::blank_main() {
  std::array<std::byte, onenand::kSectorBytes> blank;
  blank.fill(std::byte{0xFF});
  for (std::uint32_t sector = 0; sector < onenand::kSectorsPerPage; ++sector) {
    port_.copy_to(onenand::area::kDataRam + sector * onenand::kSectorBytes, blank);
  }
}

void OneNandSequences::write_spare(const OneNandSpare& from) { port_.copy_to(onenand::area::kDataSpare, from); }

}  // namespace ftlab
