// A blank segment is not erased: a new card starts with erase counts of zero.
#include "firmware/volume/nor/format.h"

#include <algorithm>

#include "firmware/base/erased.h"
#include "firmware/volume/nor/record_check.h"

namespace ftlab::fms {

bool Format::is_blank(std::uint32_t segment, bool& blank) {
  blank = true;
  for (std::uint32_t at = 0; at < s_.geometry.segment_bytes && blank; at += s_.config.page_bytes) {
    if (s_.io.read(segment, at, s_.copy_buffer.data(), s_.config.page_bytes) != FlashStatus::ok) return false;
    blank = all_erased(s_.copy_buffer);
  }
  return true;
}

FtlStatus Format::prepare(std::uint32_t segment) {
  SegmentRow& row = s_.segments.row(segment);
  SegmentHeader header;
  if (s_.io.read(segment, 0, reinterpret_cast<std::byte*>(&header), sizeof header) != FlashStatus::ok)
    return FtlStatus::read_failed;
  if (readable(examine(header.birth, segment))) {
    row.erase_count = header.birth.erase_count;
    newest_volume_ = std::max(newest_volume_, header.birth.volume);
    if (is_cleared(header.marks.retired)) {
      row.retired = true;
      row.state = SegmentState::bad;
      ++s_.stats.bad_segments;
      return FtlStatus::ok;
    }
  } else {
    // The journal's count, if it still has one, is from before the erase that took the header.
    row.erase_count = row.erase_count == Journal::kUnknownCount ? 0 : row.erase_count + 1;
  }
  bool blank = false;
  if (!is_blank(segment, blank)) return FtlStatus::read_failed;
  const FlashStatus status = blank ? s_.medium->born(segment) : pool_.renew(segment);
  if (status == FlashStatus::ok) {
    s_.segments.push_free(segment);
    return FtlStatus::ok;
  }
  if (!is_media_failure(status)) return FtlStatus::write_failed;
  pool_.bury(segment);
  return FtlStatus::ok;
}

FtlStatus Format::run() {
  const CauseScope cause(s_.probe, Cause::metadata);
  (void)journal_.load();
  s_.active = {kNone, kNone, kNone};
  s_.volume = std::max(s_.volume, newest_volume_) + 1;
  bool blank = false;
  if (!is_blank(kFixedSegment, blank)) return FtlStatus::read_failed;
  // Where a format was cut the summary says so already. Without it a mount would take what is left for the old volume.
  const bool begun = !blank && journal_.says_formatting();
  bool noted = begun;
  if (begun)
    journal_.suspend();
  else
    noted = journal_.rewrite(SummaryKind::formatting, blank) == FlashStatus::ok;
  if (s_.port_lost) return FtlStatus::write_failed;
  for (std::uint32_t segment = 1; segment < s_.geometry.segments; ++segment) {
    const FtlStatus status = prepare(segment);
    if (status != FtlStatus::ok) return status;
  }
  if (newest_volume_ >= s_.volume) {
    // The summary was lost, and a bad segment, which keeps its header, has the number that this volume would have.
    const std::uint64_t clock = s_.clock;
    s_.clear();
    s_.clock = clock;
    return run();
  }
  pool_.judge_space();
  if (s_.read_only) return FtlStatus::write_failed;
  // Separate methods own their cold active segment from the start.
  for (StreamId stream = 0; stream < s_.redistribution->streams; ++stream) {
    const FtlStatus status = frontier_.open_next(stream);
    if (status != FtlStatus::ok) return status;
  }
  // A volume whose summary says "formatting" would not mount; one without summary does.
  FlashStatus ended = begun ? FlashStatus::program_failed : journal_.mark_formatted();
  if (is_media_failure(ended)) ended = journal_.rewrite(SummaryKind::complete);
  if (ended != FlashStatus::ok && !is_media_failure(ended)) return FtlStatus::write_failed;
  if ((!noted || ended != FlashStatus::ok) && journal_.keeps_from_mounting()) return FtlStatus::write_failed;
  const std::uint64_t bad = s_.stats.bad_segments;
  s_.stats = {};
  s_.stats.bad_segments = bad;
  return FtlStatus::ok;
}

}  // namespace ftlab::fms
