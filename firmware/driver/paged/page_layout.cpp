#include "firmware/driver/paged/page_layout.h"

#include <algorithm>
#include <cstring>

#include "firmware/base/crc32.h"
#include "firmware/base/little_endian.h"
#include "firmware/driver/paged/page_tag.h"

namespace ftlab::paged {
namespace {

/// NOR: at the start of a segment that must not be used any more. A record with a check, since an erase that failed may
/// leave anything there.
struct BadRecord {
  Le32 magic = 0x44414253;  // "SBAD"
  Le32 segment = 0;
  Le32 reserved = 0xFFFFFFFF;
  Le32 check = 0;  ///< CRC-32C of the bytes before
};
static_assert(sizeof(BadRecord) == 16 && offsetof(BadRecord, check) == 12);

BadRecord bad_record(std::uint32_t segment) {
  BadRecord record;
  record.segment = segment;
  record.check = crc32c(&record, offsetof(BadRecord, check));
  return record;
}

}  // namespace

PageLayout::PageLayout(const PartGeometry& part, std::uint32_t page_bytes, const NorPages& nor)
    : segment_bytes_(part.segment_bytes),
      spare_bytes_(part.spare_bytes),
      page_bytes_(page_bytes),
      bare_(part.spare_bytes == 0 && nor.bare),
      entry_bytes_(static_cast<std::uint32_t>(bare_ ? 0 : sizeof(PageTag) + (nor.data_checksum ? sizeof(Le32) : 0))) {
  if (page_bytes_ == 0 || page_bytes_ > segment_bytes_) return;
  pages_ = entries() ? (segment_bytes_ - static_cast<std::uint32_t>(sizeof(BadRecord))) / (page_bytes_ + entry_bytes_)
                     : segment_bytes_ / page_bytes_;
  if (spare()) at_once_ = std::max<std::uint32_t>(part.program_unit_bytes / page_bytes_, 1);
}

std::uint32_t PageLayout::beside_bytes() const { return spare() ? spare_bytes_ : entry_bytes_; }

std::uint32_t PageLayout::data_at(std::uint32_t page) const {
  return entries() ? segment_bytes_ - (pages_ - page) * page_bytes_ : page * page_bytes_;
}
std::uint32_t PageLayout::entry_at(std::uint32_t page) const {
  return static_cast<std::uint32_t>(sizeof(BadRecord)) + page * entry_bytes_;
}

void PageLayout::read_part(Steps& steps, std::uint32_t segment, std::uint32_t page, std::uint32_t first,
                           std::uint32_t bytes, std::byte* data, std::byte* beside) const {
  PartOp& op = steps.add(PartOpKind::read, segment, data_at(page) + first, bytes);
  op.into = data + first;
  op.spare_into = beside;
}

void PageLayout::read(Steps& steps, std::uint32_t segment, std::uint32_t page, std::byte* data,
                      std::byte* beside) const {
  if (spare()) return read_of_unit(steps, segment, page, data != nullptr ? 1 : 0, data, beside);
  if (data != nullptr) steps.add(PartOpKind::read, segment, data_at(page), page_bytes_).into = data;
  if (entries()) steps.add(PartOpKind::read, segment, entry_at(page), entry_bytes_).into = beside;
}

void PageLayout::read_of_unit(Steps& steps, std::uint32_t segment, std::uint32_t page, std::uint32_t pages,
                              std::byte* data, std::byte* beside) const {
  PartOp& op = steps.add(PartOpKind::read, segment, data_at(page), pages * page_bytes_);
  op.into = data;
  op.spare_into = beside;
}

void PageLayout::program(Steps& steps, std::uint32_t segment, std::uint32_t page, const std::byte* data,
                         const std::byte* beside) const {
  PartOp& op = steps.add(PartOpKind::program, segment, data_at(page), at_once_ * page_bytes_);
  op.from = data;
  if (spare()) op.spare_from = beside;
  if (entries()) program_entry(steps, segment, page, beside);
}

void PageLayout::program_entry(Steps& steps, std::uint32_t segment, std::uint32_t page, const std::byte* beside) const {
  steps.add(PartOpKind::program, segment, entry_at(page), entry_bytes_).from = beside;
}

void PageLayout::check_bad(Steps& steps, std::uint32_t segment, std::byte* beside) const {
  if (spare())
    steps.add(PartOpKind::check_bad, segment, 0, 0);
  else
    steps.add(PartOpKind::read, segment, 0, sizeof(BadRecord)).into = beside;
}

bool PageLayout::can_mark(std::uint32_t segment, std::span<const std::byte> beside) const {
  const BadRecord record = bad_record(segment);
  const auto wanted = std::as_bytes(std::span(&record, 1));
  const auto stays = [](std::byte set, std::byte now) { return (set & ~now) == std::byte{0}; };
  return std::ranges::mismatch(wanted, beside, stays).in1 == wanted.end();
}

void PageLayout::mark_bad(Steps& steps, std::uint32_t segment, std::byte* beside) const {
  if (spare()) {
    steps.add(PartOpKind::mark_bad, segment, 0, 0);
    return;
  }
  const BadRecord record = bad_record(segment);
  std::memcpy(beside, &record, sizeof record);
  steps.add(PartOpKind::program, segment, 0, sizeof record).from = beside;
}

bool PageLayout::is_bad(std::uint32_t segment, PartStatus status, std::span<const std::byte> beside) const {
  if (spare()) return status == PartStatus::bad_segment;
  const BadRecord record = bad_record(segment);
  return status == PartStatus::ok && std::memcmp(beside.data(), &record, sizeof record) == 0;
}

}  // namespace ftlab::paged
