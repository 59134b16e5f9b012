#include "firmware/driver/array/flash.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace ftlab {
namespace {

constexpr std::uint16_t kBuffer = 0;

FlashStatus status_of(ArrayStatus status) {
  switch (status) {
    case ArrayStatus::ok:
      return FlashStatus::ok;
    case ArrayStatus::corrected:
      return FlashStatus::corrected;
    case ArrayStatus::uncorrectable:
      return FlashStatus::uncorrectable;
    case ArrayStatus::erase_failed:
      return FlashStatus::erase_failed;
    case ArrayStatus::bad_segment:
      return FlashStatus::bad_segment;
    case ArrayStatus::program_failed:
    case ArrayStatus::illegal:
      break;
  }
  return FlashStatus::program_failed;
}

}  // namespace

ArrayFlash::ArrayFlash(ArrayPort& array) : array_(array) {
  const ArrayGeometry& g = array.geometry();
  geometry_.segments = g.segments;
  geometry_.segment_bytes = g.pages_per_segment * g.page_bytes;
  geometry_.program_unit_bytes = g.page_bytes;
  geometry_.spare_bytes = g.keeps_metadata ? sizeof(ArrayMetadata) : 0;
  geometry_.parallel_units = g.dies;
  geometry_.rated_erase_cycles = g.rated_erase_cycles;
  capabilities_.spare = g.keeps_metadata;
}

std::size_t ArrayFlash::submit(std::span<const FlashOp> ops) {
  if (ops.empty() || unreaped_) return 0;
  ended_ = {ops.front().tag, run(ops.front()), 0};
  unreaped_ = true;
  return 1;
}

std::size_t ArrayFlash::reap(std::span<FlashDone> done, bool) {
  if (!unreaped_ || done.empty()) return 0;
  done.front() = ended_;
  unreaped_ = false;
  return 1;
}

ArrayDone ArrayFlash::wait_for(const ArrayOp& op) {
  array_.submit({&op, 1});
  ArrayDone done;
  while (array_.collect({&done, 1}) == 0) array_.wait(UINT64_MAX);
  return done;
}

FlashStatus ArrayFlash::run(const FlashOp& op) {
  const ArrayGeometry& g = array_.geometry();
  ArrayOp one;
  one.report = true;
  one.page = op.segment.value() * g.pages_per_segment + op.offset / g.page_bytes;
  const bool data = g.buffers > 0;
  switch (op.kind) {
    case FlashOpKind::read: {
      one.kind = ArrayOpKind::read;
      one.buffer = data && op.length > 0 ? kBuffer : ArrayOp::kNoBuffer;
      const ArrayDone done = wait_for(one);
      read_into(op, done);
      return status_of(done.status);
    }
    case FlashOpKind::program:
      one.kind = ArrayOpKind::program;
      if (data) array_.write_buffer(kBuffer, 0, {op.from, op.length});
      one.buffer = data ? kBuffer : ArrayOp::kNoBuffer;
      if (op.spare_from != nullptr) std::memcpy(&one.metadata, op.spare_from, sizeof one.metadata);
      break;
    case FlashOpKind::erase:
      one.kind = ArrayOpKind::erase;
      break;
    case FlashOpKind::copy:
      one.kind = ArrayOpKind::copy;
      one.target = op.copy_segment.value() * g.pages_per_segment + op.copy_offset / g.page_bytes;
      break;
    case FlashOpKind::check_bad:
      one.kind = ArrayOpKind::check_bad;
      break;
    case FlashOpKind::mark_bad:
      one.kind = ArrayOpKind::mark_bad;
      break;
  }
  return status_of(wait_for(one).status);
}

void ArrayFlash::read_into(const FlashOp& op, const ArrayDone& done) {
  const std::uint32_t page_bytes = array_.geometry().page_bytes;
  if (op.into != nullptr && op.length > 0) {
    if (array_.geometry().buffers > 0)
      array_.read_buffer(kBuffer, op.offset % page_bytes, {op.into, op.length});
    else
      std::fill_n(op.into, op.length, std::byte{0xFF});
  }
  if (op.spare_into != nullptr) std::memcpy(op.spare_into, &done.metadata, sizeof done.metadata);
}

}  // namespace ftlab
