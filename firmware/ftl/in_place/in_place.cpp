#include "firmware/ftl/in_place/in_place.h"

#include <algorithm>
#include <cstring>

#include "firmware/base/erased.h"

namespace ftlab {
namespace {

constexpr std::byte kBlankByte{0xFF};

[[nodiscard]] bool readable(FlashStatus status) {
  return status == FlashStatus::ok || status == FlashStatus::corrected;
}

}  // namespace

std::size_t InPlace::arena_bytes(const FlashPort& flash, const InPlaceConfig& config) {
  Arena measure(nullptr, 0);
  NullProbe probe;
  // Laid out alone, and never asked to do anything.
  InPlace(const_cast<FlashPort&>(flash), probe, config, {}).layout(measure);
  return measure.used();
}

InPlace::InPlace(FlashPort& flash, ProbePort& probe, const InPlaceConfig& config, std::span<std::byte> arena)
    : flash_(flash),
      probe_(probe),
      geometry_(flash.geometry()),
      config_(config),
      any_order_(flash.capabilities().in_place_clear) {
  if (in_place::check(config, geometry_) != nullptr) return;
  pages_per_segment_ = geometry_.segment_bytes / config.page_bytes;
  Arena memory(arena.data(), arena.size());
  layout(memory);
  works_ = memory.fits();
}

void InPlace::layout(Arena& arena) {
  place_ = arena.take<std::uint32_t>(config_.logical_segments);
  rows_ = arena.take<Row>(geometry_.segments);
  written_ = arena.take<std::uint64_t>((std::size_t{geometry_.segments} * pages_per_segment_ + 63) / 64);
  buffer_ = arena.take<std::byte>(geometry_.segment_bytes);
  spare_ = arena.take<std::byte>(geometry_.spare_bytes);
}

FtlStatus InPlace::admit(std::uint64_t offset, std::uint64_t length) const {
  if (!works_) return FtlStatus::bad_config;
  if (!mounted_) return FtlStatus::not_formatted;
  return offset > capacity_bytes() || length > capacity_bytes() - offset ? FtlStatus::out_of_range : FtlStatus::ok;
}

FtlStatus InPlace::place_all() {
  std::ranges::fill(rows_, Row{});
  std::ranges::fill(written_, 0);
  std::ranges::fill(spare_, kBlankByte);
  stats_ = {};
  const std::uint32_t per_unit = geometry_.segments / geometry_.parallel_units;
  std::uint32_t placed = 0;
  for (std::uint32_t id = 0; id < geometry_.segments && placed < place_.size(); ++id) {
    if (id % per_unit < geometry_.slc_segments_per_unit) continue;
    if (flash_.capabilities().spare) {
      const FlashStatus status = run_one(flash_, {.kind = FlashOpKind::check_bad, .segment = SegmentId{id}});
      rows_[id].bad = status == FlashStatus::bad_segment;
    }
    if (rows_[id].bad) {
      ++stats_.bad_segments;
      continue;
    }
    rows_[id].used = true;
    place_[placed++] = id;
  }
  return placed == place_.size() ? FtlStatus::ok : FtlStatus::no_space;
}

FtlStatus InPlace::format(std::uint64_t) {
  if (!works_) return FtlStatus::bad_config;
  if (const FtlStatus placed = place_all(); placed != FtlStatus::ok) return placed;
  for (const std::uint32_t id : place_)
    if (const FtlStatus erased = erase(id); erased != FtlStatus::ok) return erased;
  stats_.erases = 0;
  mounted_ = true;
  return FtlStatus::ok;
}

FtlStatus InPlace::mount(std::uint64_t) {
  if (!works_) return FtlStatus::bad_config;
  if (const FtlStatus placed = place_all(); placed != FtlStatus::ok) return placed;
  const CauseScope cause(probe_, Cause::mount);
  for (const std::uint32_t id : place_) {
    for (std::uint32_t page = 0; page < pages_per_segment_; ++page) {
      // What cannot be read was written.
      const auto into = buffer_.subspan(std::size_t{page} * config_.page_bytes, config_.page_bytes);
      const bool blank = read_page(id, page, 0, into) == FtlStatus::ok && is_blank(page);
      if (!blank) set_written(id, page);
      if (blank && !any_order_) break;
    }
  }
  mounted_ = true;
  return FtlStatus::ok;
}

void InPlace::set_written(std::uint32_t segment, std::uint32_t page) {
  const std::size_t bit = std::size_t{segment} * pages_per_segment_ + page;
  if (!is_written(segment, page)) ++rows_[segment].written;
  written_[bit / 64] |= std::uint64_t{1} << bit % 64;
}

InPlace::Range InPlace::first_of(std::uint64_t offset, std::uint64_t length) const {
  const std::uint32_t bytes = geometry_.segment_bytes;
  const auto begin = static_cast<std::uint32_t>(offset % bytes);
  const auto end = static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, begin + length));
  return {static_cast<std::uint32_t>(offset / bytes), begin, end};
}

FtlStatus InPlace::read_page(std::uint32_t segment, std::uint32_t page, std::uint32_t skip, std::span<std::byte> into) {
  const std::uint32_t unit = geometry_.program_unit_bytes;
  // A part with pages of its own reads inside one of them.
  const std::uint32_t at_once = any_order_ ? static_cast<std::uint32_t>(into.size()) : unit;
  std::uint32_t offset = page * config_.page_bytes + skip;
  while (!into.empty()) {
    const auto n = std::min<std::size_t>(into.size(), any_order_ ? at_once : unit - offset % unit);
    const FlashOp op{.kind = FlashOpKind::read,
                     .segment = SegmentId{segment},
                     .offset = offset,
                     .length = static_cast<std::uint32_t>(n),
                     .into = into.data()};
    if (!readable(run_one(flash_, op))) return FtlStatus::read_failed;
    into = into.subspan(n);
    offset += static_cast<std::uint32_t>(n);
  }
  return FtlStatus::ok;
}

FtlStatus InPlace::read(std::uint64_t offset, std::span<std::byte> into, std::uint64_t) {
  if (const FtlStatus admitted = admit(offset, into.size()); admitted != FtlStatus::ok) return admitted;
  ++stats_.requests;
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
    if (!is_written(segment, page)) {
      std::ranges::fill(into.first(n), kBlankByte);
    } else if (const FtlStatus status = read_page(segment, page, skip, into.first(n)); status != FtlStatus::ok) {
      return status;
    }
    into = into.subspan(n);
    offset += n;
  }
  return FtlStatus::ok;
}

FtlStatus InPlace::write(std::uint64_t offset, std::span<const std::byte> from, WriteHint, std::uint64_t) {
  if (const FtlStatus admitted = admit(offset, from.size()); admitted != FtlStatus::ok) return admitted;
  ++stats_.requests;
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
  const FtlStatus admitted = admit(offset, length);
  if (admitted == FtlStatus::ok) ++stats_.requests;
  return admitted;
}

bool InPlace::takes(std::uint32_t segment, std::uint32_t first_page, std::uint32_t end_page) const {
  if (!any_order_ && rows_[segment].written != first_page) return false;
  for (std::uint32_t page = first_page; page < end_page; ++page)
    if (is_written(segment, page)) return false;
  return true;
}

FtlStatus InPlace::write_range(const Range& range, std::span<const std::byte> from) {
  const std::uint32_t segment = place_[range.segment];
  const std::uint32_t first = page_of(range.begin);
  const std::uint32_t end = page_of(range.end - 1) + 1;
  stats_.pages_written += end - first;
  probe_.count(Work::page_write, end - first);
  if (!takes(segment, first, end)) return rewrite(range, from);
  std::ranges::fill(buffer_.subspan(first * config_.page_bytes, (end - first) * config_.page_bytes), kBlankByte);
  std::memcpy(&buffer_[range.begin], from.data(), from.size());
  for (std::uint32_t page = first; page < end; ++page)
    if (const FtlStatus status = store(segment, page); status != FtlStatus::ok) return status;
  return FtlStatus::ok;
}

FtlStatus InPlace::load(std::uint32_t segment) {
  for (std::uint32_t page = 0; page < pages_per_segment_; ++page) {
    const auto into = buffer_.subspan(std::size_t{page} * config_.page_bytes, config_.page_bytes);
    if (!is_written(segment, page)) {
      std::ranges::fill(into, kBlankByte);
    } else if (const FtlStatus status = read_page(segment, page, 0, into); status != FtlStatus::ok) {
      return status;
    }
  }
  return FtlStatus::ok;
}

FtlStatus InPlace::rewrite(const Range& range, std::span<const std::byte> from) {
  const std::uint32_t segment = place_[range.segment];
  const std::uint32_t first = page_of(range.begin);
  const std::uint32_t end = page_of(range.end - 1) + 1;
  const CauseScope cause(probe_, Cause::clean);
  if (const FtlStatus loaded = load(segment); loaded != FtlStatus::ok) return loaded;
  std::memcpy(&buffer_[range.begin], from.data(), from.size());
  const std::uint32_t last = any_order_ ? pages_per_segment_ : std::max(end, rows_[segment].written);
  if (const FtlStatus erased = erase(segment); erased != FtlStatus::ok) return erased;
  ++stats_.cleanings;
  probe_.count(Work::segment_clean, 1);
  for (std::uint32_t page = 0; page < last; ++page) {
    const bool of_host = page >= first && page < end;
    if (any_order_ && !of_host && is_blank(page)) continue;
    const CauseScope whose(probe_, of_host ? Cause::host : Cause::clean);
    if (const FtlStatus stored = store(segment, page); stored != FtlStatus::ok) return stored;
    if (of_host) continue;
    ++stats_.pages_copied;
    probe_.count(Work::page_copy, 1);
  }
  return FtlStatus::ok;
}

bool InPlace::is_blank(std::uint32_t page) const {
  const auto bytes = buffer_.subspan(std::size_t{page} * config_.page_bytes, config_.page_bytes);
  return all_erased(bytes);
}

FtlStatus InPlace::store(std::uint32_t segment, std::uint32_t page) {
  const std::uint32_t unit = any_order_ ? config_.page_bytes : geometry_.program_unit_bytes;
  for (std::uint32_t at = 0; at < config_.page_bytes; at += unit) {
    const std::uint32_t offset = page * config_.page_bytes + at;
    const FlashOp op{.kind = FlashOpKind::program,
                     .segment = SegmentId{segment},
                     .offset = offset,
                     .length = unit,
                     .from = &buffer_[offset],
                     .spare_from = spare_.empty() ? nullptr : spare_.data()};
    if (run_one(flash_, op) != FlashStatus::ok) return fail(segment);
  }
  set_written(segment, page);
  return FtlStatus::ok;
}

FtlStatus InPlace::erase(std::uint32_t segment) {
  if (run_one(flash_, {.kind = FlashOpKind::erase, .segment = SegmentId{segment}}) != FlashStatus::ok)
    return fail(segment);
  ++rows_[segment].erases;
  ++stats_.erases;
  rows_[segment].written = 0;
  const std::size_t first = std::size_t{segment} * pages_per_segment_;
  for (std::size_t bit = first; bit < first + pages_per_segment_; ++bit)
    written_[bit / 64] &= ~(std::uint64_t{1} << bit % 64);
  return FtlStatus::ok;
}

FtlStatus InPlace::fail(std::uint32_t segment) {
  if (!rows_[segment].bad) ++stats_.bad_segments;
  rows_[segment].bad = true;
  return FtlStatus::write_failed;
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
