// What a die's work does to cells and DataRAM when it ends.
#include <cstring>

#include "hw/onenand/die.h"

namespace ftlab::hw {

namespace regs = flexonenand;

namespace {

constexpr std::uint32_t kAllSectors = 0xFF;

/// With ECC on, the device's own code takes its place in every spare slot; the code itself is not modelled.
void blank_ecc_bytes(PageBytes& page) {
  for (std::uint32_t sector = 0; sector < regs::kSectorsPerPage; ++sector) {
    std::memset(&page.spare[sector * regs::kSectorSpareBytes + regs::spare_slot::kEcc], 0xFF,
                regs::spare_slot::kEccBytes);
  }
}

std::uint16_t word_of(const PageBytes& page, std::uint32_t offset) {
  return static_cast<std::uint16_t>(std::to_integer<unsigned>(page.main[offset]) |
                                    std::to_integer<unsigned>(page.main[offset + 1]) << 8);
}

}  // namespace

void Die::finish_load(const Work& work) {
  CellArray& cells = device_.cells;
  Segment& segment = cells.at(work.segment);
  cells.read(work.segment, work.page, ram_.data.main, ram_.data.spare);
  PageErrors errors =
      device_.errors.errors(cells, work.segment, work.page, work.slc, work.kind == WorkKind::recovery_load, work.end);
  if (segment.reads != UINT32_MAX) ++segment.reads;
  ecc_ = {};
  page_loaded_ = true;
  const std::uint8_t flags = segment.flags(work.page);
  std::uint32_t delivered = errors.any ? kAllSectors : 0;  // sectors whose raw errors reach DataRAM
  if (work.ecc_on) {
    delivered = 0;
    // Data written with ECC off has no code to check against.
    const bool no_code = flags != 0 && (flags & page_flag::kParity) == 0;
    for (std::uint32_t sector = 0; sector < regs::kSectorsPerPage && (errors.any || no_code); ++sector) {
      const std::uint16_t status = no_code ? regs::ecc::kUncorrectable : errors.status_of(sector);
      ecc_[sector / 2] |= static_cast<std::uint16_t>(status << (sector % 2 == 0 ? 0 : regs::ecc::kOddShift));
      if (status == regs::ecc::kUncorrectable) delivered |= 1U << sector;
    }
    if (delivered != 0) sticky_ |= regs::status::kError | regs::status::kLoad;
  }
  if (delivered == 0) return;
  const bool keep_main = !cells.stores_content() && !cells.is_special(work.segment);
  device_.errors.flip(cells, work.segment, work.page, errors, delivered, keep_main ? page_buffer_.main : ram_.data.main,
                      ram_.data.spare);
}

void Die::store_page(const Work& work, std::uint8_t flags) {
  if (work.ecc_on) blank_ecc_bytes(page_buffer_);
  Segment& segment = device_.cells.at(work.segment);
  if (segment.next_page == 0) segment.slc = work.slc;
  if (segment.flags(work.page) != 0) {
    // Only the lock page of the OTP segment is programmed again: bits are only ever cleared.
    PageBytes old;
    device_.cells.read(work.segment, work.page, old.main, old.spare);
    for (std::size_t i = 0; i < old.main.size(); ++i) page_buffer_.main[i] &= old.main[i];
    for (std::size_t i = 0; i < old.spare.size(); ++i) page_buffer_.spare[i] &= old.spare[i];
  }
  if (work.ecc_on) flags |= page_flag::kParity;
  if (work.type != PageType::msb) flags |= page_flag::kFast;
  device_.cells.store(work.segment, work.page, flags, work.end, page_buffer_.main, page_buffer_.spare);
}

void Die::spoil_partner(const Work& work) {
  if (work.type != PageType::msb) return;
  Segment& segment = device_.cells.at(work.segment);
  std::uint8_t& partner = segment.pages->flags[regs::paired::partner(work.page)];
  if (partner != 0) partner |= page_flag::kSpoiled;
}

void Die::finish_program(Work& work) {
  if (!work.fails) {
    store_page(work, page_flag::kProgrammed);
  } else {
    store_page(work, page_flag::kProgrammed | page_flag::kNoise);
    spoil_partner(work);
    device_.cells.at(work.segment).worn = true;
    sticky_ |= regs::status::kError | regs::status::kProgram;
    if (work.cached || cache_run_) {
      sticky_ |= waiting_on_ ? regs::status::kPreviousCacheFail : regs::status::kCurrentCacheFail;
    }
  }
  if (!work.cached) cache_run_ = false;
  if (work.segment == device_.cells.otp_segment(index_)) read_otp_locks();
}

void Die::finish_erase(Work& work) {
  Segment& segment = device_.cells.at(work.segment);
  ++segment.cycles;
  device_.errors.refresh(segment);
  if (work.fails) {
    // A failed erase leaves the cells anywhere; factory marks are not written by programs and stay.
    if (!segment.bad) segment.noise = true;
    segment.worn = true;
    sticky_ |= regs::status::kError | regs::status::kErase;
    return;
  }
  device_.cells.blank(work.segment);
}

void Die::fill_boot_ram() {
  PageBytes page;
  device_.cells.read(first_segment_, 0, page.main, page.spare);
  std::memcpy(ram_.boot.data(), page.main.data(), ram_.boot.size());
  std::memcpy(ram_.boot_spare.data(), page.spare.data(), ram_.boot_spare.size());
}

std::uint16_t Die::stored_word(std::uint32_t segment, std::uint32_t page, std::uint32_t offset) const {
  PageBytes bytes;
  device_.cells.read(segment, page, bytes.main, bytes.spare);
  return word_of(bytes, offset);
}

bool Die::partition_locked() const {
  // Of the bits as programmed: a cut erase, whose cells are on their way to FFh, locks nothing for good.
  return (stored_word(device_.cells.partition_segment(index_), 0, 0) & regs::partition::kLockMask) == 0;
}

void Die::read_boundary(Ticks t) {
  // As a load with ECC off brings it, errors and the noise of a cut erase included: the host sees the same word.
  const std::uint32_t segment = device_.cells.partition_segment(index_);
  PageBytes page;
  device_.cells.read(segment, 0, page.main, page.spare);
  const PageErrors errors = device_.errors.errors(device_.cells, segment, 0, true, false, t);
  if (errors.any) device_.errors.flip(device_.cells, segment, 0, errors, kAllSectors, page.main, page.spare);
  boundary_ = word_of(page, 0) & regs::partition::boundary_mask(device_.spec.segments_per_die);
}

void Die::read_otp_locks() {
  const std::uint16_t lock =
      stored_word(device_.cells.otp_segment(index_), regs::otp::kLockPage, regs::otp::kLockSector * regs::kSectorBytes);
  otp_locked_ = (lock & ~regs::otp::kLockOtp & 0xFF) == 0;
  first_block_locked_ = (lock & ~regs::otp::kLockFirstBlock & 0xFF) == 0;
}

}  // namespace ftlab::hw
