#include "firmware/ftl/in_place/in_place.h"

#include <algorithm>
#include <cstring>

namespace ftlab {

std::size_t InPlace::arena_bytes(const FlashPort& array, const InPlaceConfig& config) {
  Arena measure(nullptr, 0);
  NullProbe probe;
  // Laid out alone, and never asked to do anything.
  InPlace(const_cast<FlashPort&>(array), probe, config, {}).layout(measure);
  return measure.used();
}

InPlace::InPlace(FlashPort& array, ProbePort& probe, const InPlaceConfig& config, std::span<std::byte> arena)
    : segments_(array, probe, config.page_bytes, stats_), probe_(probe), geometry_(array.geometry()), config_(config) {
  if (in_place::check(config, geometry_) != nullptr) return;
  Arena memory(arena.data(), arena.size());
  layout(memory);
  works_ = memory.fits();
}

void InPlace::layout(Arena& arena) {
  if (config_error() != nullptr) return;
  place_ = arena.take<std::uint32_t>(config_.logical_segments);
  segments_.layout(arena);
}

FtlStatus InPlace::admit(std::uint64_t offset, std::uint64_t length) const {
  if (!works_) return FtlStatus::bad_config;
  if (!mounted_) return FtlStatus::not_formatted;
  return offset > capacity_bytes() || length > capacity_bytes() - offset ? FtlStatus::out_of_range : FtlStatus::ok;
}

FtlStatus InPlace::place_all(bool erased) {
  mounted_ = false;
  segments_.clear();
  stats_ = {};
  std::uint32_t placed = 0;
  for (std::uint32_t id = 0; id < geometry_.segments && placed < place_.size(); ++id) {
    if (geometry_.is_unused(id)) continue;
    if (segments_.find_bad(id)) continue;
    if (erased && segments_.erase(id) != FtlStatus::ok) {
      if (const FtlStatus marked = segments_.mark_bad(id); marked != FtlStatus::ok) return marked;
      continue;
    }
    segments_.use(id);
    place_[placed++] = id;
  }
  return placed == place_.size() ? FtlStatus::ok : FtlStatus::no_space;
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
  for (const std::uint32_t id : place_) segments_.find_written(id);
  mounted_ = true;
  return FtlStatus::ok;
}

InPlace::Range InPlace::first_of(std::uint64_t offset, std::uint64_t length) const {
  const std::uint32_t bytes = segments_.segment_bytes();
  const auto begin = static_cast<std::uint32_t>(offset % bytes);
  const auto end = static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, begin + length));
  return {static_cast<std::uint32_t>(offset / bytes), begin, end};
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
    if (const FtlStatus status = segments_.read(segment, page, skip, into.first(n)); status != FtlStatus::ok)
      return status;
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
  const in_place::Pages pages{page_of(range.begin), page_of(range.end)};
  if (segments_.is_blank(segment, pages)) return FtlStatus::ok;
  if (segments_.is_bad(segment)) return FtlStatus::read_only;
  const CauseScope cause(probe_, Cause::clean);
  if (const FtlStatus loaded = segments_.load(segment); loaded != FtlStatus::ok) return loaded;
  segments_.make_blank(pages);
  segments_.set_lost(segment, pages, false);
  return segments_.write_back(segment, {}, segments_.end_without(segment, pages));
}

FtlStatus InPlace::write_range(const Range& range, std::span<const std::byte> from) {
  const std::uint32_t segment = place_[range.segment];
  if (segments_.is_bad(segment)) return FtlStatus::read_only;
  const in_place::Pages pages{page_of(range.begin), page_of(range.end - 1) + 1};
  stats_.pages_written += pages.end - pages.first;
  probe_.count(Work::page_write, pages.end - pages.first);
  if (!segments_.takes(segment, pages)) return rewrite(range, from);
  segments_.make_blank(pages);
  std::memcpy(&segments_.buffer()[range.begin], from.data(), from.size());
  return segments_.program(segment, pages);
}

FtlStatus InPlace::rewrite(const Range& range, std::span<const std::byte> from) {
  const std::uint32_t segment = place_[range.segment];
  const in_place::Pages pages{page_of(range.begin), page_of(range.end - 1) + 1};
  const CauseScope cause(probe_, Cause::clean);
  if (const FtlStatus loaded = segments_.load(segment); loaded != FtlStatus::ok) return loaded;
  // Nobody knows the rest of a page that is lost.
  if (range.begin % config_.page_bytes != 0 && segments_.is_lost(segment, pages.first)) return FtlStatus::read_failed;
  if (range.end % config_.page_bytes != 0 && segments_.is_lost(segment, pages.end - 1)) return FtlStatus::read_failed;
  std::memcpy(&segments_.buffer()[range.begin], from.data(), from.size());
  segments_.set_lost(segment, pages, false);
  return segments_.write_back(segment, pages, segments_.end_with(segment, pages));
}

const char* InPlace::self_check() const {
  if (!works_) return "the configuration does not work";
  if (!mounted_) return nullptr;
  for (std::uint32_t logical = 0; logical < place_.size(); ++logical) {
    if (logical > 0 && place_[logical] <= place_[logical - 1]) return "two logical segments lie in one";
    if (const char* broken = segments_.self_check(place_[logical])) return broken;
  }
  return nullptr;
}

}  // namespace ftlab
