// Format and mount of the page-mapped layer: every page is looked at, in bursts.
#include <algorithm>

#include "firmware/ftl/page/page_ftl.h"

namespace ftlab {

using page::Log;

namespace {

bool is_readable(const ArrayDone& done) {
  return done.status == ArrayStatus::ok || done.status == ArrayStatus::corrected;
}
bool is_erased(const ArrayDone& done) {
  return is_readable(done) && done.metadata.low == ~0ULL && done.metadata.high == ~0ULL;
}

}  // namespace

FtlStatus PageFtl::format(std::uint64_t) {
  if (config_error_ != nullptr) return FtlStatus::bad_config;
  clear();
  find_bad_segments();
  const ArrayGeometry& geometry = array_.geometry();
  for (std::uint32_t segment = 0; segment < geometry.segments; ++segment) {
    if (log_.info(segment).state != SegmentState::free) continue;
    log_.queue({ArrayOpKind::erase, false, Log::kTag, segment * geometry.pages_per_segment});
  }
  // Each die works in order: what fails is reported before the last of them.
  finish_dies();
  log_.found_all(true);
  mounted_ = true;
  return FtlStatus::ok;
}

FtlStatus PageFtl::mount(std::uint64_t) {
  if (config_error_ != nullptr) return FtlStatus::bad_config;
  const CauseScope cause(probe_, Cause::mount);
  clear();
  if (!array_.geometry().keeps_metadata) return FtlStatus::not_formatted;
  find_bad_segments();
  if (!mount_from_checkpoint()) read_all_pages();
  log_.found_all(false);
  mounted_ = true;
  move_found_pages();
  return FtlStatus::ok;
}

void PageFtl::read_all_pages() {
  for (std::uint32_t segment = 0; segment < array_.geometry().segments; ++segment) {
    if (log_.info(segment).state != SegmentState::free) continue;
    probe_.count(Work::header_scan, 1);
    found_stream_ = 0;
    const std::uint32_t used = scan(segment);
    log_.found_segment(segment, used, found_stream_);
  }
  apply_records();
}

void PageFtl::move_found_pages() {
  const CauseScope cause(probe_, Cause::refresh);
  for (const std::uint32_t lpn : std::span(must_move_).first(must_move_count_)) {
    if (!read_own(lpn) || put_page(lpn, page_buffer_) != FtlStatus::ok) continue;
    ++log_.stats().pages_copied;
  }
  must_move_count_ = 0;
}

FtlStatus PageFtl::put_page(std::uint32_t lpn, std::span<const std::byte> from) {
  const std::uint16_t slot = free_requests_.take();
  requests_[slot] = {0, 0, true, true, FtlStatus::ok};
  write_page(slot, lpn, 0, from, false);
  while (requests_[slot].pages > 0) make_progress();
  free_requests_.put(slot);
  return requests_[slot].status;
}

std::span<const ArrayDone> PageFtl::run_all(std::uint32_t reports) {
  log_.submit_queued();
  std::size_t collected = 0;
  while (collected < reports) {
    collected += array_.collect(done_.subspan(collected, reports - collected));
    if (collected < reports) array_.wait(UINT64_MAX);
  }
  return done_.first(collected);
}

std::uint32_t PageFtl::bad_segments(ArrayPort& array) {
  const ArrayGeometry& geometry = array.geometry();
  std::uint32_t bad = 0;
  for (std::uint32_t segment = 0; segment < geometry.segments; ++segment) {
    if (geometry.is_unused(segment)) continue;
    const ArrayOp op{ArrayOpKind::check_bad, true, Log::kTag, segment * geometry.pages_per_segment};
    array.submit({&op, 1});
    ArrayDone done;
    while (array.collect({&done, 1}) == 0) array.wait(UINT64_MAX);
    bad += done.status == ArrayStatus::bad_segment ? 1 : 0;
  }
  return bad;
}

void PageFtl::find_bad_segments() {
  const ArrayGeometry& geometry = array_.geometry();
  for (std::uint32_t first = 0; first < geometry.segments;) {
    const std::uint32_t end = std::min<std::uint32_t>(geometry.segments, first + kCollected);
    std::uint32_t asked = 0;
    for (std::uint32_t segment = first; segment < end; ++segment) {
      if (geometry.is_unused(segment)) {
        log_.found_unused(segment);
        continue;
      }
      log_.queue({ArrayOpKind::check_bad, true, Log::kTag, segment * geometry.pages_per_segment});
      ++asked;
    }
    for (const ArrayDone& done : run_all(asked))
      if (done.status == ArrayStatus::bad_segment) log_.found_bad(log_.segment_of(done.page));
    first = end;
  }
}

void PageFtl::finish_dies() {
  const ArrayGeometry& geometry = array_.geometry();
  std::uint32_t left = geometry.dies;
  for (std::uint32_t die = 0; die < geometry.dies; ++die) {
    const std::uint32_t page = die * geometry.segments_per_die() * geometry.pages_per_segment;
    log_.queue({ArrayOpKind::check_bad, true, Log::kLastCopy, page});
  }
  while (left > 0) {
    for (const ArrayDone& done : run_all(1)) {
      if (done.tag == Log::kLastCopy)
        --left;
      else
        log_.found_bad(log_.segment_of(done.page));
    }
  }
}

std::uint32_t PageFtl::scan(std::uint32_t segment, std::uint32_t from) {
  const std::uint32_t pages = array_.geometry().pages_per_segment;
  const std::uint32_t first_page = segment * pages;
  std::uint32_t used = from;
  for (std::uint32_t first = from; first < pages;) {
    const std::uint32_t end = std::min<std::uint32_t>(pages, first + kCollected);
    for (std::uint32_t i = first; i < end; ++i)
      log_.queue({ArrayOpKind::read, true, static_cast<std::uint16_t>(i - first), first_page + i});
    for (const ArrayDone& done : run_all(end - first)) found_[done.tag] = done;
    for (const ArrayDone& done : std::span(found_).first(end - first)) {
      // A page may have been left out where a power loss was.
      if (is_erased(done)) continue;
      used = done.page - first_page + 1;
      if (page::lpn_of(done.metadata) >= log_.pages()) continue;
      found_stream_ = page::stream_of(done.metadata);
      found_page(done);
    }
    if (used <= first) break;
    first = end;
  }
  return used;
}

void PageFtl::found_page(const ArrayDone& done) {
  const std::uint32_t lpn = page::lpn_of(done.metadata);
  if (done.must_move && must_move_count_ < kMustMove) must_move_[must_move_count_++] = lpn;
  if (done.metadata.high <= newer_than_) return;
  const std::uint32_t other = log_.ppn_of(lpn);
  const bool of_host = lpn < config_.logical_pages;
  const bool in_checkpoint = newer_than_ > 0 && of_host && !is_trimmed(lpn);
  if (other != page::kUnmapped && !in_checkpoint) {
    log_.queue({ArrayOpKind::read, true, Log::kTag, other});
    // Read once already: what it says now is what it said then, or nothing.
    const ArrayDone before = run_all(1).front();
    if (page::lpn_of(before.metadata) == lpn && before.metadata.high > done.metadata.high) return;
  }
  if (newer_than_ > 0 && of_host) set_trimmed(lpn, true);
  log_.found_page(lpn, done.page, done.metadata.high);
}

}  // namespace ftlab
