#include "firmware/ftl/in_place/in_place.h"

#include <cstring>

#include "firmware/volume/request_pages.h"

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

FtlStatus InPlace::begin(std::uint64_t offset, std::uint64_t length) {
  const FtlStatus admitted = admit(offset, length);
  if (admitted != FtlStatus::ok) return admitted;
  ++stats_.requests;
  answered_ = stats_;
  return FtlStatus::ok;
}

FtlStatus InPlace::place_all(bool erased) {
  mounted_ = false;
  if (!works_) return FtlStatus::bad_config;
  segments_.clear();
  stats_ = {};
  std::uint32_t placed = 0;
  for (std::uint32_t id = 0; id < geometry_.segments && placed < place_.size(); ++id) {
    if (geometry_.is_unused(id) || segments_.find_bad(id)) continue;
    if (erased && segments_.erase(id) != FtlStatus::ok) {
      if (const FtlStatus marked = segments_.mark_bad(id); marked != FtlStatus::ok) return marked;
      continue;
    }
    segments_.use(id);
    place_[placed++] = id;
  }
  mounted_ = placed == place_.size();
  return mounted_ ? FtlStatus::ok : FtlStatus::no_space;
}

FtlStatus InPlace::format(std::uint64_t) {
  const FtlStatus placed = place_all(true);
  stats_.erases = 0;
  return placed;
}

FtlStatus InPlace::mount(std::uint64_t) {
  const FtlStatus placed = place_all(false);
  const CauseScope cause(probe_, Cause::mount);
  for (std::uint32_t logical = 0; mounted_ && logical < place_.size(); ++logical)
    segments_.find_written(place_[logical]);
  return placed;
}

FtlStatus InPlace::read(std::uint64_t offset, std::span<std::byte> into, std::uint64_t) {
  if (const FtlStatus begun = begin(offset, into.size()); begun != FtlStatus::ok) return begun;
  probe_.count(Work::request, 1);
  stats_.bytes_read += into.size();
  RequestPages parts(offset, into.size(), config_.page_bytes);
  while (const auto part = parts.next()) {
    ++stats_.pages_read;
    probe_.count(Work::page_read, 1);
    const std::uint32_t segment = place_[part->lpn / segments_.pages_per_segment()];
    const std::span<std::byte> bytes = into.subspan(part->done, part->length);
    const FtlStatus status = segments_.read(segment, part->lpn % segments_.pages_per_segment(), part->at, bytes);
    if (status != FtlStatus::ok) return status;
  }
  return FtlStatus::ok;
}

FtlStatus InPlace::write(std::uint64_t offset, std::span<const std::byte> from, WriteHint, std::uint64_t) {
  if (const FtlStatus begun = begin(offset, from.size()); begun != FtlStatus::ok) return begun;
  probe_.count(Work::request, 1);
  stats_.bytes_written += from.size();
  RequestPages parts(offset, from.size(), segments_.segment_bytes());
  while (const auto part = parts.next()) {
    const FtlStatus status = write_part(place_[part->lpn], part->at, from.subspan(part->done, part->length));
    if (status != FtlStatus::ok) return status;
  }
  return FtlStatus::ok;
}

FtlStatus InPlace::trim(std::uint64_t offset, std::uint64_t length, std::uint64_t) {
  if (const FtlStatus begun = begin(offset, length); begun != FtlStatus::ok) return begun;
  const std::uint64_t page = config_.page_bytes;
  const auto [first, end] = RequestPages::whole(offset, length, config_.page_bytes);
  RequestPages parts(first * page, first < end ? (end - first) * page : 0, segments_.segment_bytes());
  while (const auto part = parts.next()) {
    const FtlStatus status = trim_pages(place_[part->lpn], pages_of(part->at, part->length));
    if (status != FtlStatus::ok) return status;
  }
  return FtlStatus::ok;
}

FtlStatus InPlace::trim_pages(std::uint32_t segment, const in_place::Pages& pages) {
  if (segments_.is_blank(segment, pages)) return FtlStatus::ok;
  if (segments_.is_bad(segment)) return FtlStatus::read_only;
  const CauseScope cause(probe_, Cause::clean);
  if (const FtlStatus loaded = segments_.load(segment); loaded != FtlStatus::ok) return loaded;
  segments_.make_blank(pages);
  segments_.set_lost(segment, pages, false);
  return segments_.write_back(segment, {}, segments_.end_without(segment, pages));
}

FtlStatus InPlace::write_part(std::uint32_t segment, std::uint32_t begin, std::span<const std::byte> from) {
  if (segments_.is_bad(segment)) return FtlStatus::read_only;
  const in_place::Pages pages = pages_of(begin, from.size());
  stats_.pages_written += pages.end - pages.first;
  probe_.count(Work::page_write, pages.end - pages.first);
  if (!segments_.takes(segment, pages)) return rewrite(segment, begin, from);
  segments_.make_blank(pages);
  std::memcpy(&segments_.buffer()[begin], from.data(), from.size());
  return segments_.program(segment, pages);
}

FtlStatus InPlace::rewrite(std::uint32_t segment, std::uint32_t begin, std::span<const std::byte> from) {
  const in_place::Pages pages = pages_of(begin, from.size());
  const CauseScope cause(probe_, Cause::clean);
  if (const FtlStatus loaded = segments_.load(segment); loaded != FtlStatus::ok) return loaded;
  // Nobody knows the rest of a page that is lost.
  const std::size_t end = begin + from.size();
  if (begin % config_.page_bytes != 0 && segments_.is_lost(segment, pages.first)) return FtlStatus::read_failed;
  if (end % config_.page_bytes != 0 && segments_.is_lost(segment, pages.end - 1)) return FtlStatus::read_failed;
  std::memcpy(&segments_.buffer()[begin], from.data(), from.size());
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
