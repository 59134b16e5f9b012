#include "firmware/volume/in_flight/segment_buffer.h"

#include <algorithm>
#include <array>

#include "firmware/base/erased.h"

namespace ftlab::volume {

void SegmentBuffer::layout(Arena& arena) {
  parts_ = page_bytes_ / geometry_.page_bytes;
  bytes_ = arena.take<std::byte>(std::size_t{geometry_.pages_per_segment} * geometry_.page_bytes);
  ended_ = arena.take<Ended>(geometry_.pages_per_segment / parts_);
  const std::uint32_t buffers = geometry_.buffers > 0 ? geometry_.buffers : kMaxUnderWay;
  // A program unit ends when all of its pages have come.
  const std::uint32_t at_once = std::min(buffers, std::max(kMaxUnderWay, geometry_.pages_at_once));
  targets_ = arena.take<Target>(at_once);
  free_.unused = arena.take<std::uint16_t>(at_once);
  free_.fill();
}

void SegmentBuffer::make_blank(std::uint32_t page) { std::ranges::fill(this->page(page), kErasedByte); }

void SegmentBuffer::read(std::uint32_t segment, std::uint32_t page, std::uint32_t skip, std::span<std::byte> into) {
  ended_[page] = {};
  while (!into.empty()) {
    const std::uint32_t first = skip % geometry_.page_bytes;
    const auto bytes = std::min<std::uint32_t>(static_cast<std::uint32_t>(into.size()), geometry_.page_bytes - first);
    FlashOp op{.kind = FlashOpKind::read};
    if (bytes < geometry_.page_bytes) op.metadata = FlashOp::bytes_wanted(first, bytes);
    begin(segment, page * parts_ + skip / geometry_.page_bytes, op, {first, into.first(bytes)});
    into = into.subspan(bytes);
    skip += bytes;
  }
}

void SegmentBuffer::store(std::uint32_t segment, std::uint32_t page, const FlashMetadata& metadata) {
  ended_[page] = {};
  const FlashOp op{.kind = FlashOpKind::program, .metadata = metadata};
  for (std::uint32_t part = 0; part < parts_; ++part)
    begin(segment, page * parts_ + part, op, {},
          this->page(page).subspan(std::size_t{part} * geometry_.page_bytes, geometry_.page_bytes));
}

void SegmentBuffer::begin(std::uint32_t segment, std::uint32_t nth, FlashOp op, const Target& target,
                          std::span<const std::byte> from) {
  while (free_.count == 0) take_some();
  op.report = true;
  op.tag = free_.take();
  op.page = segment * geometry_.pages_per_segment + nth;
  targets_[op.tag] = target;
  if (geometry_.buffers > 0) {
    op.buffer = op.tag;
    if (!from.empty()) array_.write_buffer(op.buffer, 0, from);
  }
  array_.submit({&op, 1});
}

void SegmentBuffer::wait() {
  while (free_.count < free_.unused.size()) take_some();
}

void SegmentBuffer::take_some() {
  std::array<FlashDone, 8> reports;
  for (const FlashDone& done : await_some(array_, reports)) {
    const std::uint32_t nth = done.page % geometry_.pages_per_segment;
    Ended& ended = ended_[nth / parts_];
    ended.ok = ended.ok && is_ok(done.status);
    if (nth % parts_ == 0) ended.metadata = done.metadata;
    const Target& target = targets_[done.tag];
    if (!target.into.empty() && geometry_.buffers > 0)
      array_.read_buffer(done.tag, target.first, target.into);
    else
      std::ranges::fill(target.into, kErasedByte);
    free_.put(done.tag);
  }
}

}  // namespace ftlab::volume
