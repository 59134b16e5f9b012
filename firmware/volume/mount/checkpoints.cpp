#include "firmware/volume/mount/checkpoints.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace ftlab::volume {

void Checkpoints::layout(Arena& arena) {
  segments_ = arena.take<std::uint32_t>(std::size_t{2} * shape().segments_needed());
}

CheckpointLayout Checkpoints::shape() const {
  const FlashGeometry& geometry = bench_.array.geometry();
  return {bench_.log.pages(),         geometry.segments,          geometry.page_bytes,
          geometry.pages_per_segment, bench_.log.has_histories(), bench_.log.keeps_lifetime()};
}

std::span<std::uint32_t> Checkpoints::hold() {
  held_first_ = 0;
  held_count_ = shape().segments_needed();
  return segments_.first(held_count_);
}

void Checkpoints::come_to_rest() {
  pages_.wait_for_all();
  await(bench_.queue_fences());
}

void Checkpoints::await(std::uint32_t reports) {
  pages_.in_flight().await(reports);
  failed_ = pages_.in_flight().own_failed() || failed_;
}

void Checkpoints::write_if_due(std::uint32_t every, std::uint64_t pages) {
  const bool due = found_since_ + pages - written_at_ >= every || bench_.log.refreshes().must_record();
  if (every == 0 || !due) return;
  written_at_ = pages;
  found_since_ = 0;
  write();
  bench_.log.recorded_reads();
}

void Checkpoints::write() {
  // What was queued before is booked under its own cause.
  bench_.log.submit_queued();
  const CauseScope cause(bench_.probe, Cause::metadata);
  const std::uint32_t needed = shape().segments_needed();
  const std::span<std::uint32_t> segments = segments_.subspan(held_count_ == 0 || held_first_ > 0 ? 0 : needed, needed);
  for (std::uint32_t i = 0; i < needed; ++i) {
    segments[i] = pages_.cleaning().allocate_segment(0);
    if (segments[i] != kNoSegment) continue;
    for (const std::uint32_t allocated : segments.first(i)) bench_.log.release_segment(allocated);
    bench_.log.submit_queued();
    return;
  }
  come_to_rest();
  failed_ = false;
  write_pages(segments, bench_.log.next_sequence());
  for (const std::uint32_t segment : failed_ ? std::span<const std::uint32_t>(segments) : held())
    bench_.log.release_segment(segment);
  if (failed_) return;
  held_first_ = static_cast<std::uint32_t>(segments.data() - segments_.data());
  held_count_ = needed;
  ++written_;
}

void Checkpoints::write_pages(std::span<const std::uint32_t> segments, std::uint64_t sequence) {
  const CheckpointLayout layout = shape();
  const std::uint32_t pages = layout.pages();
  Slots& buffers = bench_.free_pages;
  // Whole program units.
  const std::uint32_t unit = bench_.array.geometry().pages_at_once;
  const std::uint32_t at_once = std::min<std::uint32_t>(buffers.count, Workbench::kCollected) / unit * unit;
  std::array<std::uint16_t, Workbench::kCollected> taken{};
  for (std::uint32_t first = 0; first < pages && !failed_; first += at_once) {
    const std::uint32_t count = std::min(at_once, pages - first);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t index = first + i;
      const std::uint32_t place = index / layout.pages_per_segment;
      make_page(index, sequence);
      taken[i] = buffers.take();
      bench_.array.write_buffer(taken[i], 0, bench_.page_buffer);
      const std::uint64_t low = kCheckpointLpn | std::uint64_t{place} << 40;
      bench_.log.queue({FlashOpKind::program,
                        true,
                        Log::kOwn,
                        layout.place_of(index, segments),
                        FlashOp::kNoPage,
                        taken[i],
                        false,
                        {low, sequence}});
    }
    const std::uint32_t padded = (count + unit - 1) / unit * unit;
    for (std::uint32_t i = count; i < padded; ++i) {
      bench_.log.queue({FlashOpKind::program, true, Log::kOwn, layout.place_of(first + i, segments), FlashOp::kNoPage,
                        FlashOp::kNoBuffer, false, metadata_of(kPaddingLpn, 0, sequence)});
    }
    await(padded);
    for (std::uint32_t i = count; i > 0; --i) buffers.put(taken[i - 1]);
  }
}

void Checkpoints::make_page(std::uint32_t index, std::uint64_t sequence) {
  const CheckpointLayout layout = shape();
  const std::span<std::byte> page = bench_.page_buffer;
  std::ranges::fill(page, std::byte{0xFF});
  const auto bytes = page.subspan(sizeof(CheckpointHead), layout.payload());
  std::uint64_t at = std::uint64_t{index} * layout.payload();
  std::size_t to = 0;
  for (; to + sizeof(Le32) <= bytes.size() && at < layout.map_bytes(); to += sizeof(Le32), at += sizeof(Le32)) {
    const auto lpn = static_cast<std::uint32_t>(at / sizeof(Le32));
    const Le32 ppn = lpn < bench_.log.pages() ? bench_.log.ppn_of(lpn) : kUnmapped;
    std::memcpy(bytes.data() + to, &ppn, sizeof ppn);
  }
  for (; to + sizeof(CheckpointRow) <= bytes.size() && at < layout.rows_end();
       to += sizeof(CheckpointRow), at += sizeof(CheckpointRow)) {
    const auto segment = static_cast<std::uint32_t>((at - layout.map_bytes()) / sizeof(CheckpointRow));
    const CheckpointRow row = bench_.log.row_of(segment);
    std::memcpy(bytes.data() + to, &row, sizeof row);
  }
  for (; to + sizeof(CheckpointHistory) <= bytes.size() && at < layout.bytes();
       to += sizeof(CheckpointHistory), at += sizeof(CheckpointHistory)) {
    const CheckpointHistory history = bench_.log.history((at - layout.rows_end()) / sizeof(CheckpointHistory));
    std::memcpy(bytes.data() + to, &history, sizeof history);
  }
  CheckpointHead head;
  head.index = index;
  head.sequence = sequence;
  head.logical_pages = bench_.log.pages();
  seal_page(page, head);
}

}  // namespace ftlab::volume
