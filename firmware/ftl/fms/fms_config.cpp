// What the choices mean for the volume, and the reasons for which a combination is refused.
#include "firmware/ftl/fms/fms_config.h"

#include <algorithm>

#include "firmware/policy/policies.h"
#include "firmware/volume/nor/media_format.h"
#include "firmware/volume/segment_groups.h"

namespace ftlab::fms {
namespace {

constexpr std::uint32_t kFtlTag = 0x20534D46;  // "FMS "
static_assert(kStreams == kMaxStreams);
constexpr std::uint32_t kMaxCleanAtOnce = 64;
constexpr std::uint32_t kMaxSegmentUnits = 64;

std::uint32_t placed_streams(const FmsConfig& config) {
  const PlacementEntry* placement = chosen(config).placement;
  return placement != nullptr ? placement->streams : 0;
}

bool is_written(StreamId stream, std::uint32_t open, std::uint32_t placed) {
  return stream == kReadOnly ? placed > 0 : cleaning_number(stream) < open - placed;
}

const char* check_partitions(const FmsConfig& config, const ChosenPolicies& policies) {
  const bool all =
      policies.trigger->partitioned && policies.selection->partitioned && policies.redistribution->partitioned;
  const bool some =
      policies.trigger->partitioned || policies.selection->partitioned || policies.redistribution->partitioned;
  if (!some) return nullptr;
  if (!all)
    return "eNVy cleans partitions with parts that only work together: use trigger = \"partition_full\", selection = "
           "\"partition_fifo\" and redistribution = \"locality_gathering\" or \"locality_preservation\", or none of "
           "them";
  if (policies.placement->streams > 0)
    return "eNVy has no segments for read-only data alone: use read_only = \"mixed\" with partitions";
  if (config.shared.partitions < 2 || config.shared.partitions > kCleaningStreams)
    return "partitions must be at least 2 and at most 31";
  return nullptr;
}

const char* check_units(const FmsConfig& config, const FlashGeometry& part) {
  if (config.segment_units == 1) return nullptr;
  if (config.segment_units == 0 || config.segment_units > kMaxSegmentUnits)
    return "segment_units must be at least 1 and at most 64";
  if (is_nand(part))
    return "segment_units above 1 is for NOR parts: on NAND a bad erase unit would take its neighbours out of use, and "
           "ftl.clean_at_once cleans several segments together";
  if (part.segments / part.parallel_units % config.segment_units != 0)
    return "segment_units must divide the erase units of each device of the part";
  if (config.page_bytes != 0 && part.segment_bytes % config.page_bytes != 0)
    return "page_bytes must divide each unit that is erased where segments have several";
  if (config.erase_mode == FmsConfig::EraseMode::overlap)
    return "segment_units above 1 needs erase = \"wait\": the next unit of a segment is begun when somebody asks for "
           "the "
           "one before";
  // What an interrupted erase of the first unit leaves is told from pages by the entries being gone with the header.
  const std::uint32_t slots =
      usable_slots(grouped(part, config.segment_units), config.page_bytes, config.data_checksum);
  if (nor::kEntriesOffset + std::uint64_t{slots} * nor::entry_bytes(config.data_checksum) > part.segment_bytes / 2)
    return "segment_units makes segments whose page entries do not fit half of their first erase unit: use fewer, or "
           "larger pages";
  return nullptr;
}

const char* check_space(const FmsConfig& config, const FlashGeometry& geometry) {
  const std::uint32_t streams = open_segments(config);
  if (config.low_water < copy_segments(config))
    return "low_water must be at least the number of segments that the chosen policies keep open (`ftlab policies`); "
           "raise it, or choose others";
  if (config.high_water == 0) return "high_water must be at least 1";
  if (data_segments(geometry) < std::max(config.low_water, config.high_water) + streams + 1)
    return "too few segments for these water marks and active segments";
  if (config.logical_pages == 0) return "no logical pages: the utilisation is too low";
  if (config.logical_pages > ftlab::max_logical_pages(volume_config(config), geometry))
    return "utilisation is above what cleaning needs: lower it, or the water marks";
  return nullptr;
}

}  // namespace

ChosenPolicies chosen(const FmsConfig& config) {
  return {triggers().find(config.trigger), selections().find(config.selection),
          redistributions().find(config.redistribution), placements().find(config.read_only_placement),
          wear_levelers().find(config.wear_leveling)};
}

PolicyChoice choice_of(const FmsConfig& config) {
  PolicyChoice choice{chosen(config), config.params, config.shared, config.seed, config.low_water, config.high_water};
  choice.clean_at_once = config.clean_at_once;
  choice.by_time = config.age_clock == FmsConfig::AgeClock::time;
  if (config.idle_cleaning) choice.idle_water = config.idle_water != 0 ? config.idle_water : config.high_water;
  choice.idle_min_ns = config.idle_min_ns;
  return choice;
}

std::uint32_t open_segments(const FmsConfig& config) { return choice_of(config).streams(); }

std::uint32_t copy_segments(const FmsConfig& config) { return choice_of(config).copy_streams(); }

std::uint32_t units_of(const FmsConfig& config, const FlashGeometry& part) {
  return check_units(config, part) == nullptr ? config.segment_units : 1;
}

FlashGeometry segments_of(const FmsConfig& config, const FlashGeometry& part) {
  return grouped(part, units_of(config, part));
}

VolumeConfig volume_config(const FmsConfig& config) {
  const bool by_time = config.age_clock == FmsConfig::AgeClock::time;
  // To look the policies up for each stream would take most of a mount.
  const std::uint32_t open = open_segments(config);
  const std::uint32_t placed = placed_streams(config);
  VolumeConfig volume;
  volume.page_bytes = config.page_bytes;
  volume.logical_pages = config.logical_pages;
  volume.reserve_segments = std::max(config.low_water, config.high_water) + open - 1;
  for (StreamId stream = 0; stream < kStreams; ++stream) {
    volume.writes_to[stream] = is_written(stream, open, placed);
    volume.opens_at_format[stream] = volume.writes_to[stream] && stream != kReadOnly;
  }
  volume.data_checksum = config.data_checksum;
  volume.background_erase = config.erase_mode == FmsConfig::EraseMode::overlap;
  volume.owner = kFtlTag;
  volume.layout = by_time ? 3 : 1;
  // Stamps have 40 bits: of nanoseconds they are full after 18 minutes. Units of 2^20 ns last for 36 years.
  volume.stamp_shift = by_time ? 20 : 0;
  return volume;
}

std::uint32_t max_logical_pages(const FmsConfig& config, const FlashGeometry& part, std::uint32_t bad) {
  return ftlab::max_logical_pages(volume_config(config), segments_of(config, part), bad);
}

bool is_placed(const FmsConfig& config, StreamId stream) { return stream == kReadOnly && placed_streams(config) > 0; }

bool uses_stream(const FmsConfig& config, StreamId stream) {
  return is_written(stream, open_segments(config), placed_streams(config));
}

const char* check_policies(const FmsConfig& config, const FlashGeometry& part, const FlashCapabilities& can) {
  if (const char* units = check_units(config, part)) return units;
  const FlashGeometry geometry = segments_of(config, part);
  const ChosenPolicies policies = chosen(config);
  if (policies.trigger == nullptr) return "unknown trigger; `ftlab policies` lists the names";
  if (policies.selection == nullptr) return "unknown selection; `ftlab policies` lists the names";
  if (policies.redistribution == nullptr) return "unknown redistribution; `ftlab policies` lists the names";
  if (policies.placement == nullptr) return "unknown read_only; `ftlab policies` lists the names";
  if (policies.wear_leveling == nullptr) return "unknown wear_leveling; `ftlab policies` lists the names";
  const char* reason = nullptr;
  policies.for_each([&](const PolicyEntry& entry) {
    if (reason == nullptr && entry.check != nullptr) reason = entry.check(config.params.of(entry), geometry);
  });
  if (reason != nullptr) return reason;
  if (const char* apart = check_partitions(config, policies)) return apart;
  if (config.clean_at_once == 0 || config.clean_at_once > kMaxCleanAtOnce)
    return "clean_at_once must be at least 1 and at most 64";
  if (config.shared.age_exponent == 0 || config.shared.age_exponent > kExponentSteps)
    return "age_exponent must be above 0 and at most 1";
  // Degrees are kept in 31 bits: those of pages written seconds ago would all be 0.
  if (config.shared.age_unit == 0) return "age_unit must be at least 1";
  const bool fades_fast =
      config.shared.hot_function == AgeFunction::identity ||
      (config.shared.hot_function == AgeFunction::power && config.shared.age_exponent > kExponentSteps / 2);
  if (config.age_clock == FmsConfig::AgeClock::time && fades_fast && policies.redistribution->uses_key("age_exponent"))
    return "age_exponent above 0.5, or hot_function = \"identity\", leaves nothing of a hot degree when ages are "
           "nanoseconds; use age_clock = "
           "\"writes\", "
           "or a smaller one";
  if (config.erase_mode == FmsConfig::EraseMode::overlap && (!can.background_erase || can.queue_depth < 2))
    return "erase_mode = overlap needs a driver with background erase and a queue of at least 2";
  return nullptr;
}

const char* check(const FmsConfig& config, const FlashGeometry& part, const FlashCapabilities& capabilities) {
  if (const char* reason = check_units(config, part)) return reason;
  const FlashGeometry geometry = segments_of(config, part);
  if (const char* reason = check_part(volume_config(config), geometry, capabilities)) return reason;
  if (const char* reason = check_policies(config, part, capabilities)) return reason;
  if (config.checkpoint_every != 0)
    return "checkpoint_every is for arrays: elsewhere the FMS writes what a mount needs unasked";
  return check_space(config, geometry);
}

}  // namespace ftlab::fms
