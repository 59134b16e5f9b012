// A checkpoint "formatting", erases, a checkpoint "complete".
#include "firmware/volume/nand/format.h"

namespace ftlab::nand {
namespace {

/// Segments of an old volume that a format gives up for checkpoint segments that fail before it could say that it
/// began.
constexpr std::uint32_t kFreeForCheckpoints = 4;

}  // namespace

FtlStatus Format::run() {
  const CauseScope cause(v_.probe, Cause::metadata);
  n_.clear();
  new_part_ = n_.checkpoints.load() == Checkpoints::Found::nothing;
  // Of another layout rows may be missing; what is there is kept.
  for (std::uint32_t i = 0; i < v_.segments.segments(); ++i)
    v_.segments.row(i).erase_count = n_.checkpoints.row(i).erase_count;
  v_.number = n_.checkpoints.head().volume + 1;
  n_.store.set_volume(v_.number);
  v_.sequence = n_.checkpoints.head().sequence;
  n_.mark_fixed();
  FtlStatus status = begin();
  if (status == FtlStatus::ok) status = prepare_until(v_.segments.segments());
  if (status != FtlStatus::ok) return status;
  n_.pool.update_space();
  if (v_.read_only) return FtlStatus::write_failed;
  for (std::uint32_t stream = 0; stream < kMaxStreams; ++stream) {
    if (!v_.config.opens_at_format[stream]) continue;
    status = frontier_.open_next(static_cast<StreamId>(stream));
    if (status != FtlStatus::ok) return status;
  }
  if (!n_.write_checkpoint()) return FtlStatus::write_failed;
  const std::uint64_t bad = v_.stats.bad_segments;
  v_.stats = {};
  v_.stats.bad_segments = bad;
  return FtlStatus::ok;
}

FtlStatus Format::begin() {
  if (n_.write_checkpoint(CheckpointKind::formatting)) return FtlStatus::ok;
  if (!n_.checkpoints_lost) return FtlStatus::write_failed;
  // A checkpoint segment failed, and nothing was free to take its place.
  n_.checkpoints_lost = v_.read_only = v_.halted = false;
  const FtlStatus status = prepare_until(kFreeForCheckpoints);
  if (status != FtlStatus::ok) return status;
  return n_.write_checkpoint(CheckpointKind::formatting) ? FtlStatus::ok : FtlStatus::write_failed;
}

FtlStatus Format::prepare_until(std::uint32_t free) {
  FtlStatus status = FtlStatus::ok;
  for (; next_ < v_.segments.segments() && v_.segments.free_count() < free && status == FtlStatus::ok; ++next_)
    if (v_.segments.row(next_).state == SegmentState::free) status = prepare(next_);
  return status;
}

FtlStatus Format::prepare(std::uint32_t segment) {
  SegmentRow& row = v_.segments.row(segment);
  if (n_.store.is_marked_bad(segment)) {
    v_.segments.set_state(segment, SegmentState::bad);
    row.retired = true;
    ++v_.stats.bad_segments;
    return FtlStatus::ok;
  }
  const FlashStatus status = new_part_ && looks_new(segment) ? v_.store->erased(segment) : n_.pool.erase(segment);
  if (status == FlashStatus::ok)
    v_.segments.push_free(segment);
  else if (is_media_failure(status))
    n_.pool.mark_bad(segment);
  else
    return FtlStatus::write_failed;
  return FtlStatus::ok;
}

bool Format::looks_new(std::uint32_t segment) {
  const std::uint32_t last = n_.store.pages(PageMode::full) - 1;
  const std::uint32_t probes[] = {0, 1, last / 2, last};
  for (const std::uint32_t page : probes)
    if (!n_.store.read_metadata(segment, page).blank) return false;
  return true;
}

}  // namespace ftlab::nand
