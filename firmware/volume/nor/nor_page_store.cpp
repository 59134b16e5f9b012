// Records and marks of the NOR header. Commit order of a page: data, then its entry.
#include "firmware/volume/nor/nor_page_store.h"

#include <algorithm>

#include "firmware/base/erased.h"
#include "firmware/volume/nor/format.h"
#include "firmware/volume/nor/mount.h"

namespace ftlab {

using namespace nor;

FtlStatus NorPageStore::format() { return Format(v_, log_, pool_, frontier_).run(); }

FtlStatus NorPageStore::mount() { return Mount(v_, log_, pool_).run(); }

FlashStatus NorPageStore::read(std::uint32_t segment, std::uint32_t slot, std::uint32_t offset,
                               std::span<std::byte> into) {
  if (!v_.config.data_checksum) return v_.io.read(segment, v_.data_offset(slot) + offset, into);
  // A part of a page is a host's request: no page is on its way through the buffer then.
  const bool whole = into.size() == v_.config.page_bytes;
  const std::span<std::byte> page = whole ? into : v_.copy_buffer;
  FlashStatus status = v_.io.read(segment, v_.data_offset(slot), page);
  if (status == FlashStatus::ok) status = verify(segment, slot, page.data());
  if (status == FlashStatus::ok && !whole) std::ranges::copy(page.subspan(offset, into.size()), into.begin());
  return status;
}

FlashStatus NorPageStore::verify(std::uint32_t segment, std::uint32_t slot, const std::byte* page) {
  CheckedEntry entry;
  const FlashStatus status = read_entry(segment, slot, entry);
  if (status != FlashStatus::ok) return status;
  const bool known = readable(examine(entry, v_.number, v_.pages.size()));
  return known && entry.data_check == data_check(page) ? FlashStatus::ok : FlashStatus::uncorrectable;
}

std::uint32_t NorPageStore::data_check(const std::byte* page) {
  v_.probe.count(Work::checksum_byte, v_.config.page_bytes);
  return crc32c(page, v_.config.page_bytes);
}

FlashStatus NorPageStore::read_entry(std::uint32_t segment, std::uint32_t slot, CheckedEntry& entry) {
  const std::span<std::byte> bytes = std::as_writable_bytes(std::span(&entry, 1));
  return v_.io.read(segment, v_.entry_offset(slot), bytes.first(entry_bytes(v_.config.data_checksum)));
}

FlashStatus NorPageStore::append(std::uint32_t segment, std::uint32_t slot, const PageMetadata& page,
                                 const std::byte* data) {
  CheckedEntry entry;
  entry.lpn = page.lpn;
  entry.updates = page.updates;
  entry.stamp = page.stamp;
  entry.sequence = ++v_.sequence;
  if (v_.config.data_checksum) entry.data_check = page.unreadable ? ~data_check(data) : data_check(data);
  seal(entry, v_.number);
  FlashOp ops[2];
  ops[0].kind = ops[1].kind = FlashOpKind::program;
  ops[0].segment = ops[1].segment = SegmentId{segment};
  ops[0].offset = v_.data_offset(slot);
  ops[0].length = v_.config.page_bytes;
  ops[0].from = data;
  ops[1].offset = v_.entry_offset(slot);
  ops[1].length = entry_bytes(v_.config.data_checksum);
  ops[1].from = reinterpret_cast<const std::byte*>(&entry);
  const FlashStatus status = v_.io.run(ops);
  if (!is_media_failure(status)) return status;
  // The entry may read as intact although its program failed.
  (void)clear_valid(segment, slot);
  if (!counts(segment, slot).value_or(false)) return status;
  // It cannot be voided, so it is the page's newest copy, whole and durable.
  pool_.retire(segment);
  return FlashStatus::ok;
}

std::optional<bool> NorPageStore::counts(std::uint32_t segment, std::uint32_t slot) {
  CheckedEntry entry;
  if (read_entry(segment, slot, entry) != FlashStatus::ok) return std::nullopt;
  const RecordState state = examine(entry, v_.number, v_.pages.size());
  return content_of(state, entry) == SlotContent::page;
}

bool NorPageStore::would_come_back(std::uint32_t lpn) {
  for (std::uint32_t segment = 1; segment < v_.geometry.segments; ++segment) {
    const SegmentRow& row = v_.segments.row(segment);
    if (row.damaged) return true;  // a mount takes pages without a copy for lost
    if (!row.unvoided) continue;
    if (v_.io.read(segment, 0, v_.header_buffer) != FlashStatus::ok) return true;
    for (std::uint32_t slot = 0; slot < v_.slots; ++slot) {
      CheckedEntry entry = entry_at(v_.header_buffer, slot, v_.config.data_checksum);
      const RecordState state = examine(entry, v_.number, v_.pages.size());
      if (entry.lpn == lpn && content_of(state, entry) == SlotContent::page) return true;
    }
  }
  return false;
}

FlashStatus NorPageStore::trim(std::uint32_t ppn) {
  if (would_come_back(v_.segments.lpn_at(ppn))) return FlashStatus::program_failed;
  return invalidate(ppn);
}

FlashStatus NorPageStore::clear_valid(std::uint32_t segment, std::uint32_t slot) {
  return v_.io.program(segment, v_.entry_offset(slot) + offsetof(PageEntry, valid), &kCleared, sizeof kCleared);
}

FlashStatus NorPageStore::invalidate(std::uint32_t ppn) {
  const std::uint32_t segment = v_.segments.segment_of(ppn);
  const std::uint32_t slot = v_.segments.slot_of(ppn);
  const FlashStatus status = clear_valid(segment, slot);
  if (!is_media_failure(status)) return status;
  pool_.retire(segment);
  if (!counts(segment, slot).value_or(true)) return FlashStatus::ok;
  v_.segments.row(segment).unvoided = true;
  return status;
}

bool NorPageStore::is_blank(std::uint32_t segment) {
  constexpr auto kFrom = static_cast<std::uint32_t>(offsetof(SegmentHeader, open));
  const auto chunk = static_cast<std::uint32_t>(v_.header_buffer.size());
  for (std::uint32_t at = kFrom; at < v_.geometry.segment_bytes; at += chunk) {
    const auto part = v_.header_buffer.first(std::min(chunk, v_.geometry.segment_bytes - at));
    if (v_.io.read(segment, at, part) != FlashStatus::ok) return false;
    if (!all_erased(part)) return false;
  }
  return true;
}

FlashStatus NorPageStore::open(std::uint32_t segment, StreamId stream) {
  SegmentRow& row = v_.segments.row(segment);
  if (row.unchecked && !is_blank(segment)) {
    const FlashStatus renewed = pool_.erase(segment);
    if (renewed != FlashStatus::ok) return renewed;
  }
  row.unchecked = false;
  OpenRecord record;
  record.stamp = v_.clock;
  record.sequence = ++v_.sequence;
  record.stream = stream;
  seal(record, v_.number);
  const FlashStatus status = v_.io.program(segment, offsetof(SegmentHeader, open), &record, sizeof record);
  if (status != FlashStatus::ok) return status;
  row.stream = stream;
  row.opened_stamp = record.stamp;
  row.opened_sequence = record.sequence;
  return FlashStatus::ok;
}

FlashStatus NorPageStore::void_all(std::uint32_t segment) {
  const FlashStatus status = mark_dead(segment);
  // Not twice, where a mount takes an interrupted erase up again.
  if (status == FlashStatus::ok && !v_.segments.row(segment).erase_recorded) log_.append(kErasing, segment);
  return status;
}

FlashStatus NorPageStore::mark_dead(std::uint32_t segment) {
  const FlashStatus status = clear_mark(segment, offsetof(SegmentMarks, dead));
  if (status == FlashStatus::ok) v_.segments.row(segment).unvoided = false;
  return status;
}

FlashStatus NorPageStore::erased(std::uint32_t segment) {
  SegmentRow& row = v_.segments.row(segment);
  row.freed_sequence = ++v_.sequence;
  row.unchecked = row.damaged = row.refresh = row.unvoided = row.erase_recorded = false;
  EraseHeader header;
  header.entry_bytes = static_cast<std::uint16_t>(entry_bytes(v_.config.data_checksum));
  header.volume = v_.number;
  header.segment = segment;
  header.page_bytes = v_.config.page_bytes;
  header.logical_pages = v_.config.logical_pages;
  header.erase_count = row.erase_count;
  header.freed_sequence = row.freed_sequence;
  seal(header);
  return v_.io.program(segment, 0, &header, offsetof(EraseHeader, reserved2));
}

FlashStatus NorPageStore::clear_mark(std::uint32_t segment, std::uint32_t offset_in_marks) {
  return v_.io.program(segment, offsetof(SegmentHeader, marks) + offset_in_marks, &kCleared, sizeof kCleared);
}

void NorPageStore::retired(std::uint32_t segment) { (void)clear_mark(segment, offsetof(SegmentMarks, retired)); }

void NorPageStore::marked_bad(std::uint32_t segment) {
  if (mark_dead(segment) != FlashStatus::ok) v_.segments.row(segment).unvoided = true;
  if (!v_.segments.row(segment).retired) retired(segment);
}

}  // namespace ftlab
