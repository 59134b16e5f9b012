#include "firmware/ftl/in_place/segment_transfer.h"

#include <algorithm>
#include <array>

namespace ftlab::in_place {

void SegmentTransfer::layout(Arena& arena) {
  const std::uint32_t buffers = geometry_.buffers > 0 ? geometry_.buffers : kMaxUnderWay;
  // A program unit ends when all of its pages have come.
  const std::uint32_t slots = std::min(buffers, std::max(kMaxUnderWay, geometry_.pages_at_once));
  slots_ = arena.take<Slot>(slots);
  free_ = arena.take<std::uint16_t>(slots);
  ended_ = arena.take<Ended>(geometry_.pages_per_segment);
  for (std::size_t slot = 0; slot < free_.size(); ++slot) free_[slot] = static_cast<std::uint16_t>(slot);
  free_count_ = static_cast<std::uint32_t>(free_.size());
}

void SegmentTransfer::read(std::uint32_t page, std::uint32_t first, std::span<std::byte> bytes) {
  const std::uint16_t slot = take_slot();
  slots_[slot] = {first, bytes};
  FlashOp op;
  op.kind = FlashOpKind::read;
  op.report = true;
  op.tag = slot;
  op.page = page;
  op.buffer = buffer_of(slot);
  if (bytes.size() < geometry_.page_bytes)
    op.metadata = FlashOp::bytes_wanted(first, static_cast<std::uint32_t>(bytes.size()));
  array_.submit({&op, 1});
}

void SegmentTransfer::program(std::uint32_t page, std::span<const std::byte> bytes, const FlashMetadata& metadata) {
  const std::uint16_t slot = take_slot();
  slots_[slot] = {};
  FlashOp op;
  op.kind = FlashOpKind::program;
  op.report = true;
  op.tag = slot;
  op.page = page;
  op.buffer = buffer_of(slot);
  op.metadata = metadata;
  if (op.buffer != FlashOp::kNoBuffer) array_.write_buffer(op.buffer, 0, bytes);
  array_.submit({&op, 1});
}

std::uint16_t SegmentTransfer::take_slot() {
  while (free_count_ == 0) collect_some();
  return free_[--free_count_];
}

void SegmentTransfer::wait() {
  while (free_count_ < free_.size()) collect_some();
}

void SegmentTransfer::collect_some() {
  std::array<FlashDone, 8> done;
  std::size_t count = array_.collect(done);
  while (count == 0) {
    array_.wait(UINT64_MAX);
    count = array_.collect(done);
  }
  for (const FlashDone& one : std::span(done).first(count)) take_ended(one);
}

void SegmentTransfer::take_ended(const FlashDone& done) {
  const Slot& slot = slots_[done.tag];
  ended_[done.page % geometry_.pages_per_segment] = {done.status, done.metadata};
  if (!slot.into.empty()) {
    if (geometry_.buffers > 0)
      array_.read_buffer(done.tag, slot.first, slot.into);
    else
      std::ranges::fill(slot.into, std::byte{0xFF});
  }
  free_[free_count_++] = done.tag;
}

FlashStatus SegmentTransfer::run(FlashOpKind kind, std::uint32_t segment) {
  FlashOp op;
  op.kind = kind;
  op.report = true;
  op.page = segment * geometry_.pages_per_segment;
  array_.submit({&op, 1});
  FlashDone done;
  while (array_.collect({&done, 1}) == 0) array_.wait(UINT64_MAX);
  return done.status;
}

}  // namespace ftlab::in_place
