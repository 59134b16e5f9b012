// Mount from a checkpoint.
#include <algorithm>
#include <cstring>

#include "firmware/ftl/page/mount.h"

namespace ftlab::page {
namespace {

/// Metadata of program units before those written since are read, too: a power loss may have spoiled one of them by way
/// of one that shares its cells.
constexpr std::uint32_t kPairReach = 8;

}  // namespace

void Mount::look_at_segments() {
  const ArrayGeometry& geometry = bench_.array.geometry();
  for (std::uint32_t first = 0; first < geometry.segments; first += Workbench::kCollected) {
    const std::uint32_t end = std::min<std::uint32_t>(geometry.segments, first + Workbench::kCollected);
    std::uint32_t asked = 0;
    for (std::uint32_t segment = first; segment < end; ++segment) {
      first_pages_[segment] = {};
      if (bench_.log.info(segment).state != SegmentState::free) continue;
      bench_.probe.count(Work::header_scan, 1);
      bench_.log.queue(
          {ArrayOpKind::read, true, static_cast<std::uint16_t>(segment - first), segment * geometry.pages_per_segment});
      ++asked;
    }
    for (const ArrayDone& done : bench_.run_all(asked)) first_pages_[first + done.tag] = first_page(done);
    for (std::uint32_t segment = first; segment < end; ++segment) {
      FirstPage& found = first_pages_[segment];
      if (found.torn) look_further(segment);
      if (found.sequence != UINT64_MAX) volume_ = std::max(volume_, volume_of(found.sequence));
    }
  }
}

Mount::FirstPage Mount::first_page(const ArrayDone& done) {
  const bool known = is_known(done.metadata);
  FirstPage found{known ? sequence_of(done.metadata) : 0, FirstPage::kNoPlace, !known && !is_readable(done)};
  if (known && lpn_of(done.metadata) == kCheckpointLpn)
    found.place = static_cast<std::uint32_t>(done.metadata.low >> 40);
  found.begins = known && lpn_of(done.metadata) == kFormatLpn;
  return found;
}

void Mount::look_further(std::uint32_t segment) {
  const std::uint32_t pages = bench_.array.geometry().pages_per_segment;
  for (std::uint32_t i = 1; i < pages && first_pages_[segment].torn; ++i) {
    bench_.log.queue({ArrayOpKind::read, true, Log::kTag, segment * pages + i});
    first_pages_[segment] = first_page(bench_.run_all(1).front());
    first_pages_[segment].place = FirstPage::kNoPlace;
  }
  // Nothing there can be read: whatever it held is elsewhere, or lost.
  if (first_pages_[segment].sequence == 0) first_pages_[segment].sequence = UINT64_MAX;
}

void Mount::look_behind_erased(std::uint32_t segment) {
  const std::uint32_t pages = bench_.array.geometry().pages_per_segment;
  first_pages_[segment].looked = true;
  if (bench_.log.info(segment).state != SegmentState::free) return;
  for (std::uint32_t i = 1; i < pages && first_pages_[segment].sequence == 0; ++i) {
    bench_.log.queue({ArrayOpKind::read, true, Log::kTag, segment * pages + i});
    first_pages_[segment] = first_page(bench_.run_all(1).front());
    first_pages_[segment].place = FirstPage::kNoPlace;
    first_pages_[segment].looked = true;
  }
}

std::uint64_t Mount::newest(std::uint64_t before) {
  const std::uint32_t needed = checkpoints_.shape().segments_needed();
  std::uint64_t newest = 0;
  for (const FirstPage& found : first_pages_)
    if (found.place == 0 && found.sequence < before && volume_of(found.sequence) == volume_)
      newest = std::max(newest, found.sequence);
  if (newest == 0) return 0;
  const std::span<std::uint32_t> held = checkpoints_.hold();
  std::ranges::fill(held, kNoSegment);
  for (std::uint32_t segment = 0; segment < first_pages_.size(); ++segment) {
    const FirstPage& found = first_pages_[segment];
    if (found.sequence == newest && found.place < needed) held[found.place] = segment;
  }
  return newest;
}

bool Mount::load(std::uint64_t sequence) {
  const CheckpointLayout layout = checkpoints_.shape();
  for (std::uint32_t index = 0; index < layout.pages(); ++index) {
    const std::uint32_t segment = checkpoints_.held()[index / layout.pages_per_segment];
    if (segment == kNoSegment) return false;
    const std::uint32_t ppn = segment * layout.pages_per_segment + index % layout.pages_per_segment;
    const std::uint16_t buffer = bench_.free_pages.take();
    bench_.log.queue({ArrayOpKind::read, true, Log::kTag, ppn, ArrayOp::kNoPage, buffer});
    const ArrayDone done = bench_.run_all(1).front();
    bench_.free_pages.put(buffer);
    if (!is_readable(done)) return false;
    bench_.array.read_buffer(buffer, 0, bench_.page_buffer);
    if (!is_page(bench_.page_buffer, index, sequence, bench_.log.pages())) return false;
    if (!load_page(index, sequence)) return false;
  }
  newer_than_ = sequence;
  trims_.clear();
  outdated_ = contradicted_ = false;
  begun_ = kNoSegment;
  bool possible = true;
  for (std::uint32_t segment = 0; segment < first_pages_.size() && possible; ++segment) possible = find_since(segment);
  newer_than_ = 0;
  if (!possible) return false;
  // Of a newer checkpoint that is not whole, too: none may have the number of another one.
  for (const FirstPage& found : first_pages_)
    if (found.sequence != UINT64_MAX) bench_.log.found_sequence(found.sequence);
  for (const std::uint32_t segment : checkpoints_.held()) bench_.log.found_held(segment);
  trims_.apply(sequence);
  return true;
}

bool Mount::load_page(std::uint32_t index, std::uint64_t sequence) {
  const CheckpointLayout layout = checkpoints_.shape();
  const auto bytes = bench_.page_buffer.subspan(sizeof(CheckpointHead), layout.payload());
  std::uint64_t at = std::uint64_t{index} * layout.payload();
  std::size_t from = 0;
  for (; from + sizeof(Le32) <= bytes.size() && at < layout.map_bytes(); from += sizeof(Le32), at += sizeof(Le32)) {
    const auto lpn = static_cast<std::uint32_t>(at / sizeof(Le32));
    Le32 ppn;
    std::memcpy(&ppn, bytes.data() + from, sizeof ppn);
    if (lpn >= bench_.log.pages() || ppn == kUnmapped) continue;
    // What was erased since is elsewhere now, or lost.
    if (lpn < config_.logical_pages) bench_.log.found_lost(lpn);
    if (ppn == kLost) continue;
    const std::uint32_t segment = bench_.log.segment_of(ppn);
    if (segment >= first_pages_.size()) return false;
    if (first_pages_[segment].sequence == 0 && !first_pages_[segment].looked) look_behind_erased(segment);
    if (!first_pages_[segment].is_kept(sequence)) continue;
    if (first_pages_[segment].place != FirstPage::kNoPlace || bench_.log.is_mapped(ppn)) return false;
    bench_.log.found_page(lpn, ppn, sequence);
  }
  for (; from + sizeof(CheckpointRow) <= bytes.size() && at < layout.bytes();
       from += sizeof(CheckpointRow), at += sizeof(CheckpointRow)) {
    const auto segment = static_cast<std::uint32_t>((at - layout.map_bytes()) / sizeof(CheckpointRow));
    CheckpointRow row;
    std::memcpy(&row, bytes.data() + from, sizeof row);
    first_pages_[segment].open_at = row.open_at;
    bench_.log.found_row(segment, row);
  }
  return true;
}

bool Mount::find_since(std::uint32_t segment) {
  const FirstPage& found = first_pages_[segment];
  const std::uint32_t pages = bench_.array.geometry().pages_per_segment;
  const std::span<const std::uint32_t> held = checkpoints_.held();
  if (found.begins && volume_of(found.sequence) == volume_) begun_ = segment;
  if (found.sequence == 0 || std::ranges::find(held, segment) != held.end()) return true;
  if (found.place != FirstPage::kNoPlace) {
    bench_.log.found_segment(segment, pages, 0);
    return true;
  }
  const std::uint32_t reach = kPairReach * bench_.array.geometry().pages_at_once;
  std::uint32_t used = pages;
  found_stream_ = bench_.log.row_of(segment).stream;
  if (!found.is_kept(newer_than_))
    used = scan(segment);
  else if (found.open_at < pages)
    used = scan(segment, found.open_at > reach ? found.open_at - reach : 0);
  if (outdated_ || contradicted_) return false;
  // What the checkpoint says was programmed is erased now: nothing may be programmed there again.
  if (found.is_kept(newer_than_) && found.open_at < pages && used < found.open_at) used = pages;
  for (std::uint32_t i = used; i < pages; ++i)
    if (bench_.log.is_mapped(segment * pages + i)) return false;
  bench_.log.found_segment(segment, used, found_stream_);
  return true;
}

}  // namespace ftlab::page
