// Checkpoints of the page-mapped layer: the map and what is known of each segment, written when nothing is under way
// into segments of their own. The one before stays until the new one is whole.
#include <algorithm>
#include <cstring>

#include "firmware/ftl/page/page_ftl.h"

namespace ftlab {

using page::CheckpointHead;
using page::CheckpointLayout;
using page::CheckpointRow;
using page::Log;

CheckpointLayout PageFtl::checkpoint_layout() const {
  const ArrayGeometry& geometry = array_.geometry();
  return {log_.pages(), geometry.segments, geometry.page_bytes, geometry.pages_per_segment};
}

void PageFtl::checkpoint_if_due() {
  if (log_.stats().pages_written - checkpointed_at_ < config_.checkpoint_every || read_only_) return;
  checkpointed_at_ = log_.stats().pages_written;
  write_checkpoint();
}

void PageFtl::come_to_rest() {
  do {
    wait_for_all();
    const ArrayGeometry& geometry = array_.geometry();
    for (std::uint32_t die = 0; die < geometry.dies; ++die) {
      const std::uint32_t page = die * geometry.segments_per_die() * geometry.pages_per_segment;
      log_.queue({ArrayOpKind::check_bad, true, Log::kOwn, page});
    }
    await_own(geometry.dies);
  } while (failed_count_ > 0);
}

void PageFtl::await_own(std::uint32_t reports) {
  own_left_ += reports;
  while (own_left_ > 0) take_next();
}

void PageFtl::own_ended(const ArrayDone& done) {
  --own_left_;
  if (done.kind != ArrayOpKind::program || done.status == ArrayStatus::ok) return;
  own_failed_ = true;
  log_.erase_failed(done.page);
}

void PageFtl::write_checkpoint() {
  const CauseScope cause(probe_, Cause::metadata);
  const std::uint32_t needed = checkpoint_layout().segments_needed();
  const std::span<std::uint32_t> segments =
      held_.subspan(held_count_ == 0 ? 0 : (held_first_ == 0 ? needed : 0), needed);
  for (std::uint32_t i = 0; i < needed; ++i) {
    segments[i] = log_.allocate_segment(0);
    if (segments[i] != page::kNoSegment) continue;
    for (std::uint32_t taken = 0; taken < i; ++taken) log_.release_segment(segments[taken]);
    return;
  }
  come_to_rest();
  own_failed_ = false;
  write_checkpoint_pages(segments, log_.next_sequence());
  const std::span<std::uint32_t> worthless = own_failed_ ? segments : held_.subspan(held_first_, held_count_);
  for (const std::uint32_t segment : worthless) log_.release_segment(segment);
  if (own_failed_) return;
  held_first_ = static_cast<std::uint32_t>(segments.data() - held_.data());
  held_count_ = needed;
}

void PageFtl::write_checkpoint_pages(std::span<const std::uint32_t> segments, std::uint64_t sequence) {
  const CheckpointLayout layout = checkpoint_layout();
  const std::uint32_t pages = layout.pages();
  const std::uint32_t at_once = std::min<std::uint32_t>(free_pages_.count, kCollected);
  std::array<std::uint16_t, kCollected> taken{};
  for (std::uint32_t first = 0; first < pages && !own_failed_; first += at_once) {
    const std::uint32_t count = std::min(at_once, pages - first);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t index = first + i;
      const std::uint32_t place = index / layout.pages_per_segment;
      make_checkpoint_page(index, sequence);
      taken[i] = free_pages_.take();
      array_.write_buffer(taken[i], page_buffer_);
      const std::uint64_t low = page::kCheckpointLpn | std::uint64_t{place} << 40;
      log_.queue({ArrayOpKind::program,
                  true,
                  Log::kOwn,
                  segments[place] * layout.pages_per_segment + index % layout.pages_per_segment,
                  ArrayOp::kNoPage,
                  taken[i],
                  false,
                  {low, sequence}});
    }
    await_own(count);
    for (std::uint32_t i = count; i > 0; --i) free_pages_.put(taken[i - 1]);
  }
}

void PageFtl::make_checkpoint_page(std::uint32_t index, std::uint64_t sequence) {
  const CheckpointLayout layout = checkpoint_layout();
  std::ranges::fill(page_buffer_, std::byte{0xFF});
  const auto bytes = page_buffer_.subspan(sizeof(CheckpointHead), layout.payload());
  std::uint64_t at = std::uint64_t{index} * layout.payload();
  std::size_t to = 0;
  for (; to + sizeof(Le32) <= bytes.size() && at < layout.map_bytes(); to += sizeof(Le32), at += sizeof(Le32)) {
    const auto lpn = static_cast<std::uint32_t>(at / sizeof(Le32));
    const Le32 ppn = lpn < log_.pages() ? log_.ppn_of(lpn) : page::kUnmapped;
    std::memcpy(bytes.data() + to, &ppn, sizeof ppn);
  }
  for (; to + sizeof(CheckpointRow) <= bytes.size() && at < layout.bytes();
       to += sizeof(CheckpointRow), at += sizeof(CheckpointRow)) {
    const CheckpointRow row =
        log_.row_of(static_cast<std::uint32_t>((at - layout.map_bytes()) / sizeof(CheckpointRow)));
    std::memcpy(bytes.data() + to, &row, sizeof row);
  }
  CheckpointHead head;
  head.index = index;
  head.sequence = sequence;
  head.logical_pages = log_.pages();
  page::seal_page(page_buffer_, head);
}

}  // namespace ftlab
