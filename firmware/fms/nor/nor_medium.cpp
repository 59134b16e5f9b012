// Records and marks of the NOR header. Commit order of a page: data, then its entry.
#include "firmware/fms/nor/nor_medium.h"

#include <array>
#include <cstring>

#include "firmware/fms/nor/format.h"
#include "firmware/fms/nor/mount.h"

namespace ftlab::fms {

FtlStatus NorMedium::format() { return Format(s_, journal_, pool_, frontier_).run(); }

FtlStatus NorMedium::mount() { return Mount(s_, journal_, pool_).run(); }

FlashStatus NorMedium::read(std::uint32_t segment, std::uint32_t slot, std::uint32_t offset, std::byte* into,
                            std::uint32_t length) {
  return s_.io.read(segment, s_.data_offset(slot) + offset, into, length);
}

FlashStatus NorMedium::append(std::uint32_t segment, std::uint32_t slot, const PageRecord& page,
                              const std::byte* data) {
  PageEntry entry;
  entry.lpn = page.lpn;
  entry.updates = page.updates;
  entry.stamp = page.stamp;
  entry.sequence = ++s_.sequence;
  seal(entry);
  FlashOp ops[2];
  ops[0].kind = ops[1].kind = FlashOpKind::program;
  ops[0].segment = ops[1].segment = SegmentId{segment};
  ops[0].offset = s_.data_offset(slot);
  ops[0].length = s_.config.page_bytes;
  ops[0].from = data;
  ops[1].offset = FmsState::entry_offset(slot);
  ops[1].length = sizeof entry;
  ops[1].from = reinterpret_cast<const std::byte*>(&entry);
  const FlashStatus status = s_.io.run(ops);
  if (!is_media_failure(status)) return status;
  // The entry may read as intact although its program failed.
  const std::uint32_t entry_at = FmsState::entry_offset(slot);
  (void)s_.io.program(segment, entry_at + offsetof(PageEntry, valid), &kCleared, sizeof kCleared);
  if (!counts(segment, slot)) return status;
  // It cannot be voided, so it is the page's newest copy, whole and durable.
  pool_.retire(segment);
  return FlashStatus::ok;
}

bool NorMedium::counts(std::uint32_t segment, std::uint32_t slot) {
  PageEntry entry;
  const FlashStatus read =
      s_.io.read(segment, FmsState::entry_offset(slot), reinterpret_cast<std::byte*>(&entry), sizeof entry);
  return read != FlashStatus::ok || (intact(entry) && entry.valid == kBlank16);
}

bool NorMedium::has_unvoided_copy(std::uint32_t lpn) {
  for (std::uint32_t segment = 1; segment < s_.geometry.segments; ++segment) {
    if (!s_.segments.row(segment).unvoided) continue;
    if (s_.io.read(segment, 0, s_.header_buffer.data(), static_cast<std::uint32_t>(s_.header_buffer.size())) !=
        FlashStatus::ok)
      return true;
    for (std::uint32_t slot = 0; slot < s_.slots; ++slot) {
      PageEntry entry;
      std::memcpy(&entry, s_.header_buffer.data() + FmsState::entry_offset(slot), sizeof entry);
      if (entry.lpn == lpn && intact(entry) && entry.valid == kBlank16) return true;
    }
  }
  return false;
}

FlashStatus NorMedium::trim(std::uint32_t ppn) {
  if (has_unvoided_copy(s_.segments.lpn_at(ppn))) return FlashStatus::program_failed;
  return invalidate(ppn);
}

FlashStatus NorMedium::invalidate(std::uint32_t ppn) {
  const std::uint32_t segment = s_.segments.segment_of(ppn);
  const std::uint32_t entry_at = FmsState::entry_offset(s_.segments.slot_of(ppn));
  const FlashStatus status = s_.io.program(segment, entry_at + offsetof(PageEntry, valid), &kCleared, sizeof kCleared);
  if (!is_media_failure(status)) return status;
  pool_.retire(segment);
  // Any bit of the entry that can still be cleared voids it, by its flag or by its checksum.
  constexpr std::array<std::byte, sizeof(PageEntry)> kZeros{};
  (void)s_.io.program(segment, entry_at, kZeros.data(), sizeof kZeros);
  if (!counts(segment, s_.segments.slot_of(ppn))) return FlashStatus::ok;
  s_.segments.row(segment).unvoided = true;
  return status;
}

FlashStatus NorMedium::open(std::uint32_t segment, StreamId stream) {
  SegmentRow& row = s_.segments.row(segment);
  OpenRecord record;
  record.stamp = s_.clock;
  record.sequence = ++s_.sequence;
  record.stream = stream;
  seal(record);
  const FlashStatus status = s_.io.program(segment, offsetof(SegmentHeader, open), &record, sizeof record);
  if (status != FlashStatus::ok) return status;
  row.stream = stream;
  row.opened_stamp = record.stamp;
  row.opened_sequence = record.sequence;
  return FlashStatus::ok;
}

FlashStatus NorMedium::void_all(std::uint32_t segment) { return clear_mark(segment, offsetof(SegmentMarks, dead)); }

FlashStatus NorMedium::born(std::uint32_t segment) {
  SegmentRow& row = s_.segments.row(segment);
  row.freed_sequence = ++s_.sequence;
  BirthRecord birth;
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
  if (clear_mark(segment, offsetof(SegmentMarks, dead)) != FlashStatus::ok) s_.segments.row(segment).unvoided = true;
  if (!s_.segments.row(segment).retired) retired(segment);
}

}  // namespace ftlab::fms
