// Bad marks: the first spare word of pages 0 and 1 of a segment.
#include <bit>

#include "firmware/driver/onenand_driver.h"
#include "hw/regs/onenand_regs.h"

namespace ftlab {

namespace onenand = hw::flexonenand;

namespace {

constexpr std::uint32_t kMarkPages = 2;

/// A cut or failed erase leaves noise where the mark would be. Marks of the factory (0000h) and of the public drivers
/// (2222h, 4444h, 8888h) have at most four bits set, noise on top of FFFFh has many more.
bool is_mark(const OneNandSpare& spare) {
  const unsigned word = std::to_integer<unsigned>(spare[onenand::spare_slot::kBadMark]) |
                        (std::to_integer<unsigned>(spare[onenand::spare_slot::kBadMark + 1]) << 8);
  return std::popcount(word) <= 4;
}

}  // namespace

FlashStatus OneNandDriver::check_bad(const FlashOp& op) {
  // Both pages: a single one may be a program that was cut.
  for (std::uint32_t page = 0; page < kMarkPages; ++page) {
    const OneNandPlace place = place_of(op.segment, page * onenand::kPageBytes);
    if (sequences_.load(place, false).status == FlashStatus::timeout) return FlashStatus::timeout;
    sequences_.read_spare(spare_);
    if (!is_mark(spare_)) return FlashStatus::ok;
  }
  return FlashStatus::bad_segment;
}

FlashStatus OneNandDriver::mark_bad(const FlashOp& op) {
  // What fails here was given up anyway: only whether the mark can be seen afterwards counts.
  const FlashStatus erased = sequences_.erase(place_of(op.segment, 0));
  if (erased == FlashStatus::write_protected || erased == FlashStatus::timeout) return erased;
  for (std::uint32_t page = 0; page < kMarkPages; ++page) {
    const OneNandPlace place = place_of(op.segment, page * onenand::kPageBytes);
    spare_.fill(std::byte{0xFF});
    spare_[onenand::spare_slot::kBadMark] = spare_[onenand::spare_slot::kBadMark + 1] = std::byte{0};
    probe_.count(Work::buffer_program, 1);
    sequences_.select(place.die);
    sequences_.blank_main();
    sequences_.write_spare(spare_);
    if (sequences_.program(place) == FlashStatus::timeout) return FlashStatus::timeout;
  }
  const FlashStatus seen = check_bad(op);
  if (seen == FlashStatus::ok) return FlashStatus::program_failed;
  return seen == FlashStatus::bad_segment ? FlashStatus::ok : seen;
}

}  // namespace ftlab
