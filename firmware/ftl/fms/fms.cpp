// The host-side face: splits requests into pages, and orders the steps of a page write.
#include "firmware/ftl/fms/fms.h"

#include <algorithm>
#include <cstring>

namespace ftlab {

using namespace fms;

namespace {

constexpr std::uint32_t kMaxUpdates = 0xFFFFFFFF;

}  // namespace

std::size_t Fms::arena_bytes(const FlashGeometry& geometry, const FmsConfig& config) {
  Arena measure(nullptr, 0);
  FmsTables tables;
  tables.layout(measure, geometry, config);
  if (is_nand(geometry)) NandMedium::measure(measure, geometry, config);
  return measure.used();
}

Fms::Fms(FlashPort& flash, ProbePort& probe, const FmsConfig& config, std::span<std::byte> arena)
    : state_(flash, probe, config),
      pool_(state_),
      frontier_(state_, pool_),
      collector_(state_, frontier_, pool_),
      nor_(state_, pool_, frontier_),
      nand_(state_, pool_, frontier_) {
  state_.medium = is_nand(state_.geometry) ? static_cast<Medium*>(&nand_) : &nor_;
  config_error_ = check(config, flash.geometry(), flash.capabilities());
  if (config_error_ != nullptr) return;
  Arena memory(arena.data(), arena.size());
  state_.layout(memory, state_.geometry, state_.config);
  if (is_nand(state_.geometry)) nand_.layout(memory);
  if (!memory.fits()) {
    config_error_ = "the arena is smaller than arena_bytes()";
    return;
  }
  state_.selection = find_named(selections(), config.selection);
  state_.redistribution = find_named(redistributions(), config.redistribution);
  state_.wear_leveling = find_named(wear_levelers(), config.wear_leveling);
  state_.clear();
}

FtlStatus Fms::format(std::uint64_t now_ns) {
  if (config_error_ != nullptr) return FtlStatus::bad_config;
  state_.clear();
  tick_time(now_ns);
  const FtlStatus status = state_.medium->format();
  state_.mounted = status == FtlStatus::ok;
  return status;
}

FtlStatus Fms::mount(std::uint64_t now_ns) {
  if (config_error_ != nullptr) return FtlStatus::bad_config;
  state_.clear();
  const FtlStatus status = state_.medium->mount();
  // The newest stamp on the medium may lie ahead of a host clock that started anew.
  state_.clock_offset = state_.clock > now_ns ? state_.clock - now_ns : 0;
  tick_time(now_ns);
  state_.mounted = status == FtlStatus::ok;
  if (state_.mounted && !state_.read_only) {
    const CauseScope cause(state_.probe, Cause::mount);
    collector_.restore_reserve();
  }
  return status;
}

void Fms::tick_time(std::uint64_t now_ns) {
  if (state_.config.age_clock != FmsConfig::AgeClock::time) return;
  const std::uint64_t most = kNumberLimit - 1;
  const std::uint64_t now = now_ns < most - state_.clock_offset ? now_ns + state_.clock_offset : most;
  state_.clock = std::max(state_.clock, now);
}

FtlStatus Fms::admit(std::uint64_t offset, std::uint64_t length) const {
  if (config_error_ != nullptr) return FtlStatus::bad_config;
  if (!state_.mounted) return FtlStatus::not_formatted;
  if (offset > capacity_bytes() || length > capacity_bytes() - offset) return FtlStatus::out_of_range;
  return FtlStatus::ok;
}

FtlStatus Fms::read(std::uint64_t offset, std::span<std::byte> into, std::uint64_t now_ns) {
  const FtlStatus admitted = admit(offset, into.size());
  if (admitted != FtlStatus::ok) return admitted;
  tick_time(now_ns);
  state_.probe.count(Work::request, 1);
  ++state_.stats.requests;
  pool_.poll_erases(false);
  const std::uint32_t page = state_.config.page_bytes;
  while (!into.empty()) {
    const auto at = static_cast<std::uint32_t>(offset % page);
    const std::size_t part = std::min<std::size_t>(page - at, into.size());
    const FtlStatus status = read_page(static_cast<std::uint32_t>(offset / page), at, into.first(part));
    if (status != FtlStatus::ok) return status;
    state_.probe.count(Work::page_read, 1);
    ++state_.stats.pages_read;
    state_.stats.bytes_read += part;
    offset += part;
    into = into.subspan(part);
  }
  return FtlStatus::ok;
}

FtlStatus Fms::read_page(std::uint32_t lpn, std::uint32_t at, std::span<std::byte> into) {
  const std::uint32_t ppn = state_.pages.ppn(lpn);
  if (ppn == kUnmapped) {
    if (state_.lost.has(lpn)) return FtlStatus::read_failed;
    std::fill(into.begin(), into.end(), std::byte{0xFF});
    return FtlStatus::ok;
  }
  const FlashStatus status = state_.medium->read(state_.segments.segment_of(ppn), state_.segments.slot_of(ppn), at,
                                                 into.data(), static_cast<std::uint32_t>(into.size()));
  return status == FlashStatus::ok ? FtlStatus::ok : FtlStatus::read_failed;
}

FtlStatus Fms::write(std::uint64_t offset, std::span<const std::byte> from, WriteHint hint, std::uint64_t now_ns) {
  const FtlStatus admitted = admit(offset, from.size());
  if (admitted != FtlStatus::ok) return admitted;
  if (state_.read_only) return FtlStatus::read_only;
  tick_time(now_ns);
  state_.probe.count(Work::request, 1);
  ++state_.stats.requests;
  pool_.poll_erases(false);
  const std::uint32_t page = state_.config.page_bytes;
  while (!from.empty()) {
    const auto at = static_cast<std::uint32_t>(offset % page);
    const std::size_t part = std::min<std::size_t>(page - at, from.size());
    const auto lpn = static_cast<std::uint32_t>(offset / page);
    const std::byte* data = from.data();
    if (part != page) {
      const FtlStatus status = merge_page(lpn, at, from.first(part));
      if (status != FtlStatus::ok) return status;
      data = state_.merge_buffer.data();
    }
    const FtlStatus status = write_page(lpn, data, hint);
    if (status != FtlStatus::ok) return status;
    state_.probe.count(Work::page_write, 1);
    ++state_.stats.pages_written;
    state_.stats.bytes_written += part;
    offset += part;
    from = from.subspan(part);
  }
  return FtlStatus::ok;
}

FtlStatus Fms::merge_page(std::uint32_t lpn, std::uint32_t at, std::span<const std::byte> part) {
  const FtlStatus status = read_page(lpn, 0, state_.merge_buffer);
  if (status == FtlStatus::ok) std::memcpy(state_.merge_buffer.data() + at, part.data(), part.size());
  return status;
}

FtlStatus Fms::write_page(std::uint32_t lpn, const std::byte* data, WriteHint hint) {
  FmsState& s = state_;
  if (s.config.age_clock == FmsConfig::AgeClock::writes && s.clock < kNumberLimit - 1) ++s.clock;
  // The old copy stops counting as valid at once, but stays on flash until the new one has committed.
  s.pending.ppn = s.pages.ppn(lpn);
  if (s.pending.ppn != kUnmapped)
    s.segments.drop_valid(s.segments.segment_of(s.pending.ppn), s.segments.slot_of(s.pending.ppn));

  const bool apart = hint.read_only && s.config.read_only_placement == FmsConfig::ReadOnlyPlacement::apart;
  const StreamId stream = apart ? kReadOnly : kHot;
  const PageRecord page{lpn, s.pages.updates(lpn) + (s.pages.updates(lpn) < kMaxUpdates ? 1 : 0), s.clock};
  std::uint32_t ppn = kUnmapped;
  for (;;) {
    FtlStatus status = collector_.make_room(stream);
    if (status == FtlStatus::ok) {
      const auto written = frontier_.try_append(s.active[stream], page, data, ppn);
      if (!written) continue;  // the segment failed
      if (*written == FtlStatus::ok) break;
      status = *written;
    }
    undo_invalidation(lpn);
    return status == FtlStatus::no_space && pool_.any_failed() ? FtlStatus::read_only : status;
  }
  if (s.pending.rescued) {
    s.pending.ppn = s.pages.ppn(lpn);
    s.segments.drop_valid(s.segments.segment_of(s.pending.ppn), s.segments.slot_of(s.pending.ppn));
  }
  s.pages.map(lpn, ppn, page.updates, page.stamp);
  if (s.lost.drop(lpn)) pool_.release_damaged();
  if (s.pending.deferred_victim != kNone || s.pending.burial != kNone)
    pool_.settle_deferred();
  else if (s.pending.ppn != kUnmapped)
    (void)s.medium->invalidate(s.pending.ppn);  // should this not reach the flash the newer sequence decides
  s.pending = {};
  return FtlStatus::ok;
}

void Fms::undo_invalidation(std::uint32_t lpn) {
  FmsState& s = state_;
  if (s.pending.ppn != kUnmapped) {
    const std::uint32_t segment = s.segments.segment_of(s.pending.ppn);
    if (s.pending.deferred_victim != kNone) {
      s.segments.remove_free(segment);
      pool_.close(segment);
    }
    if (s.pending.burial != kNone) s.segments.row(segment).stuck = false;
    s.segments.set_valid(segment, s.segments.slot_of(s.pending.ppn));
    s.pages.move(lpn, s.pending.ppn);
  }
  s.pending = {};
}

FtlStatus Fms::trim(std::uint64_t offset, std::uint64_t length, std::uint64_t now_ns) {
  const FtlStatus admitted = admit(offset, length);
  if (admitted != FtlStatus::ok) return admitted;
  if (state_.read_only) return FtlStatus::read_only;
  tick_time(now_ns);
  state_.probe.count(Work::request, 1);
  ++state_.stats.requests;
  pool_.poll_erases(false);
  const std::uint32_t page = state_.config.page_bytes;
  const std::uint64_t end = (offset + length) / page;
  for (std::uint64_t lpn = (offset + page - 1) / page; lpn < end; ++lpn) {
    const FtlStatus status = trim_page(static_cast<std::uint32_t>(lpn));
    if (status != FtlStatus::ok) return status;
  }
  return FtlStatus::ok;
}

FtlStatus Fms::trim_page(std::uint32_t lpn) {
  const std::uint32_t ppn = state_.pages.ppn(lpn);
  if (ppn == kUnmapped) {
    if (!state_.lost.has(lpn)) return FtlStatus::ok;
    if (is_media_failure(state_.medium->trim_lost())) return outrank(lpn);
    state_.lost.drop(lpn);
    return FtlStatus::ok;
  }
  const FlashStatus status = state_.medium->trim(ppn);
  if (is_media_failure(status)) return outrank(lpn);
  if (status != FlashStatus::ok) return to_ftl(status);
  state_.segments.drop_valid(state_.segments.segment_of(ppn), state_.segments.slot_of(ppn));
  state_.pages.unmap(lpn);
  ++state_.stats.pages_trimmed;
  return FtlStatus::ok;
}

FtlStatus Fms::outrank(std::uint32_t lpn) {
  std::ranges::fill(state_.merge_buffer, std::byte{0xFF});
  const FtlStatus status = write_page(lpn, state_.merge_buffer.data(), {});
  if (status == FtlStatus::ok) ++state_.stats.pages_trimmed;
  return status;
}

FtlStatus Fms::flush(std::uint64_t now_ns) {
  const FtlStatus admitted = admit(0, 0);
  if (admitted != FtlStatus::ok) return admitted;
  tick_time(now_ns);
  while (state_.io.erases_under_way() > 0 && !state_.port_lost) pool_.poll_erases(true);
  return state_.port_lost ? FtlStatus::write_failed : state_.medium->flush();
}

std::uint64_t Fms::idle(std::uint64_t now_ns, std::uint64_t until_ns) {
  if (admit(0, 0) != FtlStatus::ok || state_.read_only) return kNoIdleWork;
  tick_time(now_ns);
  pool_.poll_erases(false);
  if (collector_.refresh_one()) return now_ns;
  if (!state_.config.idle_cleaning || until_ns < now_ns || until_ns - now_ns < state_.config.idle_min_ns)
    return kNoIdleWork;
  const std::uint32_t water = state_.config.idle_water != 0 ? state_.config.idle_water : state_.config.high_water;
  if (state_.segments.free_count() > water) return kNoIdleWork;
  const FtlStatus status = collector_.clean_one();
  return status == FtlStatus::ok && state_.segments.free_count() <= water ? now_ns : kNoIdleWork;
}

SegmentInfo Fms::segment(SegmentId id) const {
  if (config_error_ != nullptr || id.value() >= state_.segments.segments()) return {};
  const SegmentRow& row = state_.segments.row(id.value());
  return {row.state, row.erase_count, row.valid, row.used, row.stream};
}

}  // namespace ftlab
