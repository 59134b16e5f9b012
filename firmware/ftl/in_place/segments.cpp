#include "firmware/ftl/in_place/segments.h"

#include <algorithm>

#include "firmware/base/erased.h"

namespace ftlab::in_place {
namespace {

// Beside each page, where the part keeps metadata; `high` says to other layers that no page of theirs lies there.
constexpr FlashMetadata kData{.low = 0, .high = ~0ULL};
/// Its content was lost before its segment was written anew.
constexpr FlashMetadata kLost{.low = 1, .high = ~0ULL};

}  // namespace

Segments::Segments(FlashPort& array, ProbePort& probe, std::uint32_t page_bytes, FtlStats& stats)
    : array_(array),
      probe_(probe),
      geometry_(array.geometry()),
      stats_(stats),
      page_bytes_(page_bytes),
      any_order_(geometry_.any_order),
      buffer_(array, page_bytes) {}

void Segments::layout(Arena& arena) {
  pages_per_segment_ = segment_bytes() / page_bytes_;
  rows_ = arena.take<Row>(geometry_.segments);
  pages_ = arena.take<Page>(std::size_t{geometry_.segments} * pages_per_segment_);
  buffer_.layout(arena);
}

void Segments::clear() {
  std::ranges::fill(rows_, Row{});
  std::ranges::fill(pages_, Page{});
}

FlashStatus Segments::run(FlashOpKind kind, std::uint32_t segment) {
  return run_to_end(array_, {.kind = kind, .page = segment * geometry_.pages_per_segment}).status;
}

bool Segments::find_bad(std::uint32_t segment) {
  const bool bad = run(FlashOpKind::check_bad, segment) == FlashStatus::bad_segment;
  if (bad) (void)fail(segment);
  return bad;
}

FtlStatus Segments::mark_bad(std::uint32_t segment) {
  const bool marked = run(FlashOpKind::mark_bad, segment) == FlashStatus::ok;
  return marked ? FtlStatus::ok : FtlStatus::write_failed;
}

void Segments::find_written(std::uint32_t segment) {
  std::uint32_t end = 0;
  for (std::uint32_t page = 0; page < pages_per_segment_; ++page) buffer_.load(segment, page);
  buffer_.wait();
  for (std::uint32_t page = 0; page < pages_per_segment_; ++page) {
    const auto& [readable, metadata] = buffer_.ended(page);
    // What cannot be read was written.
    const bool lost = !readable || metadata == kLost;
    if (!lost && metadata != kData && all_erased(buffer_.page(page))) continue;
    of(segment)[page].lost = lost && !any_order_;
    if (any_order_) set_written(segment, page);
    end = page + 1;
  }
  // Pages of ones before others were programmed, too.
  for (std::uint32_t page = 0; page < end && !any_order_; ++page) set_written(segment, page);
}

void Segments::set_written(std::uint32_t segment, std::uint32_t page) {
  SegmentInfo& info = rows_[segment].info;
  if (!of(segment)[page].written) info.valid_pages = ++info.used_pages;
  of(segment)[page].written = true;
}

bool Segments::takes(std::uint32_t segment, const Pages& pages) const {
  const auto& [info, erased] = rows_[segment];
  const bool next = any_order_ || (erased && info.used_pages == pages.first);
  return next && std::ranges::none_of(of(segment, pages), &Page::written);
}

FtlStatus Segments::load(std::uint32_t segment) {
  const auto is_read = [pages = of(segment)](std::uint32_t page) { return pages[page].written && !pages[page].lost; };
  for (std::uint32_t page = 0; page < pages_per_segment_; ++page)
    if (is_read(page)) buffer_.load(segment, page);
  buffer_.wait();
  for (std::uint32_t page = 0; page < pages_per_segment_; ++page) {
    if (is_read(page)) {
      if (buffer_.ended(page).ok) continue;
      if (any_order_) return FtlStatus::read_failed;
      of(segment)[page].lost = true;
    }
    buffer_.make_blank(page);
  }
  return FtlStatus::ok;
}

FtlStatus Segments::write_back(std::uint32_t segment, const Pages& of_host, std::uint32_t end) {
  if (const FtlStatus erased = erase(segment); erased != FtlStatus::ok) {
    set_lost(segment, {0, pages_per_segment_}, true);
    return erased;
  }
  ++stats_.cleanings;
  probe_.count(Work::segment_clean, 1);
  const auto is_stored = [&](std::uint32_t page) {
    return !any_order_ || of_host.contain(page) || !all_erased(buffer_.page(page));
  };
  for (std::uint32_t page = 0; page < end;) {
    // What is waited for is booked under its own cause.
    const bool by_host = of_host.contain(page);
    const CauseScope whose(probe_, by_host ? Cause::host : Cause::clean);
    for (; page < end && of_host.contain(page) == by_host; ++page) {
      if (!is_stored(page)) continue;
      begin_store(segment, page);
      if (!by_host) probe_.count(Work::page_copy, 1);
    }
    buffer_.wait();
  }
  FtlStatus status = FtlStatus::ok;
  for (std::uint32_t page = 0; page < end; ++page) {
    if (!is_stored(page)) continue;
    if (status == FtlStatus::ok)
      status = stored(segment, page);
    else
      of(segment)[page].lost = true;
    if (status == FtlStatus::ok && !of_host.contain(page)) ++stats_.pages_copied;
  }
  return status;
}

void Segments::begin_store(std::uint32_t segment, std::uint32_t page) {
  buffer_.store(segment, page, is_lost(segment, page) ? kLost : kData);
}

FtlStatus Segments::stored(std::uint32_t segment, std::uint32_t page) {
  if (buffer_.ended(page).ok) {
    set_written(segment, page);
    return FtlStatus::ok;
  }
  of(segment)[page].lost = true;
  return fail(segment);
}

FtlStatus Segments::erase(std::uint32_t segment) {
  if (run(FlashOpKind::erase, segment) != FlashStatus::ok) return fail(segment);
  ++stats_.erases;
  auto& [info, erased] = rows_[segment];
  ++info.erase_count;
  info.valid_pages = info.used_pages = 0;
  erased = true;
  for (Page& page : of(segment)) page.written = false;
  return FtlStatus::ok;
}

FtlStatus Segments::fail(std::uint32_t segment) {
  if (!is_bad(segment)) ++stats_.bad_segments;
  rows_[segment].info.state = SegmentState::bad;
  return FtlStatus::read_only;
}

FtlStatus Segments::read(std::uint32_t segment, std::uint32_t page, std::uint32_t skip, std::span<std::byte> into) {
  if (is_lost(segment, page)) return FtlStatus::read_failed;
  if (!of(segment)[page].written) {
    std::ranges::fill(into, kErasedByte);
    return FtlStatus::ok;
  }
  buffer_.read(segment, page, skip, into);
  buffer_.wait();
  return buffer_.ended(page).ok ? FtlStatus::ok : FtlStatus::read_failed;
}

FtlStatus Segments::program(std::uint32_t segment, const Pages& pages) {
  for (std::uint32_t page = pages.first; page < pages.end; ++page) begin_store(segment, page);
  buffer_.wait();
  for (std::uint32_t page = pages.first; page < pages.end; ++page)
    if (const FtlStatus status = stored(segment, page); status != FtlStatus::ok) return status;
  return FtlStatus::ok;
}

void Segments::make_blank(const Pages& pages) {
  for (std::uint32_t page = pages.first; page < pages.end; ++page) buffer_.make_blank(page);
}

void Segments::set_lost(std::uint32_t segment, const Pages& pages, bool lost) {
  for (Page& page : of(segment, pages)) page.lost = lost;
}

std::uint32_t Segments::end_with(std::uint32_t segment, const Pages& pages) const {
  return any_order_ ? pages_per_segment_ : std::max(pages.end, rows_[segment].info.used_pages);
}

std::uint32_t Segments::end_without(std::uint32_t segment, const Pages& trimmed) const {
  const std::uint32_t used = rows_[segment].info.used_pages;
  if (any_order_) return pages_per_segment_;
  return trimmed.end < used ? used : std::min(trimmed.first, used);
}

bool Segments::is_blank(std::uint32_t segment, const Pages& pages) const {
  const auto is_blank = [](const Page& page) { return !page.written && !page.lost; };
  return (any_order_ || rows_[segment].erased) && std::ranges::all_of(of(segment, pages), is_blank);
}

SegmentInfo Segments::info(std::uint32_t segment) const {
  return segment < rows_.size() ? rows_[segment].info : SegmentInfo{};
}

const char* Segments::self_check(std::uint32_t segment) const {
  std::uint32_t written = 0;
  for (std::uint32_t page = 0; page < pages_per_segment_; ++page) {
    if (!of(segment)[page].written) continue;
    if (!any_order_ && written != page) return "a page is written behind a blank one";
    ++written;
  }
  return written == rows_[segment].info.used_pages ? nullptr : "written pages of a segment are miscounted";
}

}  // namespace ftlab::in_place
