#include "firmware/ftl/in_place/in_place.h"

#include <algorithm>
#include <cstring>

#include "firmware/base/erased.h"

namespace ftlab {
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

std::size_t InPlace::arena_bytes(const FlashPort& array, const InPlaceConfig& config) {
  Arena measure(nullptr, 0);
  NullProbe probe;
  // Laid out alone, and never asked to do anything.
  InPlace(const_cast<FlashPort&>(array), probe, config, {}).layout(measure);
  return measure.used();
}

InPlace::InPlace(FlashPort& array, ProbePort& probe, const InPlaceConfig& config, std::span<std::byte> arena)
    : transfer_(array), probe_(probe), geometry_(array.geometry()), config_(config), any_order_(geometry_.any_order) {
  if (in_place::check(config, geometry_) != nullptr) return;
  pages_per_segment_ = segment_bytes() / config.page_bytes;
  parts_ = config.page_bytes / geometry_.page_bytes;
  Arena memory(arena.data(), arena.size());
  layout(memory);
  works_ = memory.fits();
}

void InPlace::layout(Arena& arena) {
  place_ = arena.take<std::uint32_t>(config_.logical_segments);
  rows_ = arena.take<Row>(geometry_.segments);
  const std::size_t words = (std::size_t{geometry_.segments} * pages_per_segment_ + 63) / 64;
  written_ = arena.take<std::uint64_t>(words);
  lost_ = arena.take<std::uint64_t>(words);
  buffer_ = arena.take<std::byte>(segment_bytes());
  transfer_.layout(arena);
}

FtlStatus InPlace::admit(std::uint64_t offset, std::uint64_t length) const {
  if (!works_) return FtlStatus::bad_config;
  if (!mounted_) return FtlStatus::not_formatted;
  return offset > capacity_bytes() || length > capacity_bytes() - offset ? FtlStatus::out_of_range : FtlStatus::ok;
}

FtlStatus InPlace::place_all(bool erased) {
  mounted_ = false;
  std::ranges::fill(rows_, Row{});
  std::ranges::fill(written_, 0);
  std::ranges::fill(lost_, 0);
  stats_ = {};
  std::uint32_t placed = 0;
  for (std::uint32_t id = 0; id < geometry_.segments && placed < place_.size(); ++id) {
    if (geometry_.is_unused(id)) continue;
    if (transfer_.run(FlashOpKind::check_bad, id) == FlashStatus::bad_segment) {
      (void)fail(id);
      continue;
    }
    if (erased && erase(id) != FtlStatus::ok) {
      if (const FtlStatus marked = mark_bad(id); marked != FtlStatus::ok) return marked;
      continue;
    }
    rows_[id].used = true;
    place_[placed++] = id;
  }
  return placed == place_.size() ? FtlStatus::ok : FtlStatus::no_space;
}

FtlStatus InPlace::mark_bad(std::uint32_t segment) {
  const bool marked = transfer_.run(FlashOpKind::mark_bad, segment) == FlashStatus::ok;
  return marked ? FtlStatus::ok : FtlStatus::write_failed;
}

FtlStatus InPlace::format(std::uint64_t) {
  if (!works_) return FtlStatus::bad_config;
  if (const FtlStatus placed = place_all(true); placed != FtlStatus::ok) return placed;
  stats_.erases = 0;
  mounted_ = true;
  return FtlStatus::ok;
}

FtlStatus InPlace::mount(std::uint64_t) {
  if (!works_) return FtlStatus::bad_config;
  if (const FtlStatus placed = place_all(false); placed != FtlStatus::ok) return placed;
  const CauseScope cause(probe_, Cause::mount);
  for (const std::uint32_t id : place_) find_written(id);
  mounted_ = true;
  return FtlStatus::ok;
}

void InPlace::find_written(std::uint32_t segment) {
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

void InPlace::put(std::span<std::uint64_t> bits, std::size_t bit, bool value) {
  const std::uint64_t mask = std::uint64_t{1} << bit % 64;
  bits[bit / 64] = value ? bits[bit / 64] | mask : bits[bit / 64] & ~mask;
}

void InPlace::set_written(std::uint32_t segment, std::uint32_t page) {
  if (!is_written(segment, page)) ++rows_[segment].written;
  put(written_, bit_of(segment, page), true);
}

InPlace::Range InPlace::first_of(std::uint64_t offset, std::uint64_t length) const {
  const std::uint32_t bytes = segment_bytes();
  const auto begin = static_cast<std::uint32_t>(offset % bytes);
  const auto end = static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, begin + length));
  return {static_cast<std::uint32_t>(offset / bytes), begin, end};
}

void InPlace::begin_read(std::uint32_t segment, std::uint32_t page, std::uint32_t skip, std::span<std::byte> into) {
  const std::uint32_t part_bytes = geometry_.page_bytes;
  while (!into.empty()) {
    const auto n = std::min<std::size_t>(into.size(), part_bytes - skip % part_bytes);
    transfer_.read(first_of_page(segment, page) + skip / part_bytes, skip % part_bytes, into.first(n));
    into = into.subspan(n);
    skip += static_cast<std::uint32_t>(n);
  }
}

FlashStatus InPlace::ended(std::uint32_t segment, std::uint32_t page, std::uint32_t skip, std::size_t bytes) const {
  const std::uint32_t first = first_of_page(segment, page);
  const std::size_t end = skip + bytes;
  for (std::uint32_t part = skip / geometry_.page_bytes; std::size_t{part} * geometry_.page_bytes < end; ++part) {
    const FlashStatus status = transfer_.ended(first + part).status;
    if (!readable(status)) return status;
  }
  return FlashStatus::ok;
}

FtlStatus InPlace::read(std::uint64_t offset, std::span<std::byte> into, std::uint64_t) {
  if (const FtlStatus admitted = admit(offset, into.size()); admitted != FtlStatus::ok) return admitted;
  ++stats_.requests;
  answered_ = stats_;
  probe_.count(Work::request, 1);
  stats_.bytes_read += into.size();
  while (!into.empty()) {
    const Range range = first_of(offset, into.size());
    const std::uint32_t page = page_of(range.begin);
    const std::uint32_t skip = range.begin - page * config_.page_bytes;
    const auto n = std::min<std::size_t>(config_.page_bytes - skip, range.end - range.begin);
    ++stats_.pages_read;
    probe_.count(Work::page_read, 1);
    const std::uint32_t segment = place_[range.segment];
    if (is_lost(segment, page)) return FtlStatus::read_failed;
    if (!is_written(segment, page)) {
      std::ranges::fill(into.first(n), kBlankByte);
    } else {
      begin_read(segment, page, skip, into.first(n));
      transfer_.wait();
      if (!readable(ended(segment, page, skip, n))) return FtlStatus::read_failed;
    }
    into = into.subspan(n);
    offset += n;
  }
  return FtlStatus::ok;
}

FtlStatus InPlace::write(std::uint64_t offset, std::span<const std::byte> from, WriteHint, std::uint64_t) {
  if (const FtlStatus admitted = admit(offset, from.size()); admitted != FtlStatus::ok) return admitted;
  ++stats_.requests;
  answered_ = stats_;
  probe_.count(Work::request, 1);
  stats_.bytes_written += from.size();
  while (!from.empty()) {
    const Range range = first_of(offset, from.size());
    const std::size_t n = range.end - range.begin;
    if (const FtlStatus status = write_range(range, from.first(n)); status != FtlStatus::ok) return status;
    from = from.subspan(n);
    offset += n;
  }
  return FtlStatus::ok;
}

FtlStatus InPlace::trim(std::uint64_t offset, std::uint64_t length, std::uint64_t) {
  if (const FtlStatus admitted = admit(offset, length); admitted != FtlStatus::ok) return admitted;
  ++stats_.requests;
  answered_ = stats_;
  const std::uint32_t bytes = config_.page_bytes;
  const std::uint64_t end = (offset + length) / bytes * bytes;
  for (offset = (offset + bytes - 1) / bytes * bytes; offset < end;) {
    const Range range = first_of(offset, end - offset);
    if (const FtlStatus status = trim_range(range); status != FtlStatus::ok) return status;
    offset += range.end - range.begin;
  }
  return FtlStatus::ok;
}

FtlStatus InPlace::trim_range(const Range& range) {
  const std::uint32_t segment = place_[range.segment];
  const Pages pages{page_of(range.begin), page_of(range.end)};
  bool blank = any_order_ || rows_[segment].erased;
  for (std::uint32_t page = pages.first; page < pages.end; ++page)
    blank = blank && !is_written(segment, page) && !is_lost(segment, page);
  if (blank) return FtlStatus::ok;
  if (rows_[segment].bad) return FtlStatus::read_only;
  const CauseScope cause(probe_, Cause::clean);
  if (const FtlStatus loaded = load(segment); loaded != FtlStatus::ok) return loaded;
  for (std::uint32_t page = pages.first; page < pages.end; ++page) {
    std::ranges::fill(in_buffer(page), kBlankByte);
    set_lost(segment, page, false);
  }
  std::uint32_t end = any_order_ ? pages_per_segment_ : rows_[segment].written;
  while (!any_order_ && end > 0 && (pages.contain(end - 1) || !is_written(segment, end - 1))) --end;
  return write_back(segment, {}, end);
}

bool InPlace::takes(std::uint32_t segment, const Pages& pages) const {
  if (!any_order_ && (!rows_[segment].erased || rows_[segment].written != pages.first)) return false;
  for (std::uint32_t page = pages.first; page < pages.end; ++page)
    if (is_written(segment, page)) return false;
  return true;
}

FtlStatus InPlace::write_range(const Range& range, std::span<const std::byte> from) {
  const std::uint32_t segment = place_[range.segment];
  if (rows_[segment].bad) return FtlStatus::read_only;
  const Pages pages{page_of(range.begin), page_of(range.end - 1) + 1};
  stats_.pages_written += pages.end - pages.first;
  probe_.count(Work::page_write, pages.end - pages.first);
  if (!takes(segment, pages)) return rewrite(range, from);
  for (std::uint32_t page = pages.first; page < pages.end; ++page) std::ranges::fill(in_buffer(page), kBlankByte);
  std::memcpy(&buffer_[range.begin], from.data(), from.size());
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

FtlStatus InPlace::load(std::uint32_t segment) {
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

FtlStatus InPlace::rewrite(const Range& range, std::span<const std::byte> from) {
  const std::uint32_t segment = place_[range.segment];
  const Pages pages{page_of(range.begin), page_of(range.end - 1) + 1};
  const CauseScope cause(probe_, Cause::clean);
  if (const FtlStatus loaded = load(segment); loaded != FtlStatus::ok) return loaded;
  // Nobody knows the rest of a page that is lost.
  if (range.begin % config_.page_bytes != 0 && is_lost(segment, pages.first)) return FtlStatus::read_failed;
  if (range.end % config_.page_bytes != 0 && is_lost(segment, pages.end - 1)) return FtlStatus::read_failed;
  std::memcpy(&buffer_[range.begin], from.data(), from.size());
  for (std::uint32_t page = pages.first; page < pages.end; ++page) set_lost(segment, page, false);
  return write_back(segment, pages, any_order_ ? pages_per_segment_ : std::max(pages.end, rows_[segment].written));
}

FtlStatus InPlace::write_back(std::uint32_t segment, const Pages& of_host, std::uint32_t end) {
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

void InPlace::begin_store(std::uint32_t segment, std::uint32_t page) {
  const std::uint32_t first = first_of_page(segment, page);
  for (std::uint32_t part = 0; part < parts_; ++part) {
    transfer_.program(first + part,
                      in_buffer(page).subspan(std::size_t{part} * geometry_.page_bytes, geometry_.page_bytes),
                      is_lost(segment, page) ? kLost : kData);
  }
}

FtlStatus InPlace::stored(std::uint32_t segment, std::uint32_t page) {
  if (!readable(ended(segment, page))) return fail(segment);
  set_written(segment, page);
  return FtlStatus::ok;
}

FtlStatus InPlace::erase(std::uint32_t segment) {
  if (transfer_.run(FlashOpKind::erase, segment) != FlashStatus::ok) return fail(segment);
  ++rows_[segment].erases;
  ++stats_.erases;
  rows_[segment].written = 0;
  rows_[segment].erased = true;
  for (std::uint32_t page = 0; page < pages_per_segment_; ++page) put(written_, bit_of(segment, page), false);
  return FtlStatus::ok;
}

FtlStatus InPlace::fail(std::uint32_t segment) {
  if (!rows_[segment].bad) ++stats_.bad_segments;
  rows_[segment].bad = true;
  return FtlStatus::read_only;
}

SegmentInfo InPlace::segment(SegmentId id) const {
  if (id.value() >= rows_.size()) return {};
  const Row& row = rows_[id.value()];
  const SegmentState state = row.bad ? SegmentState::bad : row.used ? SegmentState::sealed : SegmentState::free;
  return {state, row.erases, row.written, row.written, 0};
}

const char* InPlace::self_check() const {
  if (!works_) return "the configuration does not work";
  if (!mounted_) return nullptr;
  for (std::uint32_t logical = 0; logical < place_.size(); ++logical) {
    if (logical > 0 && place_[logical] <= place_[logical - 1]) return "two logical segments lie in one";
    std::uint32_t written = 0;
    for (std::uint32_t page = 0; page < pages_per_segment_; ++page) {
      if (!is_written(place_[logical], page)) continue;
      if (!any_order_ && written != page) return "a page is written behind a blank one";
      ++written;
    }
    if (written != rows_[place_[logical]].written) return "written pages of a segment are miscounted";
  }
  return nullptr;
}

}  // namespace ftlab
