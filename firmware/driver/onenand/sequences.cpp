#include "firmware/driver/onenand/sequences.h"

#include <algorithm>
#include <array>

#include "hw/regs/onenand_regs.h"

namespace ftlab {

namespace onenand = hw::flexonenand;
namespace reg = hw::flexonenand::reg;

namespace {

constexpr std::uint16_t kCommands[] = {onenand::command::kLoad, onenand::command::kProgram, onenand::command::kErase};
constexpr std::uint16_t kEnds[] = {onenand::interrupt::kRead, onenand::interrupt::kWrite, onenand::interrupt::kErase};

constexpr std::uint16_t command_of(OneNandWork work) { return kCommands[static_cast<std::size_t>(work)]; }
constexpr std::uint16_t end_of(OneNandWork work) { return kEnds[static_cast<std::size_t>(work)]; }

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

void OneNandSequences::start(OneNandWork work, const OneNandPlace& place) {
  if (work == OneNandWork::erase)
    bus_.address(place);
  else
    bus_.address_page(place);
  bus_.command(command_of(work));
}

WaitResult OneNandSequences::await(OneNandWork work, std::uint64_t deadline_ns) {
  switch (work) {
    case OneNandWork::load:
      return bus_.await(end_of(work), config_.read_wait, config_.read_poll_ns, deadline_ns);
    case OneNandWork::program:
      return bus_.await(end_of(work), config_.program_wait, config_.program_poll_ns, deadline_ns);
    case OneNandWork::erase:
      break;
  }
  return bus_.await(end_of(work), config_.erase_wait, config_.erase_poll_ns, deadline_ns);
}

bool OneNandSequences::has_ended(OneNandWork work, const OneNandPlace& place) {
  bus_.select(place.die);
  return (bus_.read16(reg::kInterrupt) & end_of(work)) != 0;
}

bool OneNandSequences::await_end(OneNandWork work, const OneNandPlace& place, std::uint64_t ns) {
  bus_.select(place.die);
  return await(work, ns).met;
}

OneNandResult OneNandSequences::finish(OneNandWork work, const OneNandPlace& place, bool lsb) {
  if (await_end(work, place, config_.deadline_ns)) return result(work, place, lsb);
  // A reset goes to the die in F100h, which an operation of the other one may have changed since.
  bus_.address(place);
  return {.status = give_up()};
}

PartStatus OneNandSequences::give_up() {
  bus_.reset_core();
  return PartStatus::timeout;
}

OneNandResult OneNandSequences::result(OneNandWork work, const OneNandPlace& place, bool lsb) {
  if (work == OneNandWork::program) return {.status = judge_write(place, PartStatus::program_failed)};
  if (work == OneNandWork::erase) return {.status = judge_write(place, PartStatus::erase_failed)};
  const OneNandResult loaded = judge_load();
  return loaded.status == PartStatus::uncorrectable && lsb ? recovery_read(place) : loaded;
}

OneNandResult OneNandSequences::recovery_read(const OneNandPlace& place) {
  bus_.address_page(place);
  bus_.command(onenand::command::kLsbRecoveryRead);
  if (!await(OneNandWork::load, config_.deadline_ns).met) return {.status = give_up()};
  const OneNandResult read = judge_load();
  if (read.status == PartStatus::uncorrectable) return read;
  return {.status = PartStatus::corrected, .corrected_bits = kRecovered};
}

OneNandResult OneNandSequences::judge_load() {
  std::array<std::byte, 2 * onenand::kSectorsPerPage / 2> bytes;
  bus_.read_ecc_status(bytes);
  OneNandResult result;
  bool lost = false;
  for (std::size_t at = 0; at < bytes.size(); at += 2) {
    const std::uint16_t word = word_at(bytes, at);
    lost = lost || (word & onenand::ecc::kUncorrectableMask) != 0;
    const std::uint8_t worse = std::max(corrected_in(word & onenand::ecc::kSectorMask),
                                        corrected_in((word >> onenand::ecc::kOddShift) & onenand::ecc::kSectorMask));
    result.corrected_bits = std::max(result.corrected_bits, worse);
  }
  // ECC first: after a power loss the controller's error bit alone does not tell what can still be saved.
  lost = lost || (bus_.read16(reg::kControllerStatus) & onenand::status::kError) != 0;
  if (lost) {
    result = {.status = PartStatus::uncorrectable};
  } else if (result.corrected_bits != 0) {
    result.status = PartStatus::corrected;
  }
  return result;
}

PartStatus OneNandSequences::judge_write(const OneNandPlace& place, PartStatus failed) {
  const bool error = (bus_.read16(reg::kControllerStatus) & onenand::status::kError) != 0;
  return error ? refusal(place, failed) : PartStatus::ok;
}

PartStatus OneNandSequences::refusal(const OneNandPlace& place, PartStatus failed) {
  // The protection register is that of the segment in F100h, which another operation may have changed since.
  return bus_.unlocked(place) ? failed : PartStatus::write_protected;
}

}  // namespace ftlab
