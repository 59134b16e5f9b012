// Where pages go, how room is made, and what mount finds.
#include <algorithm>

#include "page_ftl.h"

namespace example {

using ftlab::Cause;
using ftlab::CauseScope;
using ftlab::FlashOp;
using ftlab::FlashOpKind;
using ftlab::FlashStatus;
using ftlab::FtlStatus;
using ftlab::SegmentId;
using ftlab::SegmentState;
using ftlab::Work;

namespace {
constexpr std::uint32_t kErasedMark = 0x50463031;  // "PF01"
constexpr std::uint32_t kSequenceOffset = 8;       // of SegmentMark::sequence
constexpr std::uint32_t kEntriesOffset = 64;
}  // namespace

const char* PageFtl::cannot_use(const ftlab::FlashGeometry& geometry, const ftlab::FlashCapabilities& capabilities) {
  if (!capabilities.in_place_clear || geometry.program_unit_bytes > sizeof kErasedMark) {
    return "the firmware programs single words and clears bits of them later, as NOR allows and NAND does not";
  }
  return nullptr;
}

const char* PageFtl::cannot_divide(const ftlab::FlashGeometry& geometry, std::uint32_t page_bytes) {
  if (page_bytes % sizeof(Entry) != 0 || geometry.segment_bytes % page_bytes != 0) {
    return "pages must fill a segment and consist of whole words";
  }
  const std::uint32_t pages = geometry.segment_bytes / page_bytes;
  if (pages < 2) return "a segment must hold a header page and a page of data; use smaller pages";
  if (kEntriesOffset + (pages - 1) * sizeof(Entry) > page_bytes) {
    return "the header page of a segment must hold an entry for each of its pages; use larger pages";
  }
  return nullptr;
}

FlashStatus PageFtl::program(std::uint32_t segment, std::uint32_t offset, const void* from, std::uint32_t length) {
  return run_one(flash_, {.kind = FlashOpKind::program,
                          .segment = SegmentId{segment},
                          .offset = offset,
                          .length = length,
                          .from = static_cast<const std::byte*>(from)});
}

FlashStatus PageFtl::fetch(std::uint32_t segment, std::uint32_t offset, void* into, std::uint32_t length) {
  return run_one(flash_, {.kind = FlashOpKind::read,
                          .segment = SegmentId{segment},
                          .offset = offset,
                          .length = length,
                          .into = static_cast<std::byte*>(into)});
}

/// After it the segment is free, or bad. Its first mark is cleared before, so that a power loss in between shows.
bool PageFtl::erase(std::uint32_t segment) {
  Segment& entry = table_[segment];
  const std::uint32_t gone = 0;
  program(segment, 0, &gone, sizeof gone);
  ++entry.erase_count;
  bool good = run_one(flash_, {.kind = FlashOpKind::erase, .segment = SegmentId{segment}}) == FlashStatus::ok;
  const std::uint32_t mark[2] = {kErasedMark, entry.erase_count};
  good = good && program(segment, 0, mark, sizeof mark) == FlashStatus::ok;
  entry = {good ? SegmentState::free : SegmentState::bad, 0, 0, entry.erase_count, 0};
  if (good) {
    ++free_;
  } else {
    ++stats_.bad_segments;
  }
  return good;
}

FtlStatus PageFtl::format(std::uint64_t) {
  const CauseScope cause(probe_, Cause::metadata);
  forget_everything();
  stats_ = {};
  for (std::uint32_t s = 0; s < geometry_.segments; ++s) erase(s);
  return free_ > config_.reserve ? FtlStatus::ok : FtlStatus::write_failed;
}

FtlStatus PageFtl::mount(std::uint64_t) {
  const CauseScope cause(probe_, Cause::mount);
  forget_everything();
  stats_ = {};
  bool formatted = false;
  for (std::uint32_t s = 0; s < geometry_.segments; ++s) {
    load_segment(s);
    formatted = formatted || table_[s].state != SegmentState::bad;
  }
  if (!formatted) return FtlStatus::not_formatted;
  // What bears no mark was being erased when power went.
  for (std::uint32_t s = 0; s < geometry_.segments; ++s) {
    if (table_[s].state == SegmentState::bad) erase(s);
  }
  reopen_frontier();
  return FtlStatus::ok;
}

/// Goes on behind the last slot that was touched in the segment opened last. Were it sealed instead, repeated
/// power losses during cleaning would use up the reserve.
void PageFtl::reopen_frontier() {
  const auto blank = [this](std::uint32_t segment, std::uint32_t offset, std::uint32_t length) {
    const std::span<std::byte> bytes = copy_.first(length);
    return fetch(segment, offset, bytes.data(), length) == FlashStatus::ok &&
           std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0xFF}; });
  };
  for (std::uint32_t s = 0; s < geometry_.segments; ++s) {
    Segment& segment = table_[s];
    if (segment.state != SegmentState::sealed || segment.sequence + 1 != sequence_) continue;
    while (segment.used > 0 && blank(s, kEntriesOffset + (segment.used - 1) * sizeof(Entry), sizeof(Entry)) &&
           blank(s, segment.used * config_.page_bytes, config_.page_bytes)) {
      --segment.used;
    }
    if (segment.used == slots()) return;
    segment.state = SegmentState::open;
    frontier_ = s;
    return;
  }
}

void PageFtl::load_segment(std::uint32_t segment) {
  probe_.count(Work::header_scan, 1);
  SegmentMark mark;
  if (fetch(segment, 0, &mark, sizeof mark) != FlashStatus::ok || mark.erased != kErasedMark) return;
  Segment& entry = table_[segment];
  entry.erase_count = mark.erase_count;
  if (mark.sequence == kNone && mark.sequence_check == kNone) {
    entry.state = SegmentState::free;
    ++free_;
    return;
  }
  if (mark.sequence_check != ~mark.sequence) return;  // power went while it was opened: nothing is in it
  entry.state = SegmentState::sealed;
  entry.used = slots();
  entry.sequence = mark.sequence;
  sequence_ = std::max(sequence_, mark.sequence + 1);
  for (std::uint32_t slot = 0; slot < slots(); ++slot) {
    Entry page;
    fetch(segment, kEntriesOffset + slot * sizeof page, &page, sizeof page);
    if (page.check == ~page.lpn && page.lpn < config_.logical_pages) adopt(page.lpn, segment * slots() + slot);
  }
}

/// Of two committed copies the one written later counts; the other's entry was about to be cleared when power went.
void PageFtl::adopt(std::uint32_t lpn, std::uint32_t ppn) {
  const std::uint32_t other = l2p_[lpn];
  if (other != kNone) {
    const Segment& mine = table_[ppn / slots()];
    const Segment& theirs = table_[other / slots()];
    const bool later = mine.sequence != theirs.sequence ? mine.sequence > theirs.sequence : ppn > other;
    if (!later) {
      const Entry cleared{0, 0};
      program(ppn / slots(), kEntriesOffset + ppn % slots() * sizeof cleared, &cleared, sizeof cleared);
      return;
    }
    drop(other, true);
  }
  l2p_[lpn] = ppn;
  p2l_[ppn] = lpn;
  ++table_[ppn / slots()].valid;
}

void PageFtl::drop(std::uint32_t ppn, bool on_flash) {
  p2l_[ppn] = kNone;
  --table_[ppn / slots()].valid;
  if (!on_flash) return;
  ++entries_cleared_;
  const Entry cleared{0, 0};
  program(ppn / slots(), kEntriesOffset + ppn % slots() * sizeof cleared, &cleared, sizeof cleared);
}

FtlStatus PageFtl::write_page(std::uint32_t lpn, const std::byte* data) { return place(lpn, data, false); }

FtlStatus PageFtl::place(std::uint32_t lpn, const std::byte* data, bool cleaning) {
  constexpr int kAttempts = 4;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (!open_frontier(cleaning)) return FtlStatus::no_space;
    Segment& segment = table_[frontier_];
    const std::uint32_t slot = segment.used++;
    const std::uint32_t ppn = frontier_ * slots() + slot;
    const Entry entry{lpn, ~lpn};
    const bool good =
        program(frontier_, (1 + slot) * config_.page_bytes, data, config_.page_bytes) == FlashStatus::ok &&
        program(frontier_, kEntriesOffset + slot * sizeof entry, &entry, sizeof entry) == FlashStatus::ok;
    if (!good) {
      segment.used = slots();  // leave it alone; the next attempt goes elsewhere
      continue;
    }
    const std::uint32_t before = l2p_[lpn];
    l2p_[lpn] = ppn;
    p2l_[ppn] = lpn;
    ++segment.valid;
    // A victim is erased at once; clearing its entries would be wasted.
    if (before != kNone) drop(before, !cleaning);
    return FtlStatus::ok;
  }
  return FtlStatus::write_failed;
}

/// Makes sure that the frontier has an unused slot.
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
    if (table_[s].state != SegmentState::free) continue;
    const std::uint32_t mark[2] = {sequence_, ~sequence_};
    --free_;
    next_free_ = s + 1;
    if (program(s, kSequenceOffset, mark, sizeof mark) != FlashStatus::ok) {
      table_[s].state = SegmentState::bad;
      ++stats_.bad_segments;
      continue;
    }
    table_[s].state = SegmentState::open;
    table_[s].sequence = sequence_++;
    frontier_ = s;
    return true;
  }
  return false;
}

/// Of the sealed segments that have something to reclaim: the one opened first, or the one with the fewest valid pages.
std::uint32_t PageFtl::choose_victim() {
  std::uint32_t victim = kNone;
  for (std::uint32_t s = 0; s < geometry_.segments; ++s) {
    if (table_[s].state != SegmentState::sealed) continue;
    probe_.count(Work::segment_compare, 1);
    if (table_[s].valid == slots()) continue;
    const auto rank = [this](std::uint32_t segment) {
      return config_.oldest_first ? table_[segment].sequence : table_[segment].valid;
    };
    if (victim == kNone || rank(s) < rank(victim)) victim = s;
  }
  return victim;
}

/// The victim gives its valid pages away and is erased.
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
    if (read_page(ppn, 0, copy_) != FlashStatus::ok || place(lpn, copy_.data(), true) != FtlStatus::ok) return false;
    ++stats_.pages_copied;
  }
  ++stats_.erases;
  erase(victim);
  return true;
}

}  // namespace example
