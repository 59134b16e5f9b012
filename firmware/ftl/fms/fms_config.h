// What a user decides about the FMS: the policies that clean the log of the page-mapped layer, and what they go by.
// Knows the policies' declared needs; touches no flash.
#pragma once

#include <cstdint>
#include <string_view>

#include "common/fields.h"
#include "firmware/policy/policy_choice.h"
#include "firmware/port/flash_port.h"
#include "firmware/volume/volume_config.h"

namespace ftlab {

struct FmsConfig {
  enum class AgeClock : std::uint8_t {
    writes,  ///< one tick per host page write
    time,    ///< nanoseconds of the host's clock
  };

  std::string_view trigger = "watermark";            ///< a name of fms::triggers(); must outlive the constructor
  std::string_view selection = "cat";                ///< a name of fms::selections(); must outlive the constructor
  std::string_view redistribution = "fine_grained";  ///< a name of fms::redistributions()
  std::string_view separation = "none";  ///< a name of fms::separations(): decides in place of redistribution
  std::string_view pool_choice = VolumeConfig{}.pool_choice;  ///< the same of the volume
  std::string_view read_only_placement = "apart";             ///< a name of fms::placements()
  std::string_view wear_leveling = "none";                    ///< a name of fms::wear_levelers()
  std::uint32_t low_water = 3;      ///< free segments; cleaning starts when the active segment is full and free <= this
  std::uint32_t high_water = 3;     ///< once the active segment has room again, cleaning goes on while free < this
  std::uint32_t clean_at_once = 1;  ///< segments, at most; 1 .. 64
  std::uint32_t segment_units = 1;  ///< NOR: erase units of the part that make a segment; 1 .. 64
  AgeClock age_clock = AgeClock::writes;
  bool idle_cleaning = false;                        ///< clean while the host is idle
  std::uint32_t idle_water = 0;                      ///< idle cleaning goes on while free <= this; 0 = high_water
  std::uint64_t idle_min_ns = 1'000'000'000;         ///< shorter idle times are not worth starting a cleaning
  std::uint32_t checkpoint_every = 0;                ///< host pages between two checkpoints; 0: none
  std::uint32_t write_buffer = 0;                    ///< see VolumeConfig
  std::uint64_t write_buffer_idle_ns = 100'000'000;  ///< the same
  fms::PolicyParams params;                          ///< of every policy; those of the chosen ones count
  fms::SharedParams shared;                          ///< of all policies that use them
  std::uint64_t seed = 1;                            ///< of policies that draw
};

namespace fms {

/// The policies that it names.
[[nodiscard]] ChosenPolicies chosen(const FmsConfig& config);
/// The same with all that they decide by.
[[nodiscard]] PolicyChoice choice_of(const FmsConfig& config);
/// The volume that they decide on, without its size; `choice` is that of choice_of(), and outlives it.
[[nodiscard]] VolumeConfig volume_of(const FmsConfig& config, const PolicyChoice& choice);

/// The separation has pools, and each is cleaned by itself.
[[nodiscard]] bool cleans_by_pools(const FmsConfig& config);

/// Null when the policies work together on such a die, however many pages they are to hold; else a sentence that begins
/// with the key, with the reason and the way out.
[[nodiscard]] const char* check(const FmsConfig& config, const FlashGeometry& array);

inline constexpr EnumName<FmsConfig::AgeClock> kAgeClocks[] = {{"writes", FmsConfig::AgeClock::writes},
                                                               {"time", FmsConfig::AgeClock::time}};

/// The keys of a study that set it. Keys of the policies follow the key that chooses one (fms::policy_families()).
inline constexpr Field<FmsConfig> kFmsFields[] = {
    name_field<&FmsConfig::trigger, triggers>("trigger", "when segments are cleaned while the host waits"),
    name_field<&FmsConfig::selection, selections>("selection", "which segment is cleaned next"),
    name_field<&FmsConfig::redistribution, redistributions>(
        "redistribution",
        "where the valid pages of a victim go: the papers' M1 sequential, M2 age_sort, M3 times_sort, M4 "
        "segment_based, M5 "
        "block_based, M6 fine_grained, and dac"),
    volume::separation_field<&FmsConfig::separation>(),
    volume::pool_choice_field<&FmsConfig::pool_choice>(),
    integer_field<&FmsConfig::low_water>(
        "low_water", "segments", 1, 1e6,
        "cleaning starts when no more than this many segments are free, on an array of each die")
        .is_shared(),
    integer_field<&FmsConfig::high_water>(
        "high_water", "segments", 1, 1e6,
        "trigger watermark: once there is room again, cleaning goes on while fewer segments than this are free"),
    integer_field<&FmsConfig::clean_at_once>(
        "clean_at_once", "segments", 1, 64,
        "segments cleaned together, on an array of each die, so that their pages can be sorted; fewer "
        "where their valid pages do not fit into the "
        "free segments: raise ftl.low_water with it"),
    integer_field<&FmsConfig::segment_units>(
        "segment_units", "units", 1, 64,
        "NOR: erase units of the part that make one segment, as in eNVy; they are erased one after the other"),
    choice_field<&FmsConfig::age_clock, kAgeClocks>("age_clock",
                                                    "what ages are measured in: host page writes, or simulated time"),
    name_field<&FmsConfig::read_only_placement, placements>("read_only",
                                                            "whether data marked read-only gets segments of its own"),
    name_field<&FmsConfig::wear_leveling, wear_levelers>(
        "wear_leveling",
        "how erase counts are kept close beyond the selection: not, near the end of life, by chance, or by two pools"),
    bool_field<&FmsConfig::idle_cleaning>("idle_cleaning", "clean in the background while no request is waiting"),
    integer_field<&FmsConfig::idle_water>("idle_water", "segments", 0, 1e6,
                                          "idle cleaning goes on while no more than this many segments are free, on an "
                                          "array of each die; 0: ftl.high_water")
        .with("idle_cleaning", "true"),
    scaled_field<&FmsConfig::idle_min_ns>("idle_min_s", "s", 1e9, 0, 1e6,
                                          "shorter idle times are not worth starting a cleaning")
        .with("idle_cleaning", "true"),
    integer_field<&FmsConfig::checkpoint_every>("checkpoint_every", "pages", 0, 2e9,
                                                "pages the host writes between two checkpoints, so that a mount reads "
                                                "few; what a mount finds behind the newest "
                                                "one counts, too; 0: it reads every page's metadata; with fms "
                                                "its policies then remember pages over a mount")
        .is_shared(),
    volume::write_buffer_field<&FmsConfig::write_buffer>(),
    volume::write_buffer_idle_field<&FmsConfig::write_buffer_idle_ns>(),
};

}  // namespace fms
}  // namespace ftlab
