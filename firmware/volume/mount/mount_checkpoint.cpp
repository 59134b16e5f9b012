// Mount from a checkpoint.
#include <algorithm>
#include <cstring>

#include "firmware/volume/mount/mount.h"

namespace ftlab::volume {
namespace {

/// Metadata of program units before those written since are read, too: a power loss may have spoiled one of them by way
/// of one that shares its cells.
constexpr std::uint32_t kPairReach = 8;

}  // namespace

void Mount::look_at_segments() {
  const FlashGeometry& geometry = bench_.array.geometry();
  bench_.run_each(
      geometry.segments,
      [&](std::uint32_t n) -> FlashOp {
        const std::uint32_t segment = segment_over_dies(geometry, n);
        first_pages_[segment] = {};
        if (bench_.log.info(segment).state != SegmentState::free) return {};
        bench_.probe.count(Work::header_scan, 1);
        return {FlashOpKind::read, true, Log::kTag, segment * geometry.pages_per_segment};
      },
      [&](const FlashDone& done) { first_pages_[bench_.log.segment_of(done.page)] = first_page(done); });
  for (std::uint32_t segment = 0; segment < geometry.segments; ++segment) {
    FirstPage& found = first_pages_[segment];
    if (found.torn) look_further(segment);
    if (found.sequence != UINT64_MAX) volume_ = std::max(volume_, volume_of(found.sequence));
  }
}

Mount::FirstPage Mount::first_page(const FlashDone& done) {
  const bool known = is_known(done.metadata);
  FirstPage found{known ? sequence_of(done.metadata) : 0, FirstPage::kNoPlace, !known && !is_ok(done.status)};
  if (known && lpn_of(done.metadata) == kCheckpointLpn)
    found.place = static_cast<std::uint32_t>(done.metadata.low >> 40);
  found.begins = known && lpn_of(done.metadata) == kFormatLpn;
  return found;
}

void Mount::look_further(std::uint32_t segment) {
  const std::uint32_t pages = bench_.array.geometry().pages_per_segment;
  // Behind one that power loss has spoiled the next may have been left out.
  for (std::uint32_t i = 1; i < pages && first_pages_[segment].sequence == 0; ++i) {
    bench_.log.queue({FlashOpKind::read, true, Log::kTag, segment * pages + i});
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
    bench_.log.queue({FlashOpKind::read, true, Log::kTag, segment * pages + i});
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
    const std::uint32_t ppn = layout.place_of(index, checkpoints_.held());
    const std::uint16_t buffer = bench_.free_pages.take();
    bench_.log.queue({FlashOpKind::read, true, Log::kTag, ppn, FlashOp::kNoPage, buffer});
    const FlashDone done = bench_.run_all(1).front();
    bench_.free_pages.put(buffer);
    if (!is_ok(done.status)) return false;
    bench_.array.read_buffer(buffer, 0, bench_.page_buffer);
    if (!is_page(bench_.page_buffer, index, sequence, bench_.log.pages())) return false;
    if (!load_page(index, sequence)) return false;
  }
  newer_than_ = sequence;
  outdated_ = contradicted_ = false;
  begun_ = kNoSegment;
  const bool possible = find_since();
  newer_than_ = 0;
  if (!possible) return false;
  recorded_ = sequence;
  // Of a newer checkpoint that is not whole, too: none may have the number of another one.
  for (const FirstPage& found : first_pages_)
    if (found.sequence != UINT64_MAX) found_.sequence(found.sequence);
  for (const std::uint32_t segment : checkpoints_.held()) found_.held(segment);
  apply_trims();
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
    // No later than the checkpoint, if that is all that names it.
    newest_[lpn].value = sequence;
    // What was erased since is elsewhere now, or lost.
    if (lpn < config_.logical_pages) found_.lost(lpn);
    if (ppn == kLost) continue;
    const std::uint32_t segment = bench_.log.segment_of(ppn);
    if (segment >= first_pages_.size()) return false;
    if (first_pages_[segment].sequence == 0 && !first_pages_[segment].looked) look_behind_erased(segment);
    if (!first_pages_[segment].is_kept(sequence)) continue;
    if (first_pages_[segment].place != FirstPage::kNoPlace || bench_.log.is_mapped(ppn)) return false;
    found_.page(lpn, ppn, sequence);
  }
  for (; from + sizeof(CheckpointRow) <= bytes.size() && at < layout.rows_end();
       from += sizeof(CheckpointRow), at += sizeof(CheckpointRow)) {
    const auto segment = static_cast<std::uint32_t>((at - layout.map_bytes()) / sizeof(CheckpointRow));
    CheckpointRow row;
    std::memcpy(&row, bytes.data() + from, sizeof row);
    first_pages_[segment].open_at = row.open_at;
    found_.row(segment, row);
  }
  for (; from + sizeof(CheckpointHistory) <= bytes.size() && at < layout.bytes();
       from += sizeof(CheckpointHistory), at += sizeof(CheckpointHistory)) {
    CheckpointHistory history;
    std::memcpy(&history, bytes.data() + from, sizeof history);
    found_.history((at - layout.rows_end()) / sizeof(CheckpointHistory), history, sequence);
  }
  return true;
}

bool Mount::is_held(std::uint32_t segment) const {
  const std::span<const std::uint32_t> held = checkpoints_.held();
  return std::ranges::find(held, segment) != held.end();
}

bool Mount::find_since() {
  std::ranges::fill(frontiers_, Frontier{});
  for (std::uint32_t segment = 0; segment < first_pages_.size(); ++segment) {
    const FirstPage& found = first_pages_[segment];
    if (found.begins && volume_of(found.sequence) == volume_) begun_ = segment;
  }
  reader_.run([this](BurstReader::Scan& scan) { return begin_since(scan); },
              [this](BurstReader::Scan& scan, std::span<const FlashDone> burst) {
                const BurstReader::Then then = found_burst(scan, burst);
                if (then == BurstReader::Then::next_segment) found_since(scan, scan.used);
                return then;
              });
  if (outdated_ || contradicted_) return false;
  const std::uint32_t pages = bench_.array.geometry().pages_per_segment;
  for (std::uint32_t segment = 0; segment < first_pages_.size(); ++segment) {
    const FirstPage& found = first_pages_[segment];
    if (found.sequence == 0 || found.place != FirstPage::kNoPlace || is_held(segment)) continue;
    for (std::uint32_t i = found.used; i < pages; ++i)
      if (bench_.log.is_mapped(segment * pages + i)) return false;
    if (found.sequence != UINT64_MAX && !found.is_kept(newer_than_)) found_.opened();
  }
  return true;
}

bool Mount::begin_since(BurstReader::Scan& scan) {
  const FirstPage& found = first_pages_[scan.segment];
  const std::uint32_t pages = bench_.array.geometry().pages_per_segment;
  if (found.sequence == 0 || is_held(scan.segment)) return false;
  const bool holds_checkpoint = found.place != FirstPage::kNoPlace;
  scan.stream = holds_checkpoint ? 0 : bench_.log.row_of(scan.segment).stream;
  if (holds_checkpoint || (found.is_kept(newer_than_) && found.open_at >= pages)) {
    found_since(scan, pages);
    return false;
  }
  const FlashGeometry& geometry = bench_.array.geometry();
  const std::uint32_t reach = kPairReach * geometry.pages_at_once;
  if (found.is_kept(newer_than_) && found.open_at > reach) {
    scan.first = found.open_at - reach;
    scan.first -= geometry.place_in_unit(scan.first);
  }
  scan.used = scan.first;
  return true;
}

void Mount::found_since(const BurstReader::Scan& scan, std::uint32_t used) {
  FirstPage& found = first_pages_[scan.segment];
  const std::uint32_t pages = bench_.array.geometry().pages_per_segment;
  // What the checkpoint says was programmed is erased now: nothing may be programmed there again.
  if (found.is_kept(newer_than_) && found.open_at < pages && used < found.open_at) used = pages;
  found.used = static_cast<std::uint16_t>(used);
  found_segment(scan, used);
}

}  // namespace ftlab::volume
