// Records and marks of the NOR header. Commit order of a page: data, then its entry.
#include "firmware/volume/nor/nor_medium.h"

#include <algorithm>

#include "firmware/base/erased.h"
#include "firmware/volume/nor/format.h"
#include "firmware/volume/nor/mount.h"

namespace ftlab::fms {

FtlStatus NorMedium::format() { return Format(s_, journal_, pool_, frontier_).run(); }

FtlStatus NorMedium::mount() { return Mount(s_, journal_, pool_).run(); }

FlashStatus NorMedium::read(std::uint32_t segment, std::uint32_t slot, std::uint32_t offset, std::byte* into,
                            std::uint32_t length) {
  if (!s_.config.data_checksum) return s_.io.read(segment, s_.data_offset(slot) + offset, into, length);
  // A part of a page is a host's request: no page is on its way through the buffer then.
  const bool whole = length == s_.config.page_bytes;
  std::byte* const page = whole ? into : s_.copy_buffer.data();
  FlashStatus status = s_.io.read(segment, s_.data_offset(slot), page, s_.config.page_bytes);
  if (status == FlashStatus::ok) status = verify(segment, slot, page);
  if (status == FlashStatus::ok && !whole) std::copy_n(page + offset, length, into);
  return status;
}

FlashStatus NorMedium::verify(std::uint32_t segment, std::uint32_t slot, const std::byte* page) {
  CheckedEntry entry;
  const FlashStatus status = read_entry(segment, slot, entry);
  if (status != FlashStatus::ok) return status;
  const bool known = readable(examine(entry, s_.volume, s_.pages.size()));
  return known && entry.data_check == data_check(page) ? FlashStatus::ok : FlashStatus::uncorrectable;
}

std::uint32_t NorMedium::data_check(const std::byte* page) {
  s_.probe.count(Work::checksum_byte, s_.config.page_bytes);
  return crc32c(page, s_.config.page_bytes);
}

FlashStatus NorMedium::read_entry(std::uint32_t segment, std::uint32_t slot, CheckedEntry& entry) {
  return s_.io.read(segment, s_.entry_offset(slot), reinterpret_cast<std::byte*>(&entry),
                    entry_bytes(s_.config.data_checksum));
}

FlashStatus NorMedium::append(std::uint32_t segment, std::uint32_t slot, const PageRecord& page,
                              const std::byte* data) {
  CheckedEntry entry;
  entry.lpn = page.lpn;
  entry.updates = page.updates;
  entry.stamp = page.stamp;
  entry.sequence = ++s_.sequence;
  if (s_.config.data_checksum) entry.data_check = page.unreadable ? ~data_check(data) : data_check(data);
  seal(entry, s_.volume);
  FlashOp ops[2];
  ops[0].kind = ops[1].kind = FlashOpKind::program;
  ops[0].segment = ops[1].segment = SegmentId{segment};
  ops[0].offset = s_.data_offset(slot);
  ops[0].length = s_.config.page_bytes;
  ops[0].from = data;
  ops[1].offset = s_.entry_offset(slot);
  ops[1].length = entry_bytes(s_.config.data_checksum);
  ops[1].from = reinterpret_cast<const std::byte*>(&entry);
  const FlashStatus status = s_.io.run(ops);
  if (!is_media_failure(status)) return status;
  // The entry may read as intact although its program failed.
  (void)clear_valid(segment, slot);
  if (!counts(segment, slot).value_or(false)) return status;
  // It cannot be voided, so it is the page's newest copy, whole and durable.
  pool_.retire(segment);
  return FlashStatus::ok;
}

std::optional<bool> NorMedium::counts(std::uint32_t segment, std::uint32_t slot) {
  CheckedEntry entry;
  if (read_entry(segment, slot, entry) != FlashStatus::ok) return std::nullopt;
  const RecordState state = examine(entry, s_.volume, s_.pages.size());
  return content_of(state, entry) == SlotContent::page;
}

bool NorMedium::would_come_back(std::uint32_t lpn) {
  for (std::uint32_t segment = 1; segment < s_.geometry.segments; ++segment) {
    const SegmentRow& row = s_.segments.row(segment);
    if (row.damaged) return true;  // a mount takes pages without a copy for lost
    if (!row.unvoided) continue;
    if (s_.io.read(segment, 0, s_.header_buffer.data(), static_cast<std::uint32_t>(s_.header_buffer.size())) !=
        FlashStatus::ok)
      return true;
    for (std::uint32_t slot = 0; slot < s_.slots; ++slot) {
      CheckedEntry entry = entry_at(s_.header_buffer, slot, s_.config.data_checksum);
      const RecordState state = examine(entry, s_.volume, s_.pages.size());
      if (entry.lpn == lpn && content_of(state, entry) == SlotContent::page) return true;
    }
  }
  return false;
}

FlashStatus NorMedium::trim(std::uint32_t ppn) {
  if (would_come_back(s_.segments.lpn_at(ppn))) return FlashStatus::program_failed;
  return invalidate(ppn);
}

FlashStatus NorMedium::clear_valid(std::uint32_t segment, std::uint32_t slot) {
  return s_.io.program(segment, s_.entry_offset(slot) + offsetof(PageEntry, valid), &kCleared, sizeof kCleared);
}

FlashStatus NorMedium::invalidate(std::uint32_t ppn) {
  const std::uint32_t segment = s_.segments.segment_of(ppn);
  const std::uint32_t slot = s_.segments.slot_of(ppn);
  const FlashStatus status = clear_valid(segment, slot);
  if (!is_media_failure(status)) return status;
  pool_.retire(segment);
  if (!counts(segment, slot).value_or(true)) return FlashStatus::ok;
  s_.segments.row(segment).unvoided = true;
  return status;
}

bool NorMedium::is_blank(std::uint32_t segment) {
  constexpr auto kFrom = static_cast<std::uint32_t>(offsetof(SegmentHeader, open));
  const auto chunk = static_cast<std::uint32_t>(s_.header_buffer.size());
  for (std::uint32_t at = kFrom; at < s_.geometry.segment_bytes; at += chunk) {
    const auto part = s_.header_buffer.first(std::min(chunk, s_.geometry.segment_bytes - at));
    if (s_.io.read(segment, at, part.data(), static_cast<std::uint32_t>(part.size())) != FlashStatus::ok) return false;
    if (!all_erased(part)) return false;
  }
  return true;
}

FlashStatus NorMedium::open(std::uint32_t segment, StreamId stream) {
  SegmentRow& row = s_.segments.row(segment);
  if (row.unchecked && !is_blank(segment)) {
    const FlashStatus renewed = pool_.renew(segment);
    if (renewed != FlashStatus::ok) return renewed;
  }
  row.unchecked = false;
  OpenRecord record;
  record.stamp = s_.clock;
  record.sequence = ++s_.sequence;
  record.stream = stream;
  seal(record, s_.volume);
  const FlashStatus status = s_.io.program(segment, offsetof(SegmentHeader, open), &record, sizeof record);
  if (status != FlashStatus::ok) return status;
  row.stream = stream;
  row.opened_stamp = record.stamp;
  row.opened_sequence = record.sequence;
  return FlashStatus::ok;
}

FlashStatus NorMedium::void_all(std::uint32_t segment) {
  const FlashStatus status = clear_mark(segment, offsetof(SegmentMarks, dead));
  if (status == FlashStatus::ok) s_.segments.row(segment).unvoided = false;
  return status;
}

FlashStatus NorMedium::born(std::uint32_t segment) {
  SegmentRow& row = s_.segments.row(segment);
  row.freed_sequence = ++s_.sequence;
  row.unchecked = row.damaged = row.refresh = row.unvoided = false;
  BirthRecord birth;
  birth.entry_bytes = static_cast<std::uint16_t>(entry_bytes(s_.config.data_checksum));
  birth.volume = s_.volume;
  birth.segment = segment;
  birth.page_bytes = s_.config.page_bytes;
  birth.logical_pages = s_.config.logical_pages;
  birth.erase_count = row.erase_count;
  birth.freed_sequence = row.freed_sequence;
  seal(birth);
  return s_.io.program(segment, 0, &birth, offsetof(BirthRecord, reserved2));
}

FlashStatus NorMedium::clear_mark(std::uint32_t segment, std::uint32_t offset_in_marks) {
  return s_.io.program(segment, offsetof(SegmentHeader, marks) + offset_in_marks, &kCleared, sizeof kCleared);
}

void NorMedium::retired(std::uint32_t segment) { (void)clear_mark(segment, offsetof(SegmentMarks, retired)); }

void NorMedium::buried(std::uint32_t segment) {
  if (void_all(segment) != FlashStatus::ok) s_.segments.row(segment).unvoided = true;
  if (!s_.segments.row(segment).retired) retired(segment);
}

}  // namespace ftlab::fms
