// The host-side face: orders the steps of a page write.
#include "firmware/ftl/fms/fms.h"

#include <algorithm>

#include "firmware/volume/self_check.h"

namespace ftlab {

using namespace fms;

std::size_t Fms::arena_bytes(const FlashGeometry& part, const FmsConfig& config) {
  const FlashGeometry geometry = segments_of(config, part);
  Arena measure(nullptr, 0);
  const VolumeConfig volume = volume_config(config);
  VolumeTables tables;
  tables.layout(measure, geometry, volume);
  Cleaner::measure(measure, tables.slots, config.clean_at_once);
  if (is_nand(geometry)) NandPageStore::measure(measure, geometry, volume);
  PolicySet().layout(
      measure, chosen(config), config.params,
      {geometry, tables.slots, config.logical_pages, config.shared, config.seed, nullptr, config.low_water});
  return measure.used();
}

Fms::Fms(FlashPort& flash, ProbePort& probe, const FmsConfig& config, std::span<std::byte> arena)
    : state_(flash, probe, config),
      volume_(state_.volume),
      pool_(volume_),
      frontier_(volume_, pool_),
      collector_(state_, frontier_, pool_),
      requests_(volume_),
      nor_(volume_, pool_, frontier_),
      nand_(volume_, pool_, frontier_) {
  volume_.store = is_nand(volume_.geometry) ? static_cast<PageStore*>(&nand_) : &nor_;
  config_error_ = check(config, flash.geometry(), flash.capabilities());
  if (config_error_ != nullptr) return;
  Arena memory(arena.data(), arena.size());
  volume_.layout(memory, volume_.geometry, volume_.config);
  collector_.cleaner().layout(memory);
  if (is_nand(volume_.geometry)) nand_.layout(memory);
  state_.policies.layout(memory, chosen(config), config.params,
                         {volume_.geometry, volume_.slots, config.logical_pages, config.shared, config.seed,
                          &volume_.clock, config.low_water});
  if (!memory.fits()) {
    config_error_ = "the arena is smaller than arena_bytes()";
    return;
  }
  state_.clear();
}

FtlStatus Fms::format(std::uint64_t now_ns) {
  if (config_error_ != nullptr) return FtlStatus::bad_config;
  state_.clear();
  tick_time(now_ns);
  const FtlStatus status = volume_.store->format();
  volume_.mounted = status == FtlStatus::ok;
  if (volume_.mounted) state_.join();
  return status;
}

FtlStatus Fms::mount(std::uint64_t now_ns) {
  if (config_error_ != nullptr) return FtlStatus::bad_config;
  state_.clear();
  const FtlStatus status = volume_.store->mount();
  // The newest stamp on the medium may lie ahead of a host clock that started anew.
  state_.clock_offset = volume_.clock > now_ns ? volume_.clock - now_ns : 0;
  tick_time(now_ns);
  volume_.mounted = status == FtlStatus::ok;
  if (volume_.mounted) state_.join();
  if (volume_.mounted && !volume_.read_only) {
    const CauseScope cause(volume_.probe, Cause::mount);
    cleaner().restore_reserve();
  }
  return status;
}

void Fms::tick_time(std::uint64_t now_ns) {
  if (state_.config.age_clock != FmsConfig::AgeClock::time) return;
  const std::uint64_t max = nor::kNumberLimit - 1;
  const std::uint64_t now = now_ns < max - state_.clock_offset ? now_ns + state_.clock_offset : max;
  volume_.clock = std::max(volume_.clock, now);
}

FtlStatus Fms::admit(std::uint64_t offset, std::uint64_t length) const {
  return config_error_ != nullptr ? FtlStatus::bad_config : requests_.admit(offset, length);
}

void Fms::begin_request(std::uint64_t now_ns) {
  tick_time(now_ns);
  requests_.begin();
  pool_.poll_erases(false);
}

FtlStatus Fms::read(std::uint64_t offset, std::span<std::byte> into, std::uint64_t now_ns) {
  const FtlStatus admitted = admit(offset, into.size());
  if (admitted != FtlStatus::ok) return admitted;
  begin_request(now_ns);
  return requests_.read(offset, into);
}

FtlStatus Fms::write(std::uint64_t offset, std::span<const std::byte> from, WriteHint hint, std::uint64_t now_ns) {
  const FtlStatus admitted = admit(offset, from.size());
  if (admitted != FtlStatus::ok) return admitted;
  if (volume_.read_only) return FtlStatus::read_only;
  begin_request(now_ns);
  return requests_.write(offset, from,
                         [&](std::uint32_t lpn, const std::byte* data) { return write_page(lpn, data, hint); });
}

FtlStatus Fms::trim(std::uint64_t offset, std::uint64_t length, std::uint64_t now_ns) {
  const FtlStatus admitted = admit(offset, length);
  if (admitted != FtlStatus::ok) return admitted;
  if (volume_.read_only) return FtlStatus::read_only;
  begin_request(now_ns);
  return requests_.trim(offset, length,
                        [&](std::uint32_t lpn, const std::byte* data) { return write_page(lpn, data, {}); });
}

FtlStatus Fms::write_page(std::uint32_t lpn, const std::byte* data, WriteHint hint) {
  Volume& s = volume_;
  if (state_.config.age_clock == FmsConfig::AgeClock::writes && s.clock < nor::kNumberLimit - 1) ++s.clock;
  // The old copy stops counting as valid at once, but stays on flash until the new one has committed.
  s.replaced.ppn = s.pages.ppn(lpn);
  if (s.replaced.ppn != kUnmapped)
    s.segments.drop_valid(s.segments.segment_of(s.replaced.ppn), s.segments.slot_of(s.replaced.ppn));

  const StreamId stream = stream_of(lpn, hint);
  const PageMetadata page{lpn, s.pages.next_updates(lpn), s.clock};
  const auto appended = cleaner().append(stream, page, data);
  if (!appended.ok()) {
    undo_invalidation(lpn);
    return appended.status;
  }
  if (s.replaced.rescued) {
    s.replaced.ppn = s.pages.ppn(lpn);
    s.segments.drop_valid(s.segments.segment_of(s.replaced.ppn), s.segments.slot_of(s.replaced.ppn));
  }
  s.pages.map(Lpn{lpn}, Ppn{appended.ppn}, page.updates, page.stamp);
  if (s.lost.drop(lpn)) pool_.release_damaged();
  if (s.replaced.deferred_victim != kNone || s.replaced.retired_victim != kNone)
    pool_.release_deferred();
  else if (s.replaced.ppn != kUnmapped)
    (void)s.store->invalidate(s.replaced.ppn);  // should this not reach the flash the newer sequence decides
  s.replaced = {};
  return FtlStatus::ok;
}

StreamId Fms::stream_of(std::uint32_t lpn, WriteHint hint) {
  const StreamId placed = state_.policies.placement().stream_of(state_.view(), lpn, hint);
  return placed != kHot ? placed : cleaning_stream(state_.policies.redistribution().stream_of(state_.view(), lpn));
}

void Fms::undo_invalidation(std::uint32_t lpn) {
  Volume& s = volume_;
  if (s.replaced.ppn != kUnmapped) {
    const std::uint32_t segment = s.segments.segment_of(s.replaced.ppn);
    if (s.replaced.deferred_victim != kNone) {
      s.segments.remove_free(segment);
      pool_.close(segment);
    }
    if (s.replaced.retired_victim != kNone) s.segments.mark_readable(segment);
    s.segments.set_valid(segment, s.segments.slot_of(s.replaced.ppn));
    s.pages.move(Lpn{lpn}, Ppn{s.replaced.ppn});
  }
  s.replaced = {};
}

FtlStatus Fms::flush(std::uint64_t now_ns) {
  const FtlStatus admitted = admit(0, 0);
  if (admitted != FtlStatus::ok) return admitted;
  tick_time(now_ns);
  pool_.await_erases();
  return volume_.port_lost ? FtlStatus::write_failed : volume_.store->flush();
}

std::uint64_t Fms::idle(std::uint64_t now_ns, std::uint64_t until_ns) {
  if (admit(0, 0) != FtlStatus::ok || volume_.read_only) return kNoIdleWork;
  tick_time(now_ns);
  pool_.poll_erases(false);
  volume_.store->record_reads();
  if (cleaner().refresh_one()) return now_ns;
  if (!state_.config.idle_cleaning || until_ns < now_ns || until_ns - now_ns < state_.config.idle_min_ns)
    return kNoIdleWork;
  const std::uint32_t water = state_.config.idle_water != 0 ? state_.config.idle_water : state_.config.high_water;
  if (volume_.segments.free_count() > water) return kNoIdleWork;
  const FtlStatus status = cleaner().clean_some();
  return status == FtlStatus::ok && volume_.segments.free_count() <= water ? now_ns : kNoIdleWork;
}

const char* Fms::self_check() const {
  if (config_error_ != nullptr) return config_error_;
  if (const char* broken = check_volume(volume_)) return broken;
  return volume_.mounted ? state_.policies.self_check(state_.view()) : nullptr;
}

}  // namespace ftlab
