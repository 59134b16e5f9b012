// Every segment is looked at, in bursts, on all dies at once. Format: from the page that says that a new volume begins,
// nothing of the one before counts, however much of it is left.
#include "firmware/volume/mount/mount.h"

#include <algorithm>
#include <utility>

namespace ftlab::volume {
namespace {

/// A number of all ones would be that of an erased page.
constexpr std::uint64_t kLastVolume = 0xFFFE;

}  // namespace

std::uint32_t bad_segments(FlashPort& array) {
  const FlashGeometry& geometry = array.geometry();
  std::uint32_t bad = 0;
  for (std::uint32_t segment = 0; segment < geometry.segments; ++segment) {
    if (geometry.is_unused(segment)) continue;
    const FlashOp check{.kind = FlashOpKind::check_bad, .page = segment * geometry.pages_per_segment};
    bad += run_to_end(array, check).status == FlashStatus::bad_segment ? 1 : 0;
  }
  return bad;
}

void Mount::layout(Arena& arena) {
  const FlashGeometry& geometry = bench_.array.geometry();
  if (!geometry.keeps_metadata) return;
  reader_.layout(arena);
  newest_ = arena.take<FoundSequence>(bench_.log.pages());
  frontiers_ = arena.take<Frontier>(std::size_t{geometry.dies} * streams_of(config_));
  if (config_.checkpoint_every > 0) first_pages_ = arena.take<FirstPage>(geometry.segments);
}

void Mount::found_all() {
  const bool apart = begun_ != kNoSegment && !bench_.log.has_valid(begun_);
  if (apart) found_.held(begun_);
  found_.all(false);
  if (apart) bench_.log.release_segment(begun_);
}

bool Mount::read_all() {
  outdated_ = false;
  begun_ = kNoSegment;
  std::ranges::fill(frontiers_, Frontier{});
  const auto begin = [this](const BurstReader::Scan& scan) {
    if (bench_.log.info(scan.segment).state != SegmentState::free) return false;
    bench_.probe.count(Work::header_scan, 1);
    return true;
  };
  reader_.run(begin, [this](BurstReader::Scan& scan, std::span<const FlashDone> burst) {
    const BurstReader::Then then = found_burst(scan, burst);
    if (then != BurstReader::Then::next_segment) return then;
    found_segment(scan, scan.used);
    if (scan.used == 0) return then;
    found_.unknown(scan.segment);
    found_.opened();
    return then;
  });
  if (outdated_) return false;
  found_.sequence(volume_ << kVolumeShift);
  apply_trims();
  return true;
}

void Mount::apply_trims() {
  trims_.clear();
  for (std::uint32_t record = 0; record < trims_.records(); ++record)
    if (pages_.read_page_in(trims_.page_of(record))) trims_.apply(record, newest_);
}

bool Mount::is_of_volume(std::uint64_t sequence) {
  if (volume_of(sequence) > volume_) {
    volume_ = volume_of(sequence);
    outdated_ = true;
  }
  return volume_of(sequence) == volume_;
}

void Mount::find_bad_segments() {
  const FlashGeometry& geometry = bench_.array.geometry();
  bench_.run_each(
      geometry.segments,
      [&](std::uint32_t n) -> FlashOp {
        const std::uint32_t segment = segment_over_dies(geometry, n);
        if (!geometry.is_unused(segment))
          return {FlashOpKind::check_bad, true, Log::kTag, segment * geometry.pages_per_segment};
        found_.unused(segment);
        return {};
      },
      [&](const FlashDone& done) {
        if (done.status == FlashStatus::bad_segment) found_.bad(bench_.log.segment_of(done.page));
      });
}

void Mount::finish_dies() {
  for (std::uint32_t left = bench_.queue_fences(); left > 0;) {
    for (const FlashDone& done : bench_.run_all(1)) {
      if (done.tag == Log::kOwn && done.kind == FlashOpKind::fence)
        --left;
      else
        found_.bad(bench_.log.segment_of(done.page));
    }
  }
}

BurstReader::Then Mount::found_burst(BurstReader::Scan& scan, std::span<const FlashDone> burst) {
  const FlashGeometry& geometry = bench_.array.geometry();
  const std::uint32_t first_page = scan.segment * geometry.pages_per_segment;
  for (const FlashDone& done : burst) {
    // What only the part's last means could read the mount moves itself.
    if (done.status == FlashStatus::corrected && !done.must_move) bench_.log.read_ended(done);
    const std::uint64_t bit = std::uint64_t{1} << geometry.place_in_unit(done.page - first_page);
    const bool known = is_known(done.metadata);
    const bool slc = is_slc(done.metadata);
    const bool known_before = ((slc ? scan.silent_lsb : scan.silent) & bit) == 0;
    scan.silent = known ? scan.silent & ~bit : scan.silent | bit;
    if (bench_.log.slc().places().has(done.page - first_page))
      scan.silent_lsb = known ? scan.silent_lsb & ~bit : scan.silent_lsb | bit;
    // A page may have been left out where a power loss was.
    if (is_erased(done)) continue;
    scan.used = done.page - first_page + 1;
    if (!known || !is_of_volume(sequence_of(done.metadata))) continue;
    if (outdated_) return BurstReader::Then::stop;
    if (lpn_of(done.metadata) == kFormatLpn) begun_ = scan.segment;
    found_.sequence(sequence_of(done.metadata));
    scan.newest = std::max(scan.newest, sequence_of(done.metadata));
    const bool pads = lpn_of(done.metadata) == kPaddingLpn;
    if (lpn_of(done.metadata) >= bench_.log.pages() && !pads) continue;
    scan.stream = stream_of(done.metadata);
    if (!known_before) found_lost_before(done);
    if (!pads) found_page(done);
  }
  const bool last = scan.used <= scan.first || scan.end == geometry.pages_per_segment;
  return last ? BurstReader::Then::next_segment : BurstReader::Then::read_on;
}

void Mount::found_segment(const BurstReader::Scan& scan, std::uint32_t used) {
  found_.segment(scan.segment, used, scan.stream);
  if (used == 0) return;
  const FlashGeometry& geometry = bench_.array.geometry();
  const auto streams = static_cast<std::uint32_t>(frontiers_.size()) / geometry.dies;
  const std::uint32_t die = scan.segment / geometry.segments_per_die();
  const std::uint32_t stream = scan.stream & ~kSlcStream;
  Frontier& frontier = frontiers_[die * streams + (stream < streams ? stream : 0)];
  Frontier other{scan.newest, scan.segment, scan.stream};
  if (other.newest > frontier.newest) std::swap(other, frontier);
  if (other.segment != kNoSegment) found_.segment(other.segment, geometry.pages_per_segment, other.stream);
}

void Mount::found_page(const FlashDone& done) {
  found_version(lpn_of(done.metadata), done.page, sequence_of(done.metadata));
  if (done.must_move) found_must_move(done);
}

void Mount::found_must_move(const FlashDone& done) {
  if (must_move_count_ == kMustMove) {
    const auto old = [this](std::uint32_t ppn) { return !bench_.log.is_mapped(ppn); };
    const auto end = std::remove_if(must_move_.begin(), must_move_.end(), old);
    must_move_count_ = static_cast<std::uint32_t>(end - must_move_.begin());
  }
  if (must_move_count_ < kMustMove)
    must_move_[must_move_count_++] = done.page;
  else
    bench_.log.read_ended(done);
}

void Mount::found_lost_before(const FlashDone& done) {
  const std::uint32_t lpn = before_of(done.metadata);
  const FlashGeometry& geometry = bench_.array.geometry();
  const LsbPlaces& places = bench_.log.slc().places();
  // A volume that fills no segments so does not know which place came before.
  if (is_slc(done.metadata) && places.pages() == 0) return;
  const std::uint32_t place = done.page % geometry.pages_per_segment;
  const std::uint32_t back = is_slc(done.metadata) ? place - places.unit_before(place) : geometry.pages_at_once;
  const std::uint32_t before = done.page - back;
  // Of a segment whose pages contradict each other two may name the same place.
  if (bench_.log.is_mapped(before) && bench_.log.lpn_at(before) != lpn) return;
  // Of a record of trims an older version says more than none.
  if (lpn < config_.logical_pages) found_version(lpn, before, sequence_of(done.metadata));
}

void Mount::found_version(std::uint32_t lpn, std::uint32_t ppn, std::uint64_t sequence) {
  if (sequence <= newer_than_) return;
  contradicted_ = contradicted_ || (bench_.log.is_mapped(ppn) && bench_.log.lpn_at(ppn) != lpn);
  if (has_place(bench_.log.ppn_of(lpn)) && newest_[lpn].value > sequence) return;
  newest_[lpn].value = sequence;
  found_.page(lpn, ppn, sequence);
}

bool Mount::holds_pages() {
  const FlashGeometry& geometry = bench_.array.geometry();
  bool found = false;
  bench_.run_each(
      geometry.segments,
      [&](std::uint32_t n) -> FlashOp {
        const std::uint32_t segment = segment_over_dies(geometry, n);
        if (found || bench_.log.info(segment).state != SegmentState::free) return {};
        return {FlashOpKind::read, true, Log::kTag, segment * geometry.pages_per_segment};
      },
      [&](const FlashDone& done) { found = found || !is_erased(done); });
  return found;
}

std::uint32_t Mount::begin_volume() {
  if (bench_.log.sequence() == 0) return kNoSegment;
  if (volume_ >= kLastVolume) {
    // Nothing that is newer can be said before all is erased; the numbers start over.
    volume_ = 0;
    return kNoSegment;
  }
  ++volume_;
  for (const BeginsIn place :
       {BeginsIn::free, BeginsIn::page_of_the_old, BeginsIn::room, BeginsIn::checkpoint, BeginsIn::pages})
    for (std::uint32_t segment = 0; segment < bench_.array.geometry().segments; ++segment)
      if (begins_in(segment) == place && begin_volume_in(segment)) return segment;
  return kNoSegment;
}

Mount::BeginsIn Mount::begins_in(std::uint32_t segment) const {
  const SegmentInfo info = bench_.log.info(segment);
  if (info.state == SegmentState::free) return segment == begun_ ? BeginsIn::page_of_the_old : BeginsIn::free;
  // A part that is worn out may have no free segment.
  if (info.state == SegmentState::open && info.used_pages == 0) return BeginsIn::checkpoint;
  if (info.state == SegmentState::open && !bench_.log.slc().has(segment)) return BeginsIn::room;
  const bool last = std::ranges::find(frontiers_, segment, &Frontier::segment) != frontiers_.end();
  return info.state == SegmentState::sealed && !last ? BeginsIn::pages : BeginsIn::none;
}

bool Mount::begin_volume_in(std::uint32_t segment) {
  const std::uint32_t first = segment * bench_.array.geometry().pages_per_segment;
  if (begins_in(segment) == BeginsIn::room) return program_format_page(first + bench_.log.info(segment).used_pages);
  bench_.log.queue({FlashOpKind::erase, true, Log::kTag, first});
  return bench_.run_all(1).front().status == FlashStatus::ok && program_format_page(first);
}

bool Mount::program_format_page(std::uint32_t ppn) {
  const std::uint32_t at_once = bench_.array.geometry().pages_at_once;
  for (std::uint32_t i = 0; i < at_once; ++i) {
    bench_.log.queue({FlashOpKind::program, true, Log::kTag, ppn + i, FlashOp::kNoPage, FlashOp::kNoBuffer, false,
                      metadata_of(i == 0 ? kFormatLpn : kPaddingLpn, 0, volume_ << kVolumeShift)});
  }
  return bench_.run_all(at_once).front().status == FlashStatus::ok;
}

void Mount::erase_all(std::uint32_t kept) {
  const FlashGeometry& geometry = bench_.array.geometry();
  for (std::uint32_t segment = 0; segment < geometry.segments; ++segment) {
    if (segment == kept || bench_.log.info(segment).state != SegmentState::free) continue;
    bench_.log.queue({FlashOpKind::erase, false, Log::kTag, segment * geometry.pages_per_segment});
  }
  // Each die works in order: what fails is reported before the last of them.
  finish_dies();
  if (kept != kNoSegment) found_.held(kept);
  found_.all(true);
  found_.sequence(volume_ << kVolumeShift);
  // Erased last: until then no page of the new volume may be on the array.
  if (kept != kNoSegment) bench_.log.release_segment(kept);
}

}  // namespace ftlab::volume
