// Submit and reap. What runs in the background is distinguished from foreground operations by its tag.
#include "firmware/base/flash_io.h"

#include <algorithm>
#include <utility>

namespace ftlab {

FlashStatus FlashIo::collect(bool wait, std::size_t& foreground_done) {
  std::array<FlashDone, 4> done;
  FlashStatus status = FlashStatus::ok;
  const std::size_t n = port_.reap(done, wait);
  if (n == 0 && wait) return FlashStatus::timeout;
  for (std::size_t i = 0; i < n; ++i) {
    if ((done[i].tag & kEraseTag) != 0) {
      ended_[ended_count_++] = {done[i].tag & ~kEraseTag, done[i].status};
      --unreaped_;
      continue;
    }
    ++foreground_done;
    if (done[i].status == FlashStatus::corrected)
      corrected_bits_ = std::max(corrected_bits_, done[i].corrected_bits);
    else if (status == FlashStatus::ok)
      status = done[i].status;
  }
  return status;
}

FlashStatus FlashIo::run_submitted(std::span<const FlashOp> ops) {
  std::size_t submitted = 0;
  std::size_t finished = 0;
  corrected_bits_ = 0;
  FlashStatus status = FlashStatus::ok;
  while (finished < ops.size()) {
    if (submitted < ops.size()) submitted += port_.submit(ops.subspan(submitted));
    const std::size_t before = finished;
    const FlashStatus s = collect(true, finished);
    if (status == FlashStatus::ok) status = s;
    if (s == FlashStatus::timeout && finished == before) return s;
  }
  return status;
}

FlashStatus FlashIo::run(std::span<FlashOp> ops) {
  if (chained_ && ops.size() <= port_.capabilities().queue_depth - unreaped_) {
    for (std::size_t i = 1; i < ops.size(); ++i) ops[i].after_ok = true;
    return run_submitted(ops);
  }
  for (const FlashOp& op : ops) {
    const FlashStatus status = run_submitted({&op, 1});
    if (status != FlashStatus::ok) return status;
  }
  return FlashStatus::ok;
}

FlashStatus FlashIo::read(std::uint32_t segment, std::uint32_t offset, std::span<std::byte> into) {
  FlashOp op;
  op.kind = FlashOpKind::read;
  op.segment = SegmentId{segment};
  op.offset = offset;
  op.length = static_cast<std::uint32_t>(into.size());
  op.into = into.data();
  return run_submitted({&op, 1});
}

FlashStatus FlashIo::program(std::uint32_t segment, std::uint32_t offset, const void* from, std::uint32_t length) {
  FlashOp op;
  op.kind = FlashOpKind::program;
  op.segment = SegmentId{segment};
  op.offset = offset;
  op.length = length;
  op.from = static_cast<const std::byte*>(from);
  return run_submitted({&op, 1});
}

FlashStatus FlashIo::erase(std::uint32_t segment) {
  FlashOp op;
  op.kind = FlashOpKind::erase;
  op.segment = SegmentId{segment};
  return run_submitted({&op, 1});
}

FlashStatus FlashIo::read_page(std::uint32_t segment, std::uint32_t offset, std::byte* into, std::uint32_t length,
                               void* spare_into) {
  FlashOp op;
  op.kind = FlashOpKind::read;
  op.segment = SegmentId{segment};
  op.offset = offset;
  op.length = length;
  op.into = into;
  op.spare_into = static_cast<std::byte*>(spare_into);
  return run_submitted({&op, 1});
}

FlashStatus FlashIo::program_page(std::uint32_t segment, std::uint32_t offset, const void* from, std::uint32_t length,
                                  const void* spare_from) {
  FlashOp op;
  op.kind = FlashOpKind::program;
  op.segment = SegmentId{segment};
  op.offset = offset;
  op.length = length;
  op.from = static_cast<const std::byte*>(from);
  op.spare_from = static_cast<const std::byte*>(spare_from);
  return run_submitted({&op, 1});
}

FlashStatus FlashIo::mark(FlashOpKind kind, std::uint32_t segment) {
  FlashOp op;
  op.kind = kind;
  op.segment = SegmentId{segment};
  return run_submitted({&op, 1});
}

bool FlashIo::start_erase(std::uint32_t segment) {
  // One queue place stays free for foreground work.
  if (under_way_ >= kMaxErases || unreaped_ + 1 >= port_.capabilities().queue_depth) return false;
  FlashOp op;
  op.kind = FlashOpKind::erase;
  op.segment = SegmentId{segment};
  op.tag = kEraseTag | segment;
  if (port_.submit({&op, 1}) != 1) return false;
  ++under_way_;
  ++unreaped_;
  return true;
}

bool FlashIo::collect_erases(bool wait) {
  std::size_t none = 0;
  const std::uint32_t before = unreaped_;
  if (before > 0) (void)collect(wait, none);
  return unreaped_ < before || none > 0;
}

void FlashIo::forget() {
  while (unreaped_ > 0 && collect_erases(true)) {
  }
  unreaped_ = under_way_ = ended_count_ = 0;
}

std::optional<FlashIo::ErasedSegment> FlashIo::finished_erase(bool wait) {
  if (ended_count_ == 0) (void)collect_erases(wait);
  if (ended_count_ == 0) return std::nullopt;
  const ErasedSegment first = ended_[0];
  std::copy(ended_.begin() + 1, ended_.begin() + ended_count_, ended_.begin());
  --ended_count_;
  --under_way_;
  return first;
}

}  // namespace ftlab
