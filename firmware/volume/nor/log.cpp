// Reading and writing the fixed segment.
#include "firmware/volume/nor/log.h"

#include <algorithm>
#include <cstring>

#include "firmware/volume/nor/marks.h"
#include "firmware/volume/nor/record_check.h"

namespace ftlab::nor {

namespace {

bool is_formatting(const Superblock& superblock) {
  return superblock.kind == static_cast<std::uint8_t>(SuperblockKind::formatting) && !is_cleared(superblock.formatted);
}

bool is_format_half_ended(const Superblock& superblock) {
  return superblock.kind == static_cast<std::uint8_t>(SuperblockKind::formatting) &&
         is_half_cleared(superblock.formatted);
}

}  // namespace

Log::Found Log::load() {
  for (std::uint32_t i = 1; i < v_.segments.segments(); ++i) v_.segments.row(i).erase_count = kUnknownCount;
  usable_ = false;  // without a superblock it is written anew before anything is appended
  tail_ = 0;
  Superblock superblock;
  if (v_.io.read_record(kFixedSegment, 0, superblock) != FlashStatus::ok || !readable(examine(superblock)))
    return Found::nothing;
  usable_ = true;
  v_.segments.row(kFixedSegment).erase_count = superblock.erase_count;
  v_.number = superblock.volume;
  if (is_other_layout(superblock)) return Found::other_layout;
  superblock.formatted = settled_mark(v_.io, kFixedSegment, offsetof(Superblock, formatted), superblock.formatted);
  if (is_formatting(superblock)) return Found::formatting;
  // Where the mark cannot be cleared for good the superblock is written anew.
  if (is_format_half_ended(superblock) && mark_formatted() != FlashStatus::ok) {
    usable_ = false;
    return Found::nothing;
  }
  load_counts(superblock.counts_check);
  load_log();
  return Found::complete;
}

bool Log::is_other_layout(const Superblock& superblock) const {
  return superblock.version != kFormatVersion || superblock.entry_bytes != entry_bytes(v_.config.data_checksum) ||
         superblock.segments != v_.geometry.segments || superblock.segment_bytes != v_.geometry.segment_bytes ||
         superblock.page_bytes != v_.config.page_bytes || superblock.logical_pages != v_.config.logical_pages;
}

void Log::load_counts(std::uint32_t check) {
  std::uint32_t crc = 0;
  const std::uint32_t n = v_.geometry.segments;
  Le32 chunk[64];
  for (std::uint32_t at = 0; at < n; at += 64) {
    const std::uint32_t count = std::min<std::uint32_t>(64, n - at);
    const auto bytes = std::as_writable_bytes(std::span(chunk).first(count));
    if (v_.io.read(kFixedSegment, kCountsOffset + 4 * at, bytes) != FlashStatus::ok) return;
    crc = crc32c(chunk, 4 * count, crc);
    std::copy_n(chunk, count, v_.order.begin() + at);
  }
  if (crc != check) return;
  for (std::uint32_t i = 1; i < n; ++i)
    if (v_.order[i] < kEraseCountLimit) v_.segments.row(i).erase_count = v_.order[i];
}

void Log::load_log() {
  LogEntry chunk[32];
  tail_ = log_offset(v_.geometry.segments);
  while (tail_ + sizeof(LogEntry) <= v_.geometry.segment_bytes) {
    const auto count =
        std::min<std::uint32_t>(32, (v_.geometry.segment_bytes - tail_) / static_cast<std::uint32_t>(sizeof(LogEntry)));
    const auto bytes = std::as_writable_bytes(std::span(chunk).first(count));
    if (v_.io.read(kFixedSegment, tail_, bytes) != FlashStatus::ok) return;
    for (std::uint32_t i = 0; i < count; ++i, tail_ += sizeof(LogEntry)) {
      if (blank(chunk[i])) return;
      // A torn entry is passed over: what it wanted to say is found from the headers.
      if (!readable(examine(chunk[i], v_.geometry.segments))) continue;
      SegmentRow& row = v_.segments.row(chunk[i].segment);
      row.erase_count = chunk[i].erase_count;
      row.erase_recorded = chunk[i].stream == kErasing;
      if (chunk[i].stream >= kMaxStreams) continue;
      row.stream = static_cast<StreamId>(chunk[i].stream);
      v_.active[chunk[i].stream] = chunk[i].segment;
    }
  }
}

FlashStatus Log::write_counts(std::uint32_t& check) {
  const std::uint32_t n = v_.geometry.segments;
  check = 0;
  Le32 chunk[64];
  for (std::uint32_t at = 0; at < n; at += 64) {
    const std::uint32_t count = std::min<std::uint32_t>(64, n - at);
    for (std::uint32_t i = 0; i < count; ++i) chunk[i] = v_.segments.row(at + i).erase_count;
    check = crc32c(chunk, 4 * count, check);
    const FlashStatus status = v_.io.program(kFixedSegment, kCountsOffset + 4 * at, chunk, 4 * count);
    if (status != FlashStatus::ok) return status;
  }
  return FlashStatus::ok;
}

FlashStatus Log::rewrite(SuperblockKind kind, bool blank_already) {
  const CauseScope cause(v_.probe, Cause::metadata);
  FlashStatus status = try_rewrite(kind, blank_already);
  // A program or erase that failed may work the next time.
  if (is_media_failure(status)) status = try_rewrite(kind, false);
  usable_ = status == FlashStatus::ok;
  return status;
}

FlashStatus Log::try_rewrite(SuperblockKind kind, bool blank_already) {
  FlashStatus status = FlashStatus::ok;
  if (!blank_already) {
    // An erase that stops may leave the superblock, and take entries that it vouches for.
    constexpr Le32 kVoid{};
    (void)v_.io.program(kFixedSegment, offsetof(Superblock, magic), &kVoid, sizeof kVoid);
    status = v_.io.erase(kFixedSegment);
  }
  if (status == FlashStatus::ok) {
    if (!blank_already) {
      ++v_.segments.row(kFixedSegment).erase_count;
      ++v_.stats.log_erases;
    }
    Superblock superblock;
    superblock.kind = static_cast<std::uint8_t>(kind);
    superblock.entry_bytes = static_cast<std::uint8_t>(entry_bytes(v_.config.data_checksum));
    superblock.volume = v_.number;
    superblock.segments = v_.geometry.segments;
    superblock.segment_bytes = v_.geometry.segment_bytes;
    superblock.page_bytes = v_.config.page_bytes;
    superblock.logical_pages = v_.config.logical_pages;
    superblock.erase_count = v_.segments.row(kFixedSegment).erase_count;
    std::uint32_t counts_check = 0;
    status = write_counts(counts_check);
    superblock.counts_check = counts_check;
    seal(superblock);
    tail_ = log_offset(v_.geometry.segments);
    for (std::uint16_t stream = 0; stream < kMaxStreams && status == FlashStatus::ok; ++stream)
      if (v_.active[stream] != kNone) status = put(stream, v_.active[stream]);
    for (std::uint32_t segment = 1; segment < v_.geometry.segments && status == FlashStatus::ok; ++segment)
      if (v_.segments.row(segment).erase_recorded) status = put(kErasing, segment);
    // Last, so that an intact superblock vouches for the rest.
    if (status == FlashStatus::ok)
      status = v_.io.program(kFixedSegment, 0, &superblock, offsetof(Superblock, formatted));
  }
  return status;
}

FlashStatus Log::mark_formatted() {
  const CauseScope cause(v_.probe, Cause::metadata);
  return v_.io.program(kFixedSegment, offsetof(Superblock, formatted), &kCleared, sizeof kCleared);
}

bool Log::says_formatting() {
  Superblock superblock;
  return v_.io.read_record(kFixedSegment, 0, superblock) != FlashStatus::ok ||
         (readable(examine(superblock)) && is_formatting(superblock));
}

bool Log::keeps_from_mounting() {
  Superblock superblock;
  return v_.io.read_record(kFixedSegment, 0, superblock) != FlashStatus::ok ||
         (readable(examine(superblock)) && (is_formatting(superblock) || is_other_layout(superblock)));
}

FlashStatus Log::put(std::uint16_t stream, std::uint32_t segment) {
  if (tail_ + sizeof(LogEntry) > v_.geometry.segment_bytes) return FlashStatus::program_failed;
  LogEntry entry;
  entry.stream = stream;
  entry.segment = segment;
  entry.erase_count = v_.segments.row(segment).erase_count;
  seal(entry);
  FlashStatus status = v_.io.program(kFixedSegment, tail_, &entry, sizeof entry);
  // In the same place: a mount takes a blank entry for the end.
  if (is_media_failure(status)) status = v_.io.program(kFixedSegment, tail_, &entry, sizeof entry);
  if (status == FlashStatus::ok) tail_ += sizeof entry;
  return status;
}

FlashStatus Log::write(std::uint16_t stream, std::uint32_t segment) {
  if (tail_ + sizeof(LogEntry) > v_.geometry.segment_bytes) {
    pool_.await_erases();
    const FlashStatus status = rewrite(SuperblockKind::complete);
    const bool written = stream == kErasing || (stream < kMaxStreams && v_.active[stream] == segment);
    if (status != FlashStatus::ok || written) return status;
  }
  return put(stream, segment);
}

void Log::append(std::uint16_t stream, std::uint32_t segment) {
  v_.segments.row(segment).erase_recorded = stream == kErasing;
  if (!usable_) return;
  const CauseScope cause(v_.probe, Cause::metadata);
  usable_ = write(stream, segment) == FlashStatus::ok;
}

}  // namespace ftlab::nor
