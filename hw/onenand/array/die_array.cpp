#include "hw/onenand/array/die_array.h"

#include <cstring>
#include <utility>

namespace ftlab::hw {

namespace regs = flexonenand;

namespace {

constexpr std::uint32_t kAllSectors = 0xFF;

/// With ECC on, the device's own code takes its place in every spare slot; the code itself is not modelled.
void blank_ecc_bytes(CellArray::Spare spare) {
  for (std::uint32_t sector = 0; sector < regs::kSectorsPerPage; ++sector) {
    std::memset(&spare[sector * regs::kSectorSpareBytes + regs::spare_slot::kEcc], 0xFF, regs::spare_slot::kEccBytes);
  }
}

std::uint16_t word_in(const PageBytes& page, std::uint32_t offset) {
  return static_cast<std::uint16_t>(std::to_integer<unsigned>(page.main[offset]) |
                                    std::to_integer<unsigned>(page.main[offset + 1]) << 8);
}

}  // namespace

DieArray::DieArray(OneNandContext& device, std::uint32_t die)
    : device_(device), die_(die), first_segment_(die * device.spec.segments_per_die), ram_(device.cells.pool()) {}

void DieArray::load(const Work& work, DieStatus& status) {
  CellArray& cells = device_.cells;
  ram_.main.show(cells.main_of(work.segment, work.page));
  cells.read_spare(work.segment, work.page, ram_.spare);
  const PageErrors errors =
      device_.errors.errors(cells, work.segment, work.page, work.slc, work.kind == WorkKind::recovery_load, work.end);
  if (Segment& segment = cells.at(work.segment); segment.reads != UINT32_MAX) ++segment.reads;
  const std::uint32_t delivered = check_sectors(work, errors, status);
  if (delivered == 0) return;
  // Without content there is nothing to spoil: what stands for it is thrown away.
  PageBytes unkept;
  const CellArray::Main main =
      cells.keeps_content(work.segment) ? CellArray::Main(ram_.main.own()) : CellArray::Main(unkept.main);
  device_.errors.flip(cells, work.segment, work.page, errors, delivered, main, ram_.spare);
}

std::uint32_t DieArray::check_sectors(const Work& work, const PageErrors& errors, DieStatus& status) const {
  status.ecc = {};
  if (!work.ecc_on) return errors.any ? kAllSectors : 0;
  // Data written with ECC off has no code to check against.
  const std::uint8_t flags = device_.cells.at(work.segment).flags(work.page);
  const bool no_code = flags != 0 && (flags & page_flag::kParity) == 0;
  std::uint32_t delivered = 0;
  for (std::uint32_t sector = 0; sector < regs::kSectorsPerPage && (errors.any || no_code); ++sector) {
    const std::uint16_t found = no_code ? regs::ecc::kUncorrectable : errors.status_of(sector);
    status.ecc[sector / 2] |= static_cast<std::uint16_t>(found << (sector % 2 == 0 ? 0 : regs::ecc::kOddShift));
    if (found == regs::ecc::kUncorrectable) delivered |= 1U << sector;
  }
  if (delivered != 0) status.fail(regs::status::kLoad);
  return delivered;
}

void DieArray::take_page(const Work& work) {
  page_buffer_.spare = ram_.spare;
  // Cells of a device without content only need the spare area.
  page_buffer_.main = device_.cells.keeps_content(work.segment) ? ram_.main.page() : PagePool::Page();
}

void DieArray::store_page(const Work& work, std::uint8_t flags) {
  if (work.ecc_on) blank_ecc_bytes(page_buffer_.spare);
  Segment& segment = device_.cells.at(work.segment);
  if (segment.next_page == 0) segment.slc = work.slc;
  if (segment.flags(work.page) != 0) {
    // Only the lock page of the OTP segment is programmed again: bits are only ever cleared.
    PageBytes old;
    device_.cells.read(work.segment, work.page, old.main, old.spare);
    page_buffer_.main = device_.cells.pool().take(page_buffer_.main);
    const CellArray::Main main = page_buffer_.main.own_bytes();
    for (std::size_t i = 0; i < old.main.size(); ++i) main[i] &= old.main[i];
    for (std::size_t i = 0; i < old.spare.size(); ++i) page_buffer_.spare[i] &= old.spare[i];
  }
  if (work.ecc_on) flags |= page_flag::kParity;
  if (work.type != PageType::msb) flags |= page_flag::kFast;
  device_.cells.store(work.segment, work.page, flags, work.end, std::move(page_buffer_.main), page_buffer_.spare);
}

void DieArray::spoil_partner(const Work& work) {
  if (work.type != PageType::msb) return;
  Segment& segment = device_.cells.at(work.segment);
  std::uint8_t& partner = segment.pages->flags[regs::paired::partner(work.page)];
  if (partner != 0) partner |= page_flag::kSpoiled;
}

void DieArray::program(const Work& work) {
  if (!work.fails) return store_page(work, page_flag::kProgrammed);
  store_page(work, page_flag::kProgrammed | page_flag::kNoise);
  spoil_partner(work);
  device_.cells.at(work.segment).worn = true;
}

void DieArray::erase(const Work& work) {
  Segment& segment = device_.cells.at(work.segment);
  ++segment.cycles;
  device_.errors.refresh(segment);
  if (!work.fails) return device_.cells.blank(work.segment);
  // A failed erase leaves the cells anywhere; factory markers are not written by programs and stay.
  if (!segment.bad) segment.noise = true;
  segment.worn = true;
}

void DieArray::leave_half_done(const Work& work, Ticks worked) {
  if (work.kind == WorkKind::erase) {
    Segment& segment = device_.cells.at(work.segment);
    if (!segment.bad) segment.noise = true;  // as in a failed erase, factory markers stay
    ++segment.cycles;
    device_.errors.refresh(segment);
  } else if (work.kind == WorkKind::program && worked > device_.spec.timing.transfer) {
    store_page(work, page_flag::kProgrammed | page_flag::kNoise);
    spoil_partner(work);
  }
}

void DieArray::fill_boot_ram() {
  PageBytes page;
  device_.cells.read(first_segment_, 0, page.main, page.spare);
  std::memcpy(ram_.boot.data(), page.main.data(), ram_.boot.size());
  std::memcpy(ram_.boot_spare.data(), page.spare.data(), ram_.boot_spare.size());
}

void DieArray::scramble_ram() {
  const auto fill = [&](auto&& bytes) {
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(device_.power_loss() & 0xFF);
  };
  fill(ram_.main.own());
  fill(ram_.spare);
}

std::uint16_t DieArray::stored_word(std::uint32_t segment, std::uint32_t page, std::uint32_t offset) const {
  PageBytes bytes;
  device_.cells.read(segment, page, bytes.main, bytes.spare);
  return word_in(bytes, offset);
}

std::uint16_t DieArray::stored_partition_word() const {
  return stored_word(device_.cells.partition_segment(die_), 0, 0);
}

std::uint16_t DieArray::stored_otp_lock() const {
  return stored_word(device_.cells.otp_segment(die_), regs::otp::kLockPage,
                     regs::otp::kLockSector * regs::kSectorBytes);
}

std::uint16_t DieArray::loaded_partition_word(Ticks t) const {
  const std::uint32_t segment = device_.cells.partition_segment(die_);
  PageBytes page;
  device_.cells.read(segment, 0, page.main, page.spare);
  const PageErrors errors = device_.errors.errors(device_.cells, segment, 0, true, false, t);
  if (errors.any) device_.errors.flip(device_.cells, segment, 0, errors, kAllSectors, page.main, page.spare);
  return word_in(page, 0);
}

}  // namespace ftlab::hw
