// The reasons for which a combination is refused.
#include "firmware/ftl/fms/fms_config.h"

#include "firmware/policy/die_geometry.h"
#include "firmware/policy/policies.h"

namespace ftlab::fms {
namespace {

constexpr std::uint32_t kMaxCleanAtOnce = 64;

const char* check_partitions(const FmsConfig& config, const ChosenPolicies& policies) {
  const bool all =
      policies.trigger->partitioned && policies.selection->partitioned && policies.redistribution->partitioned;
  const bool some =
      policies.trigger->partitioned || policies.selection->partitioned || policies.redistribution->partitioned;
  if (!some) return nullptr;
  if (!all && policies.trigger->partitioned)
    return "trigger \"partition_full\" works with selection \"partition_fifo\" and redistribution "
           "\"locality_gathering\" or \"locality_preservation\" alone";
  if (!all && policies.selection->partitioned)
    return "selection \"partition_fifo\" works with trigger \"partition_full\" and redistribution "
           "\"locality_gathering\" or \"locality_preservation\" alone";
  if (!all)
    return "redistribution over partitions works with trigger \"partition_full\" and selection \"partition_fifo\" "
           "alone";
  if (policies.placement->streams > 0)
    return "read_only data has no segments of its own on partitions: use read_only = \"mixed\"";
  if (config.shared.partitions < 2 || config.shared.partitions > kCleaningStreams)
    return "partitions must be at least 2 and at most 31";
  return nullptr;
}

const char* check_pools(const FmsConfig& config, const ChosenPolicies& policies) {
  if (!cleans_by_pools(config)) return nullptr;
  if (!policies.selection->listed.exists()) return kPoolsNeedLists;
  if (config.clean_at_once > 1)
    return "clean_at_once takes several victims of a die whatever their pool: use 1, or pool_choice = \"together\"";
  if (policies.placement->streams > 0)
    return "read_only data in segments of its own has no pool: use read_only = \"mixed\", or pool_choice = "
           "\"together\"";
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
  const SeparationEntry* separation = separations().find(config.separation);
  if (separation == nullptr || separation == &separate::none) return choice;
  choice.separated_streams = separation->streams_of(config.params.of(*separation), false);
  choice.separated_copies = separation->copies_to;
  choice.by_pools = cleans_by_pools(config);
  return choice;
}

bool cleans_by_pools(const FmsConfig& config) {
  VolumeConfig volume;
  volume.separation = config.separation;
  volume.pool_choice = config.pool_choice;
  volume.params = config.params;
  return volume::pools_of(volume) > 1;
}

VolumeConfig volume_of(const FmsConfig& config, const PolicyChoice& choice) {
  VolumeConfig volume;
  volume.policies = &choice;
  volume.separation = config.separation;
  volume.pool_choice = config.pool_choice;
  volume.params = config.params;
  volume.checkpoint_every = config.checkpoint_every;
  volume.write_buffer = config.write_buffer;
  volume.write_buffer_idle_ns = config.write_buffer_idle_ns;
  volume.seed = config.seed;
  return volume;
}

const char* check(const FmsConfig& config, const FlashGeometry& array) {
  if (config.low_water == 0 || config.high_water == 0) return "low_water and high_water must be at least 1";
  const FlashGeometry geometry = die_geometry(array);
  const ChosenPolicies policies = chosen(config);
  if (policies.trigger == nullptr) return "trigger is none of the names that `ftlab policies` lists";
  if (policies.selection == nullptr) return "selection is none of the names that `ftlab policies` lists";
  if (policies.redistribution == nullptr) return "redistribution is none of the names that `ftlab policies` lists";
  if (policies.placement == nullptr) return "read_only is none of the names that `ftlab policies` lists";
  if (policies.wear_leveling == nullptr) return "wear_leveling is none of the names that `ftlab policies` lists";
  const char* reason = nullptr;
  policies.for_each([&](const PolicyEntry& entry) {
    if (reason == nullptr && entry.check != nullptr) reason = entry.check(config.params.of(entry), geometry);
  });
  if (reason != nullptr) return reason;
  if (const char* apart = check_partitions(config, policies)) return apart;
  if (separations().find(config.separation) == nullptr)
    return "separation is none of the names that `ftlab policies` lists";
  // Those that only sort have one stream.
  if (config.separation != "none" && policies.redistribution->streams > 1)
    return "separation and this redistribution both say which pages lie together; use redistribution = "
           "\"sequential\", \"age_sort\" or \"times_sort\"";
  if (pool_choices().find(config.pool_choice) == nullptr)
    return "pool_choice is none of the names that `ftlab policies` lists";
  if (const char* pools = check_pools(config, policies)) return pools;
  if (config.clean_at_once == 0 || config.clean_at_once > kMaxCleanAtOnce)
    return "clean_at_once must be at least 1 and at most 64";
  if (config.shared.age_exponent == 0 || config.shared.age_exponent > kExponentSteps)
    return "age_exponent must be above 0 and at most 1";
  // Degrees are kept in 31 bits: those of pages written seconds ago would all be 0.
  if (config.shared.age_unit == 0) return "age_unit must be at least 1";
  const bool by_time =
      config.age_clock == FmsConfig::AgeClock::time && policies.redistribution->uses_key("age_exponent");
  if (by_time && config.shared.hot_function == AgeFunction::identity)
    return "hot_function \"identity\" leaves nothing of a hot degree when ages are nanoseconds; use \"power\", or "
           "age_clock "
           "= \"writes\"";
  if (by_time && config.shared.hot_function == AgeFunction::power && config.shared.age_exponent > kExponentSteps / 2)
    return "age_exponent above 0.5 leaves nothing of a hot degree when ages are nanoseconds; use a smaller one, or "
           "age_clock = \"writes\"";
  return nullptr;
}

}  // namespace ftlab::fms
