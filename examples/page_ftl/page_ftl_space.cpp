// Where pages go, how room is made, and what mount finds.
#include <algorithm>

#include "page_ftl.h"

namespace example {

using ftlab::Cause;
using ftlab::CauseScope;
using ftlab::FlashDone;
using ftlab::FlashOp;
using ftlab::FlashOpKind;
using ftlab::FlashStatus;
using ftlab::FtlStatus;
using ftlab::SegmentState;
using ftlab::Work;

const char* PageFtl::cannot_use(const ftlab::FlashGeometry& geometry) {
  if (geometry.pages_at_once > 1) return "the firmware waits for each page, and the part programs several at once";
  if (geometry.buffers == 1) return "the firmware needs a second buffer for what cleaning copies";
  return nullptr;
}

FlashStatus PageFtl::run(FlashOpKind kind, std::uint32_t segment) {
  return run_to_end(array_, {.kind = kind, .page = segment * slots()}).status;
}

std::uint16_t PageFtl::buffer(std::uint16_t which) const { return geometry_.buffers > 0 ? which : FlashOp::kNoBuffer; }

FtlStatus PageFtl::format(std::uint64_t) {
  const CauseScope cause(probe_, Cause::metadata);
  forget_everything();
  for (std::uint32_t s = 0; s < geometry_.segments; ++s) {
    if (table_[s].state == SegmentState::fixed) continue;
    if (run(FlashOpKind::check_bad, s) == FlashStatus::bad_segment || run(FlashOpKind::erase, s) != FlashStatus::ok)
      retire(s);
    else
      release(s);
  }
  if (free_ <= config_.reserve) return FtlStatus::write_failed;
  // A mount knows a formatted part by its pages.
  std::ranges::fill(merge_, std::byte{0xFF});
  return write_page(0, merge_);
}

FtlStatus PageFtl::mount(std::uint64_t) {
  const CauseScope cause(probe_, Cause::mount);
  forget_everything();
  for (std::uint32_t s = 0; s < geometry_.segments; ++s) {
    if (table_[s].state == SegmentState::fixed) continue;
    if (run(FlashOpKind::check_bad, s) == FlashStatus::bad_segment)
      table_[s].state = SegmentState::bad;
    else
      find_segment(s);
  }
  if (newest_ == kNone) return FtlStatus::not_formatted;
  sort_segments();
  return FtlStatus::ok;
}

/// Whose its pages are; one that cannot be read, or looks as if an interrupted program could have begun there, is used.
void PageFtl::find_segment(std::uint32_t segment) {
  probe_.count(Work::header_scan, 1);
  Segment& entry = table_[segment];
  for (std::uint32_t slot = 0; slot < slots(); ++slot) {
    const std::uint32_t ppn = segment * slots() + slot;
    const FlashDone done = run_to_end(array_, {.kind = FlashOpKind::read, .page = ppn});
    const bool readable = done.status == FlashStatus::ok || done.status == FlashStatus::corrected;
    const bool known = done.metadata.low < config_.logical_pages && done.metadata.high < kNone;
    if (!readable || known) entry.used = slot + 1;
    if (!readable || !known) continue;
    const auto lpn = static_cast<std::uint32_t>(done.metadata.low);
    const auto number = static_cast<std::uint32_t>(done.metadata.high);
    if (number >= programs_) {
      programs_ = number + 1;
      newest_ = segment;
    }
    entry.opened = std::max(entry.opened, number);
    if (l2p_[lpn] != kNone && numbers_[lpn] > number) continue;
    if (l2p_[lpn] != kNone) drop(l2p_[lpn]);
    numbers_[lpn] = number;
    adopt(lpn, ppn);
  }
}

void PageFtl::adopt(std::uint32_t lpn, std::uint32_t ppn) {
  l2p_[lpn] = ppn;
  p2l_[ppn] = lpn;
  ++table_[ppn / slots()].valid;
}

/// Goes on behind the last page that was used in the segment of the newest one. Were that sealed instead, repeated
/// power losses during cleaning would use up the reserve.
void PageFtl::sort_segments() {
  for (std::uint32_t s = 0; s < geometry_.segments; ++s) {
    if (table_[s].state != SegmentState::sealed) continue;
    if (s == newest_ && table_[s].used < slots()) {
      table_[s].state = SegmentState::open;
      frontier_ = s;
    } else if (s != newest_ && table_[s].valid == 0) {
      release(s);
    }
  }
}

void PageFtl::release(std::uint32_t segment) {
  table_[segment].state = SegmentState::free;
  table_[segment].used = 0;
  ++free_;
}

void PageFtl::retire(std::uint32_t segment) {
  run(FlashOpKind::mark_bad, segment);
  table_[segment].state = SegmentState::bad;
  table_[segment].used = 0;
  ++stats_.bad_segments;
}

void PageFtl::drop(std::uint32_t ppn) {
  p2l_[ppn] = kNone;
  --table_[ppn / slots()].valid;
}

FtlStatus PageFtl::place(std::uint32_t lpn, std::uint16_t from_buffer, bool cleaning) {
  constexpr int kAttempts = 4;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (!open_frontier(cleaning)) return FtlStatus::no_space;
    Segment& segment = table_[frontier_];
    const std::uint32_t ppn = frontier_ * slots() + segment.used++;
    newest_ = frontier_;
    const FlashDone done = run_to_end(array_, {.kind = FlashOpKind::program,
                                               .page = ppn,
                                               .buffer = buffer(from_buffer),
                                               .metadata = {.low = lpn, .high = programs_++}});
    if (done.status != FlashStatus::ok) {
      segment.used = slots();  // leave it alone; the next attempt goes elsewhere
      continue;
    }
    if (l2p_[lpn] != kNone) drop(l2p_[lpn]);
    adopt(lpn, ppn);
    return FtlStatus::ok;
  }
  return FtlStatus::write_failed;
}

/// Makes sure that the frontier has an unused page.
bool PageFtl::open_frontier(bool cleaning) {
  const auto has_room = [this] { return frontier_ != kNone && table_[frontier_].used < slots(); };
  // A power loss during cleaning leaves the reserve short: finish that first, while the frontier still has room for it.
  while (!cleaning && free_ < config_.reserve) {
    if (!clean_one()) return false;
  }
  if (has_room()) return true;
  if (frontier_ != kNone) table_[frontier_].state = SegmentState::sealed;
  frontier_ = kNone;
  while (!cleaning && free_ <= config_.reserve) {
    if (!clean_one()) return false;
    if (has_room()) return true;
  }
  for (std::uint32_t i = 0; i < geometry_.segments; ++i) {
    const std::uint32_t s = (next_free_ + i) % geometry_.segments;
    Segment& segment = table_[s];
    if (segment.state != SegmentState::free) continue;
    --free_;
    next_free_ = s + 1;
    ++segment.erase_count;
    ++stats_.erases;
    if (run(FlashOpKind::erase, s) != FlashStatus::ok) {
      retire(s);
      continue;
    }
    segment.state = SegmentState::open;
    segment.opened = programs_;
    ++segments_opened_;
    frontier_ = s;
    return true;
  }
  return false;
}

/// Of the sealed segments that have something to reclaim: the one opened first, or the one with the fewest valid pages.
/// Not that of the newest page: what is erased must never be where a mount would go on.
std::uint32_t PageFtl::choose_victim() {
  std::uint32_t victim = kNone;
  for (std::uint32_t s = 0; s < geometry_.segments; ++s) {
    if (table_[s].state != SegmentState::sealed || s == newest_) continue;
    probe_.count(Work::segment_compare, 1);
    if (table_[s].valid == slots()) continue;
    const auto rank = [this](std::uint32_t segment) {
      return config_.oldest_first ? table_[segment].opened : table_[segment].valid;
    };
    if (victim == kNone || rank(s) < rank(victim)) victim = s;
  }
  return victim;
}

/// The victim gives its valid pages away and is free.
bool PageFtl::clean_one() {
  const CauseScope cause(probe_, Cause::clean);
  const std::uint32_t victim = choose_victim();
  if (victim == kNone) return false;
  probe_.count(Work::segment_clean, 1);
  ++stats_.cleanings;
  for (std::uint32_t slot = 0; slot < slots() && table_[victim].valid > 0; ++slot) {
    const std::uint32_t ppn = victim * slots() + slot;
    const std::uint32_t lpn = p2l_[ppn];
    if (lpn == kNone) continue;
    probe_.count(Work::page_copy, 1);
    const FlashStatus read =
        run_to_end(array_, {.kind = FlashOpKind::read, .page = ppn, .buffer = buffer(kCopyBuffer)}).status;
    if (read != FlashStatus::ok && read != FlashStatus::corrected) return false;
    if (place(lpn, kCopyBuffer, true) != FtlStatus::ok) return false;
    ++stats_.pages_copied;
  }
  release(victim);
  return true;
}

}  // namespace example
