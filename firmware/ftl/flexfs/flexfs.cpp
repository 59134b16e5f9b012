// Construction, format, mount, idle time, figures. Requests are in requests.cpp.
#include "firmware/ftl/flexfs/flexfs.h"

#include <algorithm>

#include "firmware/ftl/flexfs/decide/energy_budget.h"
#include "firmware/ftl/flexfs/format.h"
#include "firmware/ftl/flexfs/mount.h"
#include "firmware/ftl/flexfs/self_check.h"

namespace ftlab {

using namespace flexfs;

FlexFs::FlexFs(FlashPort& flash, ProbePort& probe, const FlexFsConfig& config, std::span<std::byte> arena,
               ClockPort* clock)
    : state_(flash, probe, clock, config), pool_(state_), writer_(state_, pool_), mover_(state_, pool_, writer_) {
  config_error_ = check(config, flash.geometry(), flash.capabilities());
  if (config_error_ != nullptr) return;
  Arena memory(arena.data(), arena.size());
  state_.layout(memory, state_.geometry, state_.config);
  state_.store.layout(memory, kRegions);
  state_.checkpoints.layout(memory);
  if (!memory.fits()) {
    config_error_ = "the arena is smaller than arena_bytes()";
    return;
  }
  state_.migration_victim = find_named(migration_victims(), config.migration_victim);
  state_.free_choice = find_named(free_choices(), config.free_choice);
  state_.allocator.configure(config, state_.slots(Region::slc));
  state_.wear.configure(config.wear_window_ns, config.lifetime_ns / config.wear_window_ns);
  state_.clear();
}

std::size_t FlexFs::arena_bytes(const FlashGeometry& geometry, const FlexFsConfig& config) {
  Arena measure(nullptr, 0);
  FlexFsTables tables;
  tables.layout(measure, geometry, config);
  nand::PageIoTables store;
  store.layout(measure, geometry, kRegions);
  nand::CheckpointTables checkpoints;
  checkpoints.layout(measure, geometry, config.logical_pages);
  return measure.used();
}

FtlStatus FlexFs::format(std::uint64_t now_ns) {
  if (config_error_ != nullptr) return FtlStatus::bad_config;
  state_.clear();
  mover_.clear();
  state_.clock_offset = 0 - now_ns;
  const FtlStatus status = Format(state_, pool_).run();
  state_.mounted = status == FtlStatus::ok;
  state_.spent_before_nj = spent_nj();
  update_energy_share();
  if (state_.mounted && state_.config.wear_management)
    state_.wear.resume(0, state_.endurance_bytes(), state_.used_bytes());
  return status;
}

FtlStatus FlexFs::mount(std::uint64_t now_ns) {
  if (config_error_ != nullptr) return FtlStatus::bad_config;
  state_.clear();
  mover_.clear();
  Mount work(state_, pool_);
  const FtlStatus status = work.run();
  if (status != FtlStatus::ok) return status;
  // Lifetime goes on where it stopped: the time without power does not count.
  state_.clock_offset = state_.life_ns - now_ns;
  if (state_.config.wear_management) state_.wear.resume(state_.life_ns, state_.endurance_bytes(), state_.used_bytes());
  state_.mounted = true;
  state_.spent_before_nj = spent_nj();
  update_energy_share();
  if (state_.read_only) return FtlStatus::ok;
  const CauseScope cause(state_.probe, Cause::mount);
  if (work.resumed()) {
    const FtlStatus kept = pool_.write_checkpoint();
    if (kept == FtlStatus::read_only) return FtlStatus::ok;
    state_.mounted = kept == FtlStatus::ok;
    if (!state_.mounted) return FtlStatus::read_failed;
  }
  for (const Region region : {Region::slc, Region::mlc})
    if (work.log_is_spoiled(region)) mover_.rescue_spoiled(state_.log[index_of(region)]);
  mover_.move_urgent();
  return FtlStatus::ok;
}

void FlexFs::tick(std::uint64_t now_ns) {
  FlexFsState& s = state_;
  // Unsigned wrap-around: an offset below zero is meant. A host clock that runs backwards stops the lifetime.
  const std::uint64_t lifetime = now_ns + s.clock_offset;
  if (lifetime > s.life_ns && lifetime < (std::uint64_t{1} << 63)) s.life_ns = lifetime;
  if (s.config.wear_management) s.wear.advance(s.life_ns, s.endurance_bytes(), s.used_bytes());
}

std::uint64_t FlexFs::idle(std::uint64_t now_ns, std::uint64_t) {
  FlexFsState& s = state_;
  if (admit(0, 0) != FtlStatus::ok) return kNoIdleWork;
  tick(now_ns);
  s.idle.idle_at(now_ns);
  pool_.record_reads();
  if (s.read_only) return kNoIdleWork;
  const std::uint64_t begin = s.idle.since_ns() + s.config.wait_ns;
  if (now_ns < begin) return begin;
  return mover_.step_idle() ? now_ns + s.config.trigger_ns : kNoIdleWork;
}

std::uint64_t FlexFs::spent_nj() const {
  const FlexFsState& s = state_;
  return spent_energy_nj(s.config.energy, s.store.programs(PageMode::lsb_only), s.store.programs(PageMode::full),
                         s.stats.pages_copied + s.stats.pages_swapped, s.stats.erases + s.stats.log_erases);
}

void FlexFs::update_energy_share() {
  FlexFsState& s = state_;
  if (s.config.energy_budget_uj_per_mib == 0) return;
  const SlotCounts slots{s.slots(Region::slc), s.slots(Region::mlc)};
  const Q16 migrating = kOne - s.allocator.hot_share_of_slc();
  std::uint64_t pages = 0;
  std::uint64_t segments = 0;
  for (const SegmentRow& row : s.segments.rows()) {
    const bool written = row.state == SegmentState::open || row.state == SegmentState::sealed;
    if (!written || row.stream != static_cast<StreamId>(Region::slc)) continue;
    pages += row.valid;
    ++segments;
  }
  const std::uint64_t a_page = s.config.energy_budget_uj_per_mib * 1000 * page_bytes() >> 20;
  const std::uint64_t owed = owed_energy_nj(s.config.energy, slots, pages, segments, migrating);
  if (s.stats.pages_written == 0) s.owed_before_nj = owed;
  const EnergyAccount account{s.stats.pages_written * a_page + s.owed_before_nj, spent_nj() - s.spent_before_nj, owed};
  const std::uint64_t next = s.config.window_pages;
  s.energy_share = share_within(s.config.energy, slots, next, migrating, carried_budget_nj(next * a_page, account));
}

Q16 FlexFs::share_limit() const {
  Q16 limit = kOne;
  if (state_.config.wear_management) limit = std::min(limit, state_.wear.delta());
  if (state_.config.energy_budget_uj_per_mib != 0) limit = std::min(limit, state_.energy_share);
  return limit;
}

const char* FlexFs::self_check() const {
  if (config_error_ != nullptr) return config_error_;
  return state_.mounted ? check_tables(state_) : nullptr;
}

FlexFsStats FlexFs::flexfs_stats() const {
  const FlexFsState& s = state_;
  FlexFsStats f = s.flex;
  if (config_error_ != nullptr) return f;
  f.alpha = s.allocator.alpha();
  f.delta = s.wear.delta();
  f.energy_share = s.energy_share;
  f.share = s.two_regions() ? std::min(f.alpha, share_limit()) : s.config.slc_region ? kOne : 0;
  f.predicted_idle_ns = s.allocator.predicted_idle_ns();
  f.predicted_hot_pages = s.allocator.predicted_hot_pages();
  for (const SegmentRow& row : s.segments.rows()) {
    if (row.state != SegmentState::open && row.state != SegmentState::sealed) continue;
    ++(row.stream == static_cast<StreamId>(Region::slc) ? f.slc_segments : f.mlc_segments);
  }
  f.free_segments = s.segments.free_count();
  f.hot_files = s.queues.hot_files();
  f.window_budget_bytes = s.wear.budget();
  f.used_bytes = s.used_bytes();
  f.endurance_bytes = s.endurance_bytes();
  const SlotCounts slots{s.slots(Region::slc), s.slots(Region::mlc)};
  f.predicted_nj_per_mib = predicted_energy_nj(s.config.energy, slots, (1U << 20) / page_bytes(), f.share,
                                               kOne - s.allocator.hot_share_of_slc());
  return f;
}

}  // namespace ftlab
