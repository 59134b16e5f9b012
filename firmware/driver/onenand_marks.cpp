// Bad marks: the first spare word of pages 0 and 1 of a segment.
#include <bit>

#include "firmware/driver/onenand_driver.h"
#include "hw/regs/onenand_regs.h"

namespace ftlab {

namespace onenand = hw::flexonenand;

namespace {

constexpr std::uint32_t kMarkPages = 2;

/// A mark is any word but FFFFh. ECC does not cover it, so one bit alone may be an error. In a page that ECC gives up
/// it may be the noise of a cut program or erase on top of FFFFh, too: there a mark is what noise hardly makes, a byte
/// of 00h with at most one bit wrong, or a word with at most four bits set, as the public drivers write them (2222h,
/// 4444h, 8888h).
bool is_mark(const OneNandSpare& spare, bool lost) {
  const auto low = std::to_integer<unsigned>(spare[onenand::spare_slot::kBadMark]);
  const auto high = std::to_integer<unsigned>(spare[onenand::spare_slot::kBadMark + 1]);
  const int set = std::popcount(low) + std::popcount(high);
  return lost ? set <= 4 || std::popcount(low) <= 1 || std::popcount(high) <= 1 : set < 15;
}

}  // namespace

FlashStatus OneNandDriver::check_bad(const FlashOp& op) {
  // Both pages: a single one may be a program that was cut.
  for (std::uint32_t page = 0; page < kMarkPages; ++page) {
    const OneNandPlace place = place_of(op.segment, page * onenand::kPageBytes);
    const FlashStatus status = sequences_.load(place, false).status;
    if (status == FlashStatus::timeout) return FlashStatus::timeout;
    sequences_.read_spare(spare_);
    if (!is_mark(spare_, status == FlashStatus::uncorrectable)) return FlashStatus::ok;
  }
  return FlashStatus::bad_segment;
}

FlashStatus OneNandDriver::mark_bad(const FlashOp& op) {
  // An erase would take a mark of the factory away.
  const FlashStatus before = check_bad(op);
  if (before != FlashStatus::ok) return before == FlashStatus::bad_segment ? FlashStatus::ok : before;
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
