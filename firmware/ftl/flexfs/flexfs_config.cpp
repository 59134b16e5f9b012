// The schemes, layout arithmetic, and the reasons for which a combination is refused.
#include "firmware/ftl/flexfs/flexfs_config.h"

#include <algorithm>

#include "firmware/ftl/flexfs/decide/victims.h"
#include "firmware/volume/lists/lsb_places.h"

namespace ftlab::flexfs {
namespace {

// clang-format off
constexpr Scheme kSchemes[] = {
  // name       what                                                   slc    mlc    migr.  alloc. local. cleaning
  {"slc_only", "LSB pages alone: SLC speed, half the capacity",        true,  false, false, false, false, true},
  {"mlc_only", "all pages, cleaned in idle time, too",                 false, true,  false, false, false, true},
  {"jffs2",    "all-MLC log that cleans only when it must",            false, true,  false, false, false, false},
  {"baseline", "all to SLC, migration only when free segments run out", true, true,  false, false, false, false},
  {"bm",       "baseline, and migration in idle time",                 true,  true,  true,  false, false, true},
  {"da",       "bm, and idle time decides on SLC or MLC",              true,  true,  true,  true,  false, true},
  {"la",       "da, and hot files stay in SLC",                        true,  true,  true,  true,  true,  true},
};
// clang-format on

const char* check_part(const FlexFsConfig& config, const FlashGeometry& geometry) {
  if (slots_of(Region::slc, geometry) == 0 || !geometry.keeps_metadata)
    return "FlexFS needs a NAND part with spare bytes whose pages share cells in pairs";
  if (geometry.dies != 1) return "FlexFS moves one page after the other: it needs a part that is served as one die";
  if (geometry.pages_at_once != 1) return "FlexFS maps the pages of the part: leave ftl.page_bytes out";
  if (config.wear_management && config.erase_cycles == 0 && geometry.rated_erase_cycles == 0)
    return "wear_management needs erase_cycles, because the part gives no rated erase cycles";
  return nullptr;
}

const char* check_choices(const FlexFsConfig& config) {
  if (!config.slc_region && !config.mlc_region) return "slc_region and mlc_region are both off: nowhere to write";
  const bool both = config.slc_region && config.mlc_region;
  if (!both && (config.background_migration || config.dynamic_allocation || config.locality_aware))
    return "migration, dynamic allocation and locality need both regions: turn them off, or both regions on";
  if (config.locality_aware && !config.dynamic_allocation)
    return "locality_aware builds on dynamic_allocation: turn that on, too";
  if (find_named(migration_victims(), config.migration_victim) == nullptr)
    return "unknown migration_victim; known are oldest, fewest_valid";
  if (find_named(free_choices(), config.free_choice) == nullptr)
    return "unknown free_choice; known are fewest_erases, fifo";
  return nullptr;
}

const char* check_ranges(const FlexFsConfig& config) {
  if (config.compulsory_free <= kReserve) return "compulsory_free must be at least 3: two are the reserve";
  if (config.cleaning_free <= kReserve) return "cleaning_free must be at least 3: two are the reserve";
  if (config.cleaning_idle_invalid == 0) return "cleaning_idle_invalid must be at least 1";
  if (config.window_pages == 0 || config.window_pages > (1U << 20)) return "window_pages must be 1 to 1048576";
  if (config.recent_weight == 0 || config.recent_weight > 100) return "recent_weight must be 1 to 100";
  constexpr std::uint64_t kHour = 3'600'000'000'000;
  if (config.trigger_ns > kHour || config.erase_ns > kHour) return "trigger_ns and erase_ns must be at most one hour";
  if (config.hot_files == 0 || config.cold_files == 0) return "hot_files and cold_files must be at least 1";
  if (config.hot_files > (1U << 20) || config.cold_files > (1U << 20))
    return "hot_files and cold_files must be at most 1048576";
  if (config.extent_pages == 0) return "extent_pages must be at least 1";
  if (config.wear_window_ns == 0 || config.wear_window_ns > config.lifetime_ns)
    return "wear_window_ns must be 1 to lifetime_ns";
  const EnergyCosts& e = config.energy;
  if (config.energy_budget_uj_per_mib != 0 &&
      (e.slc_program_nj == 0 || e.mlc_program_nj == 0 || e.read_nj == 0 || e.erase_nj == 0))
    return "an energy budget needs all four costs of `energy`";
  if (config.energy_budget_uj_per_mib > 1'000'000'000) return "energy_budget_uj_per_mib must be at most 1000000000";
  return nullptr;
}

const char* check_space(const FlexFsConfig& config, const FlashGeometry& geometry) {
  if (config.data_segments != 0) {
    FlexFsConfig whole = config;
    whole.data_segments = 0;
    if (config.data_segments > data_segments(whole, geometry))
      return "data_segments is more than the part has; 0 means all";
  }
  if (data_segments(config, geometry) <= kReserve + kRegions) return "too few segments: at least five for data";
  const std::uint32_t most_free = most_free_segments(config, geometry);
  if (config.slc_region && config.mlc_region && config.compulsory_free > most_free)
    return "compulsory_free is more than can ever be free; see most_free_segments()";
  if (config.cleaning_free > most_free) return "cleaning_free is more than can ever be free; see most_free_segments()";
  if (config.logical_pages == 0) return "no logical pages: set logical_pages to at least 1";
  if (config.logical_pages > max_logical_pages(config, geometry))
    return "logical_pages is above what cleaning needs; see max_logical_pages()";
  return volume::check(volume_of(config, geometry), geometry);
}

}  // namespace

std::span<const Scheme> schemes() { return kSchemes; }

bool apply_scheme(std::string_view name, FlexFsConfig& config) {
  const Scheme* scheme = find_named(schemes(), name);
  if (scheme == nullptr) return false;
  config.slc_region = scheme->slc_region;
  config.mlc_region = scheme->mlc_region;
  config.background_migration = scheme->background_migration;
  config.dynamic_allocation = scheme->dynamic_allocation;
  config.locality_aware = scheme->locality_aware;
  config.background_cleaning = scheme->background_cleaning;
  return true;
}

VolumeConfig volume_of(const FlexFsConfig& config, const FlashGeometry& geometry) {
  VolumeConfig volume;
  const bool both = config.slc_region && config.mlc_region;
  if (config.slc_region) volume.regions = both ? VolumeConfig::Regions::slc_and_mlc : VolumeConfig::Regions::slc;
  if (both) volume.frontiers = VolumeConfig::Frontiers::host_and_cleaning;
  if (config.free_choice == "fewest_erases") volume.free_choice = VolumeConfig::FreeChoice::fewest_erases;
  volume.keeps_lifetime = volume.counts_copies = true;
  volume.logical_pages = config.logical_pages;
  volume.checkpoint_every = config.checkpoint_every;
  if (volume.checkpoint_every == 0)
    volume.checkpoint_every = std::max(kCheckpointSegments * slots_of(Region::slc, geometry),
                                       kPagesBetween * volume::checkpoint_pages(volume, geometry));
  if (config.data_segments == 0) return volume;
  // Their number depends on that of all.
  const auto with_checkpoints = [&] { return config.data_segments + volume::checkpoint_segments(volume, geometry); };
  for (volume.used_segments = config.data_segments; volume.used_segments < with_checkpoints();)
    volume.used_segments = with_checkpoints();
  return volume;
}

std::uint32_t data_segments(const FlexFsConfig& config, const FlashGeometry& geometry) {
  const std::uint32_t checkpoints = volume::checkpoint_segments(volume_of(config, geometry), geometry);
  const std::uint32_t usable = geometry.usable_per_die();
  const std::uint32_t all = usable > checkpoints ? usable - checkpoints : 0;
  return config.data_segments == 0 ? all : std::min(all, config.data_segments);
}

std::uint32_t most_free_segments(const FlexFsConfig& config, const FlashGeometry& geometry) {
  const std::uint32_t segments = data_segments(config, geometry);
  const std::uint32_t filling = (config.slc_region ? 1U : 0U) + (config.mlc_region ? 1U : 0U);
  return segments > filling ? segments - filling : 0;
}

std::uint32_t slots_of(Region region, const FlashGeometry& geometry) {
  return region == Region::slc ? volume::LsbPlaces(geometry).pages() : geometry.pages_per_segment;
}

std::uint32_t max_logical_pages(const FlexFsConfig& config, const FlashGeometry& geometry, std::uint32_t bad) {
  const VolumeConfig volume = volume_of(config, geometry);
  const std::uint32_t usable = geometry.usable_per_die();
  // Those that a partition does not use stand in for bad ones.
  const std::uint32_t others = volume.used_segments == 0 ? 0 : usable - std::min(usable, volume.used_segments);
  const std::uint64_t lost =
      std::uint64_t{bad - std::min(bad, others)} * slots_of(config.mlc_region ? Region::mlc : Region::slc, geometry);
  const std::uint64_t most = volume::max_logical_pages(volume, geometry);
  return static_cast<std::uint32_t>(most - std::min(most, lost));
}

std::uint32_t choose_logical_pages(const FlexFsConfig& config, const FlashGeometry& geometry,
                                   std::uint64_t utilization_ppb, std::uint32_t bad) {
  constexpr std::uint64_t kWhole = 1'000'000'000;
  const std::uint64_t all = std::uint64_t{data_segments(config, geometry)} *
                            slots_of(config.mlc_region ? Region::mlc : Region::slc, geometry);
  const std::uint64_t most = max_logical_pages(config, geometry, bad);
  return static_cast<std::uint32_t>(std::min(most, all * utilization_ppb / kWhole));
}

const char* check(const FlexFsConfig& config, const FlashGeometry& geometry) {
  if (const char* reason = check_part(config, geometry)) return reason;
  if (const char* reason = check_choices(config)) return reason;
  if (const char* reason = check_ranges(config)) return reason;
  return check_space(config, geometry);
}

}  // namespace ftlab::flexfs
