// Bad marks: the first spare word of pages 0 and 1 of a segment.
#include <bit>
#include <cstdint>

#include "firmware/driver/onenand/driver.h"
#include "hw/regs/onenand_regs.h"

namespace ftlab {

namespace onenand = hw::flexonenand;

namespace {

constexpr std::uint32_t kMarkPages = 2;

/// What the first spare word of a page says. `clear`: no error of a few bits makes it, so that page 0 alone tells.
enum class Mark : std::uint8_t { none, doubtful, clear };

/// A mark is any word but FFFFh. ECC does not cover it, so one wrong bit is no mark and less than four are doubtful. In
/// a page that ECC gives up it may be the noise of a program or erase lost with the supply, on top of FFFFh: there a
/// mark is what noise hardly makes, a byte of 00h with at most one bit wrong, or a word with at most four bits set, as
/// the public drivers write them (2222h, 4444h, 8888h), and it stays doubtful.
Mark mark_of(const OneNandSpare& spare, bool lost) {
  const auto low = std::to_integer<unsigned>(spare[onenand::spare_slot::kBadMarker]);
  const auto high = std::to_integer<unsigned>(spare[onenand::spare_slot::kBadMarker + 1]);
  const int set = std::popcount(low) + std::popcount(high);
  if (lost) return set <= 4 || std::popcount(low) <= 1 || std::popcount(high) <= 1 ? Mark::doubtful : Mark::none;
  if (set >= 15) return Mark::none;
  return set <= 12 ? Mark::clear : Mark::doubtful;
}

}  // namespace

FlashStatus OneNandDriver::check_bad(const FlashOp& op) {
  // The factory markers both pages, other drivers may mark page 0 alone.
  bool page_0_tells = false;
  for (std::uint32_t page = 0; page < kMarkPages; ++page) {
    const OneNandPlace place = place_of(op.segment, page * onenand::kPageBytes);
    const FlashStatus status = sequences_.load(place, false).status;
    if (status == FlashStatus::timeout) return FlashStatus::timeout;
    sequences_.read_spare(spare_);
    const Mark mark = mark_of(spare_, status == FlashStatus::uncorrectable);
    if (page == 0) page_0_tells = mark == Mark::clear;
    if (mark == Mark::none) return page_0_tells ? FlashStatus::bad_segment : FlashStatus::ok;
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
    spare_[onenand::spare_slot::kBadMarker] = spare_[onenand::spare_slot::kBadMarker + 1] = std::byte{0};
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
