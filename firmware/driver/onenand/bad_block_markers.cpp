#include "firmware/driver/onenand/bad_block_markers.h"

#include <bit>
#include <cstdint>

#include "hw/regs/onenand_regs.h"

namespace ftlab {

namespace onenand = hw::flexonenand;

namespace {

constexpr std::uint32_t kMarkPages = 2;

/// What the first spare word of a page says. `clear`: no error of a few bits makes it, so that page 0 alone decides.
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

OneNandPlace page_of(const OneNandPlace& segment, std::uint32_t page) {
  return {.die = segment.die, .segment = segment.segment, .page = static_cast<std::uint16_t>(page)};
}

}  // namespace

PartStatus OneNandBadBlockMarkers::check(const OneNandPlace& segment) {
  // The factory marks both pages, other drivers may mark page 0 alone.
  bool page_0_is_clear = false;
  for (std::uint32_t page = 0; page < kMarkPages; ++page) {
    const PartStatus status = sequences_.run(OneNandWork::load, page_of(segment, page)).status;
    if (status == PartStatus::timeout) return PartStatus::timeout;
    const Mark mark = mark_of(buffer_.raw_spare(), status == PartStatus::uncorrectable);
    if (page == 0) page_0_is_clear = mark == Mark::clear;
    if (mark == Mark::none) return page_0_is_clear ? PartStatus::bad_segment : PartStatus::ok;
  }
  return PartStatus::bad_segment;
}

PartStatus OneNandBadBlockMarkers::set(const OneNandPlace& segment) {
  // An erase would take a marker of the factory away.
  const PartStatus before = check(segment);
  if (before != PartStatus::ok) return before == PartStatus::bad_segment ? PartStatus::ok : before;
  // What fails here was given up anyway: only whether the marker can be seen afterwards counts.
  const PartStatus erased = sequences_.run(OneNandWork::erase, segment).status;
  if (erased == PartStatus::write_protected || erased == PartStatus::timeout) return erased;
  OneNandSpare marker;
  marker.fill(std::byte{0xFF});
  marker[onenand::spare_slot::kBadMarker] = marker[onenand::spare_slot::kBadMarker + 1] = std::byte{0};
  for (std::uint32_t page = 0; page < kMarkPages; ++page) {
    buffer_.put_marker(marker, segment.die);
    const OneNandPlace place = page_of(segment, page);
    if (sequences_.run(OneNandWork::program, place).status == PartStatus::timeout) return PartStatus::timeout;
  }
  const PartStatus seen = check(segment);
  if (seen == PartStatus::ok) return PartStatus::program_failed;
  return seen == PartStatus::bad_segment ? PartStatus::ok : seen;
}

}  // namespace ftlab
