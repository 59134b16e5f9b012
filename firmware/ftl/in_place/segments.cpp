#include "firmware/ftl/in_place/segments.h"

#include <algorithm>

#include "firmware/base/erased.h"

namespace ftlab::in_place {
namespace {

constexpr std::byte kBlankByte{0xFF};

// Beside each page, where the part keeps metadata; `high` says to other layers that no page of theirs lies there.
constexpr FlashMetadata kData{.low = 0, .high = ~0ULL};
/// Its content was lost before its segment was written anew.
constexpr FlashMetadata kLost{.low = 1, .high = ~0ULL};

[[nodiscard]] bool is(const FlashMetadata& found, const FlashMetadata& what) {
  return found.low == what.low && found.high == what.high;
}

[[nodiscard]] bool readable(FlashStatus status) {
  return status == FlashStatus::ok || status == FlashStatus::corrected;
}

}  // namespace

Segments::Segments(FlashPort& array, ProbePort& probe, std::uint32_t page_bytes, FtlStats& stats)
    : transfer_(array),
      probe_(probe),
      geometry_(array.geometry()),
      stats_(stats),
      page_bytes_(page_bytes),
      any_order_(geometry_.any_order) {}

void Segments::layout(Arena& arena) {
  pages_per_segment_ = segment_bytes() / page_bytes_;
  parts_ = page_bytes_ / geometry_.page_bytes;
  rows_ = arena.take<Row>(geometry_.segments);
  const std::size_t words = (std::size_t{geometry_.segments} * pages_per_segment_ + 63) / 64;
  written_ = arena.take<std::uint64_t>(words);
  lost_ = arena.take<std::uint64_t>(words);
  buffer_ = arena.take<std::byte>(segment_bytes());
  transfer_.layout(arena);
}

void Segments::clear() {
  std::ranges::fill(rows_, Row{});
  std::ranges::fill(written_, 0);
  std::ranges::fill(lost_, 0);
}

bool Segments::find_bad(std::uint32_t segment) {
  const bool bad = transfer_.run(FlashOpKind::check_bad, segment) == FlashStatus::bad_segment;
  if (bad) (void)fail(segment);
  return bad;
}

FtlStatus Segments::mark_bad(std::uint32_t segment) {
  const bool marked = transfer_.run(FlashOpKind::mark_bad, segment) == FlashStatus::ok;
  return marked ? FtlStatus::ok : FtlStatus::write_failed;
}

void Segments::find_written(std::uint32_t segment) {
  std::uint32_t end = 0;
  for (std::uint32_t page = 0; page < pages_per_segment_; ++page) begin_read(segment, page, 0, in_buffer(page));
  transfer_.wait();
  for (std::uint32_t page = 0; page < pages_per_segment_; ++page) {
    const FlashMetadata& metadata = transfer_.ended(first_of_page(segment, page)).metadata;
    // What cannot be read was written.
    const bool lost = !readable(ended(segment, page)) || is(metadata, kLost);
    if (!lost && !is(metadata, kData) && all_erased(in_buffer(page))) continue;
    set_lost(segment, page, lost && !any_order_);
    if (any_order_) set_written(segment, page);
    end = page + 1;
  }
  // Pages of ones before others were programmed, too.
  for (std::uint32_t page = 0; page < end && !any_order_; ++page) set_written(segment, page);
}

void Segments::put(std::span<std::uint64_t> bits, std::size_t bit, bool value) {
  const std::uint64_t mask = std::uint64_t{1} << bit % 64;
  bits[bit / 64] = value ? bits[bit / 64] | mask : bits[bit / 64] & ~mask;
}

void Segments::set_written(std::uint32_t segment, std::uint32_t page) {
  if (!is_written(segment, page)) ++rows_[segment].written;
  put(written_, bit_of(segment, page), true);
}

void Segments::begin_read(std::uint32_t segment, std::uint32_t page, std::uint32_t skip, std::span<std::byte> into) {
  const std::uint32_t part_bytes = geometry_.page_bytes;
  while (!into.empty()) {
    const auto n = std::min<std::size_t>(into.size(), part_bytes - skip % part_bytes);
    transfer_.read(first_of_page(segment, page) + skip / part_bytes, skip % part_bytes, into.first(n));
    into = into.subspan(n);
    skip += static_cast<std::uint32_t>(n);
  }
}

FlashStatus Segments::ended(std::uint32_t segment, std::uint32_t page, std::uint32_t skip, std::size_t bytes) const {
  const std::uint32_t first = first_of_page(segment, page);
  const std::size_t end = skip + bytes;
  for (std::uint32_t part = skip / geometry_.page_bytes; std::size_t{part} * geometry_.page_bytes < end; ++part) {
    const FlashStatus status = transfer_.ended(first + part).status;
    if (!readable(status)) return status;
  }
  return FlashStatus::ok;
}

bool Segments::takes(std::uint32_t segment, const Pages& pages) const {
  if (!any_order_ && (!rows_[segment].erased || rows_[segment].written != pages.first)) return false;
  for (std::uint32_t page = pages.first; page < pages.end; ++page)
    if (is_written(segment, page)) return false;
  return true;
}

FtlStatus Segments::load(std::uint32_t segment) {
  const auto is_read = [&](std::uint32_t page) { return is_written(segment, page) && !is_lost(segment, page); };
  for (std::uint32_t page = 0; page < pages_per_segment_; ++page)
    if (is_read(page)) begin_read(segment, page, 0, in_buffer(page));
  transfer_.wait();
  for (std::uint32_t page = 0; page < pages_per_segment_; ++page) {
    if (is_read(page)) {
      if (readable(ended(segment, page))) continue;
      if (any_order_) return FtlStatus::read_failed;
      set_lost(segment, page, true);
    }
    std::ranges::fill(in_buffer(page), kBlankByte);
  }
  return FtlStatus::ok;
}

FtlStatus Segments::write_back(std::uint32_t segment, const Pages& of_host, std::uint32_t end) {
  if (const FtlStatus erased = erase(segment); erased != FtlStatus::ok) {
    for (std::uint32_t page = 0; page < pages_per_segment_; ++page) set_lost(segment, page, true);
    return erased;
  }
  ++stats_.cleanings;
  probe_.count(Work::segment_clean, 1);
  const auto is_stored = [&](std::uint32_t page) {
    return !any_order_ || of_host.contain(page) || !all_erased(in_buffer(page));
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
    transfer_.wait();
  }
  FtlStatus status = FtlStatus::ok;
  for (std::uint32_t page = 0; page < end; ++page) {
    if (!is_stored(page)) continue;
    if (status == FtlStatus::ok) status = stored(segment, page);
    if (status != FtlStatus::ok) {
      set_lost(segment, page, true);
      continue;
    }
    if (!of_host.contain(page)) ++stats_.pages_copied;
  }
  return status;
}

void Segments::begin_store(std::uint32_t segment, std::uint32_t page) {
  const std::uint32_t first = first_of_page(segment, page);
  for (std::uint32_t part = 0; part < parts_; ++part) {
    transfer_.program(first + part,
                      in_buffer(page).subspan(std::size_t{part} * geometry_.page_bytes, geometry_.page_bytes),
                      is_lost(segment, page) ? kLost : kData);
  }
}

FtlStatus Segments::stored(std::uint32_t segment, std::uint32_t page) {
  if (!readable(ended(segment, page))) return fail(segment);
  set_written(segment, page);
  return FtlStatus::ok;
}

FtlStatus Segments::erase(std::uint32_t segment) {
  if (transfer_.run(FlashOpKind::erase, segment) != FlashStatus::ok) return fail(segment);
  ++rows_[segment].erases;
  ++stats_.erases;
  rows_[segment].written = 0;
  rows_[segment].erased = true;
  for (std::uint32_t page = 0; page < pages_per_segment_; ++page) put(written_, bit_of(segment, page), false);
  return FtlStatus::ok;
}

FtlStatus Segments::fail(std::uint32_t segment) {
  if (!rows_[segment].bad) ++stats_.bad_segments;
  rows_[segment].bad = true;
  return FtlStatus::read_only;
}

FtlStatus Segments::read(std::uint32_t segment, std::uint32_t page, std::uint32_t skip, std::span<std::byte> into) {
  if (is_lost(segment, page)) return FtlStatus::read_failed;
  if (!is_written(segment, page)) {
    std::ranges::fill(into, kBlankByte);
    return FtlStatus::ok;
  }
  begin_read(segment, page, skip, into);
  transfer_.wait();
  return readable(ended(segment, page, skip, into.size())) ? FtlStatus::ok : FtlStatus::read_failed;
}

FtlStatus Segments::program(std::uint32_t segment, const Pages& pages) {
  for (std::uint32_t page = pages.first; page < pages.end; ++page) begin_store(segment, page);
  transfer_.wait();
  for (std::uint32_t page = pages.first; page < pages.end; ++page) {
    if (const FtlStatus status = stored(segment, page); status != FtlStatus::ok) {
      set_lost(segment, page, true);
      return status;
    }
  }
  return FtlStatus::ok;
}

void Segments::make_blank(const Pages& pages) {
  for (std::uint32_t page = pages.first; page < pages.end; ++page) std::ranges::fill(in_buffer(page), kBlankByte);
}

void Segments::set_lost(std::uint32_t segment, const Pages& pages, bool lost) {
  for (std::uint32_t page = pages.first; page < pages.end; ++page) set_lost(segment, page, lost);
}

std::uint32_t Segments::end_without(std::uint32_t segment, const Pages& trimmed) const {
  std::uint32_t end = any_order_ ? pages_per_segment_ : rows_[segment].written;
  while (!any_order_ && end > 0 && (trimmed.contain(end - 1) || !is_written(segment, end - 1))) --end;
  return end;
}

bool Segments::is_blank(std::uint32_t segment, const Pages& pages) const {
  bool blank = any_order_ || rows_[segment].erased;
  for (std::uint32_t page = pages.first; page < pages.end; ++page)
    blank = blank && !is_written(segment, page) && !is_lost(segment, page);
  return blank;
}

SegmentInfo Segments::info(std::uint32_t segment) const {
  if (segment >= rows_.size()) return {};
  const Row& row = rows_[segment];
  const SegmentState state = row.bad ? SegmentState::bad : row.used ? SegmentState::sealed : SegmentState::free;
  return {state, row.erases, row.written, row.written, 0};
}

const char* Segments::self_check(std::uint32_t segment) const {
  std::uint32_t written = 0;
  for (std::uint32_t page = 0; page < pages_per_segment_; ++page) {
    if (!is_written(segment, page)) continue;
    if (!any_order_ && written != page) return "a page is written behind a blank one";
    ++written;
  }
  return written == rows_[segment].written ? nullptr : "written pages of a segment are miscounted";
}

}  // namespace ftlab::in_place
