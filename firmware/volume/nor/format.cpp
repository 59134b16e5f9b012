// A blank segment is not erased: a new card starts with erase counts of zero.
#include "firmware/volume/nor/format.h"

#include <algorithm>

#include "firmware/base/erased.h"
#include "firmware/volume/nor/record_check.h"

namespace ftlab::nor {

std::optional<bool> Format::is_blank(std::uint32_t segment) {
  for (std::uint32_t at = 0; at < v_.geometry.segment_bytes; at += v_.config.page_bytes) {
    if (v_.io.read(segment, at, v_.copy_buffer) != FlashStatus::ok) return std::nullopt;
    if (!all_erased(v_.copy_buffer)) return false;
  }
  return true;
}

FtlStatus Format::prepare(std::uint32_t segment) {
  SegmentRow& row = v_.segments.row(segment);
  SegmentHeader header;
  if (v_.io.read_record(segment, 0, header) != FlashStatus::ok) return FtlStatus::read_failed;
  const bool known = readable(examine(header.erase, segment));
  if (known) {
    row.erase_count = header.erase.erase_count;
    newest_volume_ = std::max<std::uint32_t>(newest_volume_, header.erase.volume);
    if (is_cleared(header.marks.retired)) {
      row.retired = true;
      v_.segments.set_state(segment, SegmentState::bad);
      ++v_.stats.bad_segments;
      return FtlStatus::ok;
    }
  } else {
    // The log's count, if it still has one, is from before the erase that took the header.
    row.erase_count = row.erase_count == Log::kUnknownCount ? 0 : row.erase_count + 1;
  }
  const std::optional<bool> blank = is_blank(segment);
  if (!blank) return FtlStatus::read_failed;
  const FlashStatus status = *blank ? v_.store->erased(segment) : pool_.erase(segment);
  if (status == FlashStatus::ok) {
    v_.segments.push_free(segment);
    return FtlStatus::ok;
  }
  if (!is_media_failure(status)) return FtlStatus::write_failed;
  pool_.mark_bad(segment);
  // It takes no mark perhaps, and without a header it looks like damage.
  if (!known) log_.append(kErasing, segment);
  return FtlStatus::ok;
}

FtlStatus Format::run() {
  const CauseScope cause(v_.probe, Cause::metadata);
  (void)log_.load();
  v_.active.fill(kNone);
  v_.number = std::max(v_.number, newest_volume_) + 1;
  const std::optional<bool> blank = is_blank(kFixedSegment);
  if (!blank) return FtlStatus::read_failed;
  // Where a format was interrupted the superblock says so already. Without it a mount would take what is left for the
  // old volume.
  const bool begun = !*blank && log_.says_formatting();
  bool noted = begun;
  if (begun)
    log_.suspend();
  else
    noted = log_.rewrite(SuperblockKind::formatting, *blank) == FlashStatus::ok;
  if (v_.port_lost) return FtlStatus::write_failed;
  for (std::uint32_t segment = 1; segment < v_.geometry.segments; ++segment) {
    const FtlStatus status = prepare(segment);
    if (status != FtlStatus::ok) return status;
  }
  if (newest_volume_ >= v_.number) {
    // The superblock was lost, and a bad segment, which keeps its header, has the number that this volume would have.
    const std::uint64_t clock = v_.clock;
    v_.clear();
    v_.clock = clock;
    return run();
  }
  pool_.update_space();
  if (v_.read_only) return FtlStatus::write_failed;
  for (std::uint32_t stream = 0; stream < kMaxStreams; ++stream) {
    if (!v_.config.opens_at_format[stream]) continue;
    const FtlStatus status = frontier_.open_next(static_cast<StreamId>(stream));
    if (status != FtlStatus::ok) return status;
  }
  // A volume whose superblock says "formatting" would not mount; one without superblock does.
  FlashStatus ended = begun ? FlashStatus::program_failed : log_.mark_formatted();
  if (is_media_failure(ended)) ended = log_.rewrite(SuperblockKind::complete);
  if (ended != FlashStatus::ok && !is_media_failure(ended)) return FtlStatus::write_failed;
  if ((!noted || ended != FlashStatus::ok) && log_.keeps_from_mounting()) return FtlStatus::write_failed;
  const std::uint64_t bad = v_.stats.bad_segments;
  v_.stats = {};
  v_.stats.bad_segments = bad;
  return FtlStatus::ok;
}

}  // namespace ftlab::nor
