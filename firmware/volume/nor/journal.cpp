// Reading and writing the fixed segment.
#include "firmware/volume/nor/journal.h"

#include <algorithm>
#include <cstring>

#include "firmware/volume/nor/record_check.h"

namespace ftlab::fms {

namespace {

bool is_formatting(const Summary& summary) {
  return summary.kind == static_cast<std::uint8_t>(SummaryKind::formatting) && !is_cleared(summary.formatted);
}

}  // namespace

Journal::Found Journal::load() {
  for (std::uint32_t i = 1; i < s_.segments.segments(); ++i) s_.segments.row(i).erase_count = kUnknownCount;
  usable_ = true;
  tail_ = 0;
  Summary summary;
  if (s_.io.read(kFixedSegment, 0, reinterpret_cast<std::byte*>(&summary), sizeof summary) != FlashStatus::ok ||
      !readable(examine(summary)))
    return Found::nothing;
  s_.segments.row(kFixedSegment).erase_count = summary.erase_count;
  s_.volume = summary.volume;
  if (is_other_layout(summary)) return Found::other_layout;
  if (is_formatting(summary)) return Found::formatting;
  load_counts(summary.counts_check);
  load_log();
  return Found::complete;
}

bool Journal::is_other_layout(const Summary& summary) const {
  return summary.version != kFormatVersion || summary.entry_bytes != entry_bytes(s_.config.data_checksum) ||
         summary.segments != s_.geometry.segments || summary.segment_bytes != s_.geometry.segment_bytes ||
         summary.page_bytes != s_.config.page_bytes || summary.logical_pages != s_.config.logical_pages;
}

void Journal::load_counts(std::uint32_t check) {
  std::uint32_t crc = 0;
  const std::uint32_t n = s_.geometry.segments;
  std::uint32_t chunk[64];
  for (std::uint32_t at = 0; at < n; at += 64) {
    const std::uint32_t count = std::min<std::uint32_t>(64, n - at);
    if (s_.io.read(kFixedSegment, kCountsOffset + 4 * at, reinterpret_cast<std::byte*>(chunk), 4 * count) !=
        FlashStatus::ok)
      return;
    crc = crc32c(chunk, 4 * count, crc);
    std::copy_n(chunk, count, s_.order.begin() + at);
  }
  if (crc != check) return;
  for (std::uint32_t i = 1; i < n; ++i)
    if (s_.order[i] < kEraseCountLimit) s_.segments.row(i).erase_count = s_.order[i];
}

void Journal::load_log() {
  LogEntry chunk[32];
  tail_ = log_offset(s_.geometry.segments);
  while (tail_ + sizeof(LogEntry) <= s_.geometry.segment_bytes) {
    const auto count =
        std::min<std::uint32_t>(32, (s_.geometry.segment_bytes - tail_) / static_cast<std::uint32_t>(sizeof(LogEntry)));
    if (s_.io.read(kFixedSegment, tail_, reinterpret_cast<std::byte*>(chunk),
                   count * static_cast<std::uint32_t>(sizeof(LogEntry))) != FlashStatus::ok)
      return;
    for (std::uint32_t i = 0; i < count; ++i, tail_ += sizeof(LogEntry)) {
      if (blank(chunk[i])) return;
      // A torn entry is passed over: what it wanted to say is found from the headers.
      if (!readable(examine(chunk[i], s_.geometry.segments))) continue;
      SegmentRow& row = s_.segments.row(chunk[i].segment);
      row.erase_count = chunk[i].erase_count;
      if (chunk[i].stream >= kStreams) continue;
      row.stream = static_cast<StreamId>(chunk[i].stream);
      s_.active[chunk[i].stream] = chunk[i].segment;
    }
  }
}

FlashStatus Journal::write_counts(std::uint32_t& check) {
  const std::uint32_t n = s_.geometry.segments;
  check = 0;
  std::uint32_t chunk[64];
  for (std::uint32_t at = 0; at < n; at += 64) {
    const std::uint32_t count = std::min<std::uint32_t>(64, n - at);
    for (std::uint32_t i = 0; i < count; ++i) chunk[i] = s_.segments.row(at + i).erase_count;
    check = crc32c(chunk, 4 * count, check);
    const FlashStatus status = s_.io.program(kFixedSegment, kCountsOffset + 4 * at, chunk, 4 * count);
    if (status != FlashStatus::ok) return status;
  }
  return FlashStatus::ok;
}

FlashStatus Journal::rewrite(SummaryKind kind, bool blank_already) {
  const CauseScope cause(s_.probe, Cause::metadata);
  FlashStatus status = blank_already ? FlashStatus::ok : s_.io.erase(kFixedSegment);
  if (status == FlashStatus::ok) {
    if (!blank_already) {
      ++s_.segments.row(kFixedSegment).erase_count;
      ++s_.stats.log_erases;
    }
    Summary summary;
    summary.kind = static_cast<std::uint8_t>(kind);
    summary.entry_bytes = static_cast<std::uint8_t>(entry_bytes(s_.config.data_checksum));
    summary.volume = s_.volume;
    summary.segments = s_.geometry.segments;
    summary.segment_bytes = s_.geometry.segment_bytes;
    summary.page_bytes = s_.config.page_bytes;
    summary.logical_pages = s_.config.logical_pages;
    summary.erase_count = s_.segments.row(kFixedSegment).erase_count;
    status = write_counts(summary.counts_check);
    seal(summary);
    // Last, so that an intact summary vouches for the rest.
    if (status == FlashStatus::ok) status = s_.io.program(kFixedSegment, 0, &summary, offsetof(Summary, formatted));
    tail_ = log_offset(s_.geometry.segments);
    for (std::uint16_t stream = 0; stream < kStreams && status == FlashStatus::ok; ++stream)
      if (s_.active[stream] != kNone) status = put(stream, s_.active[stream]);
  }
  usable_ = status == FlashStatus::ok;
  return status;
}

FlashStatus Journal::mark_formatted() {
  const CauseScope cause(s_.probe, Cause::metadata);
  return s_.io.program(kFixedSegment, offsetof(Summary, formatted), &kCleared, sizeof kCleared);
}

bool Journal::says_formatting() {
  Summary summary;
  return s_.io.read(kFixedSegment, 0, reinterpret_cast<std::byte*>(&summary), sizeof summary) != FlashStatus::ok ||
         (readable(examine(summary)) && is_formatting(summary));
}

bool Journal::keeps_from_mounting() {
  Summary summary;
  return s_.io.read(kFixedSegment, 0, reinterpret_cast<std::byte*>(&summary), sizeof summary) != FlashStatus::ok ||
         (readable(examine(summary)) && (is_formatting(summary) || is_other_layout(summary)));
}

FlashStatus Journal::put(std::uint16_t stream, std::uint32_t segment) {
  LogEntry entry;
  entry.stream = stream;
  entry.segment = segment;
  entry.erase_count = s_.segments.row(segment).erase_count;
  seal(entry);
  const std::uint32_t at = tail_;
  tail_ += sizeof entry;
  return s_.io.program(kFixedSegment, at, &entry, sizeof entry);
}

void Journal::append(std::uint16_t stream, std::uint32_t segment) {
  if (!usable_) return;
  if (tail_ + sizeof(LogEntry) > s_.geometry.segment_bytes) {
    (void)rewrite(SummaryKind::complete);
    if (stream < kStreams && s_.active[stream] == segment) return;
    if (!usable_) return;
  }
  const CauseScope cause(s_.probe, Cause::metadata);
  if (put(stream, segment) != FlashStatus::ok) usable_ = false;
}

}  // namespace ftlab::fms
