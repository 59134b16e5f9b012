// Construction, format, mount, idle time, figures. Requests are in requests.cpp.
#include "firmware/ftl/flexfs/flexfs.h"

#include <algorithm>

#include "firmware/ftl/flexfs/decide/energy_budget.h"
#include "firmware/ftl/flexfs/self_check.h"

namespace ftlab {

using namespace flexfs;

namespace {

/// Those of checkpoints hold none.
bool holds_pages(const SegmentInfo& info) {
  return info.state == SegmentState::sealed || (info.state == SegmentState::open && info.used_pages > 0);
}

}  // namespace

std::size_t FlexFs::volume_bytes(FlashPort& array, const FlexFsConfig& config) {
  constexpr std::size_t kAlign = alignof(std::max_align_t);
  return (PageFtl::arena_bytes(array, volume_of(config, array.geometry())) + kAlign - 1) / kAlign * kAlign;
}

std::size_t FlexFs::arena_bytes(FlashPort& array, const FlexFsConfig& config) {
  Arena measure(nullptr, 0);
  FlexFsTables().layout(measure, array.geometry(), config);
  return volume_bytes(array, config) + measure.used();
}

FlexFs::FlexFs(FlashPort& array, ProbePort& probe, const FlexFsConfig& config, std::span<std::byte> arena,
               ClockPort* clock)
    : state_(array, probe, clock, config, arena.first(std::min(arena.size(), volume_bytes(array, config)))),
      mover_(state_) {
  config_error_ = check(config, array.geometry());
  if (config_error_ == nullptr) config_error_ = state_.volume.config_error();
  if (config_error_ != nullptr) return;
  const auto rest = arena.subspan(volume_bytes(array, config));
  Arena memory(rest.data(), rest.size());
  state_.layout(memory, state_.geometry, state_.config);
  if (!memory.fits()) {
    config_error_ = "the arena is smaller than arena_bytes()";
    return;
  }
  state_.migration_victim = find_named(migration_victims(), config.migration_victim);
  state_.allocator.configure(config, state_.slots(Region::slc));
  state_.wear.configure(config.wear_window_ns, config.lifetime_ns / config.wear_window_ns);
  state_.clear();
}

FtlStatus FlexFs::format(std::uint64_t now_ns) {
  if (config_error_ != nullptr) return FtlStatus::bad_config;
  state_.clear();
  if (const FtlStatus status = state_.volume.format(now_ns); status != FtlStatus::ok) return status;
  start(now_ns);
  return FtlStatus::ok;
}

FtlStatus FlexFs::mount(std::uint64_t now_ns) {
  if (config_error_ != nullptr) return FtlStatus::bad_config;
  FlexFsState& s = state_;
  s.clear();
  if (const FtlStatus status = s.volume.mount(now_ns); status != FtlStatus::ok) return status;
  // Lifetime goes on where a checkpoint has it: the time without power does not count.
  s.life_ns = s.volume.log().lifetime_ns();
  s.flex.refreshed_pages = s.volume.stats().pages_copied;
  s.recorded_life_ns = s.life_ns;
  start(now_ns);
  return FtlStatus::ok;
}

void FlexFs::start(std::uint64_t now_ns) {
  FlexFsState& s = state_;
  mover_.clear();
  host_ = answered_ = {};
  s.clock_offset = s.life_ns - now_ns;
  if (s.config.wear_management) s.wear.resume(s.life_ns, s.endurance_bytes(), s.used_bytes());
  s.mounted = true;
  s.spent_before_nj = spent_nj();
  update_energy_share();
}

void FlexFs::tick(std::uint64_t now_ns) {
  FlexFsState& s = state_;
  // Unsigned wrap-around: an offset below zero is meant. A host clock that runs backwards stops the lifetime.
  const std::uint64_t lifetime = now_ns + s.clock_offset;
  if (lifetime > s.life_ns && lifetime < (std::uint64_t{1} << 63)) s.life_ns = lifetime;
  s.volume.log().set_lifetime(s.life_ns);
  if (s.config.wear_management) s.wear.advance(s.life_ns, s.endurance_bytes(), s.used_bytes());
}

std::uint64_t FlexFs::idle(std::uint64_t now_ns, std::uint64_t) {
  FlexFsState& s = state_;
  if (admit(0, 0) != FtlStatus::ok) return kNoIdleWork;
  tick(now_ns);
  s.idle.idle_at(now_ns);
  s.volume.record_reads();
  if (s.volume.read_only()) return kNoIdleWork;
  const std::uint64_t begin = s.idle.since_ns() + s.config.wait_ns;
  if (now_ns < begin) return begin;
  s.volume.checkpoint_early();
  if (s.volume.log().refreshes().should_record()) s.volume.checkpoint_now();
  record_lifetime(1);
  return s.volume.refresh_one() || mover_.step_idle() ? now_ns + s.config.trigger_ns : kNoIdleWork;
}

void FlexFs::record_lifetime(std::uint64_t windows) {
  FlexFsState& s = state_;
  const bool due = s.config.wear_management && (s.life_ns - s.recorded_life_ns) / windows >= s.config.wear_window_ns;
  const std::uint64_t least = std::uint64_t{kPagesForLifetime} * s.volume.checkpoints().shape().pages();
  if (!due || host_.pages_written - s.recorded_written < least) return;
  s.recorded_life_ns = s.life_ns;
  s.recorded_written = host_.pages_written;
  s.volume.checkpoint_now();
}

std::uint64_t FlexFs::spent_nj() const {
  const FlexFsState& s = state_;
  const FtlStats& done = s.volume.stats();
  const volume::SlcCounts& host = s.volume.slc_counts();
  const std::uint64_t copies = done.pages_copied + done.pages_swapped;
  const std::uint64_t checkpoints = s.volume.checkpoints().written() * s.volume.checkpoints().shape().pages();
  const bool to_slc = s.copy_region() == Region::slc;
  return spent_energy_nj(s.config.energy, host.pages_to_slc + (to_slc ? copies : 0),
                         host.pages_to_mlc + checkpoints + (to_slc ? 0 : copies), copies,
                         done.erases + done.log_erases);
}

void FlexFs::update_energy_share() {
  FlexFsState& s = state_;
  if (s.config.energy_budget_uj_per_mib == 0) return;
  const SlotCounts slots{s.slots(Region::slc), s.slots(Region::mlc)};
  const Q16 migrating = kOne - s.allocator.hot_share_of_slc();
  std::uint64_t pages = 0;
  std::uint64_t segments = 0;
  for (std::uint32_t id = 0; id < s.geometry.segments; ++id) {
    if (!s.segments.is_slc(id)) continue;
    pages += s.segments.valid(id);
    ++segments;
  }
  const std::uint64_t a_page = s.config.energy_budget_uj_per_mib * 1000 * page_bytes() >> 20;
  const std::uint64_t owed = owed_energy_nj(s.config.energy, slots, pages, segments, migrating);
  if (host_.pages_written == 0) s.owed_before_nj = owed;
  const EnergyAccount account{host_.pages_written * a_page + s.owed_before_nj, spent_nj() - s.spent_before_nj, owed};
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

const FtlStats& FlexFs::stats() const {
  stats_ = state_.volume.stats();
  stats_.requests = host_.requests;
  stats_.pages_written = host_.pages_written;
  stats_.pages_read = host_.pages_read;
  stats_.pages_trimmed = host_.pages_trimmed;
  stats_.bytes_written = host_.bytes_written;
  stats_.bytes_read = host_.bytes_read;
  return stats_;
}

SegmentInfo FlexFs::segment(SegmentId id) const {
  SegmentInfo info = state_.volume.segment(id);
  info.stream = id.value() < segments() ? static_cast<std::uint32_t>(state_.region_of(id.value())) : 0;
  return info;
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
  for (std::uint32_t id = 0; id < segments(); ++id) {
    const SegmentInfo info = s.volume.segment(SegmentId{id});
    if (!holds_pages(info)) continue;
    ++(s.segments.is_slc(id) ? f.slc_segments : f.mlc_segments);
  }
  f.free_segments = s.free_segments();
  f.hot_files = s.queues.hot_files();
  f.window_budget_bytes = s.wear.budget();
  f.used_bytes = s.used_bytes();
  f.endurance_bytes = s.endurance_bytes();
  f.refreshed_pages += s.volume.cleaning().pages_refreshed();
  // What the volume cleans by itself, where a write found no room otherwise.
  const std::uint64_t told = f.compulsory_pages + f.background_pages + f.cleaned_pages + f.refreshed_pages;
  f.cleaned_pages += s.volume.stats().pages_copied - std::min(told, s.volume.stats().pages_copied);
  f.checkpoints = s.volume.checkpoints().written();
  const SlotCounts slots{s.slots(Region::slc), s.slots(Region::mlc)};
  f.predicted_nj_per_mib = predicted_energy_nj(s.config.energy, slots, (1U << 20) / page_bytes(), f.share,
                                               kOne - s.allocator.hot_share_of_slc());
  return f;
}

}  // namespace ftlab
