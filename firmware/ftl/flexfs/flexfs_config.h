// Everything that can be chosen about FlexFS, the schemes of the paper as sets of choices, and what goes with what.
// Times are nanoseconds of the clock given to Ftl; pages are NAND pages.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "common/fields.h"
#include "firmware/port/flash_port.h"
#include "firmware/volume/volume_config.h"

namespace ftlab {

namespace flexfs {

/// Where a page can go. Also the stream number of segments, and the class of pages that the volume is told.
enum class Region : std::uint8_t { slc = 0, mlc = 1 };
inline constexpr std::uint32_t kRegions = 2;

/// Energy of one operation, nanojoules.
struct EnergyCosts {
  std::uint32_t slc_program_nj = 0;
  std::uint32_t mlc_program_nj = 0;  ///< mean of LSB and MSB page
  std::uint32_t read_nj = 0;
  std::uint32_t erase_nj = 0;  ///< of a whole segment
};

}  // namespace flexfs

struct FlexFsConfig {
  std::uint32_t logical_pages = 0;    ///< pages offered to the host; 1 .. max_logical_pages()
  std::uint32_t data_segments = 0;    ///< use only so many segments for data (a partition); 0 = all
  std::string_view scheme = "la";     ///< a name of flexfs::schemes(), which apply_scheme() turns into techniques
  std::uint64_t partition_bytes = 0;  ///< data_segments as bytes, all pages counted; 0 = all
  /// Pages written or copied between two checkpoints; 0 = as many as kCheckpointSegments and kPagesBetween say.
  std::uint32_t checkpoint_every = 0;

  // Techniques. A scheme sets these; each can be set alone.
  bool slc_region = true;            ///< false: everything is written to the MLC region
  bool mlc_region = true;            ///< false: everything stays in the SLC region, at half the capacity
  bool background_migration = true;  ///< SLC to MLC while the host is idle
  bool dynamic_allocation = true;    ///< alpha follows the idle time; otherwise alpha = 1
  bool locality_aware = true;        ///< hot files preferred in, and kept in, the SLC region
  bool wear_management = true;       ///< delta limits alpha so that the lifetime is reached
  bool background_cleaning = true;   ///< cleaning of the MLC region while the host is idle

  // Migration and cleaning.
  /// Free segments below which a write must wait for migration; 3 to most_free_segments().
  std::uint32_t compulsory_free = 5;
  bool compulsory_paced = false;          ///< compulsory migration moves one page per trigger_ns; needs a clock port
  std::uint64_t wait_ns = 1'000'000'000;  ///< T_wait: idle time before background work begins
  std::uint64_t trigger_ns = 15'000'000;  ///< T_trig: from one page of background work to the next; at most an hour
  /// Free segments below which a write must wait for cleaning; 3 to most_free_segments().
  std::uint32_t cleaning_free = 3;
  std::uint32_t cleaning_idle_free = 16;     ///< cleaning in idle time goes on below this many free segments
  std::uint32_t cleaning_idle_invalid = 32;  ///< ... on victims with at least this many invalid pages, >= 1
  /// Idle time also moves data that keeps a segment back by so many erases against the most erased one; 0 = never.
  std::uint32_t level_gap = 0;
  std::string_view migration_victim = "oldest";    ///< a name of flexfs::migration_victims()
  std::string_view free_choice = "fewest_erases";  ///< a name of flexfs::free_choices(): the wear leveling

  // Dynamic allocation.
  std::uint32_t window_pages = 1024;  ///< N_p; 1 .. 1 << 20
  std::uint32_t recent_weight = 2;    ///< weight of the three newest windows' idle times, the others weigh 1; 1 .. 100
  bool idle_beyond_wait = true;       ///< only the part of a pause beyond wait_ns counts as idle time
  std::uint64_t erase_ns = 872'000;   ///< T_erase of Eq. 2; Table 1 of the paper, column MLC_LSB; at most an hour

  // Locality.
  std::uint32_t hot_files = 64;               ///< length of the hot queue; >= 1
  std::uint32_t cold_files = 256;             ///< length of the cold queue; >= 1
  std::uint64_t forget_after_pages = 10'240;  ///< a hot file not written for so many host pages cools down; 0 = never
  std::uint32_t extent_pages = 64;  ///< requests without stream: so many logical pages in a row count as one file; >= 1

  // Wear management.
  std::uint64_t lifetime_ns = 94'608'000'000'000'000;  ///< L_min: 3 years
  std::uint64_t wear_window_ns = 600'000'000'000;      ///< T_s: 10 minutes; 1 .. lifetime_ns
  std::uint32_t erase_cycles = 0;                      ///< E_cycles; 0 = rated cycles of the part

  // Energy.
  std::uint64_t energy_budget_uj_per_mib = 0;  ///< for a MiB from the host, migration included; 0 = no budget
  flexfs::EnergyCosts energy;                  ///< needed with a budget
};

namespace flexfs {

/// Free segments that only copies may use: one to copy into, one more for when power is lost on the way.
inline constexpr std::uint32_t kReserve = 2;
/// Between two checkpoints as many pages are written or copied as fill so many segments of the SLC region, and so many
/// for each page of a checkpoint: less than a hundredth is written for them.
inline constexpr std::uint32_t kCheckpointSegments = 64;
inline constexpr std::uint32_t kPagesBetween = 256;
/// The host writes so many for each page of a checkpoint that is there for the time of service alone.
inline constexpr std::uint32_t kPagesForLifetime = 32;

/// A named set of techniques; thresholds stay as they are.
struct Scheme {
  std::string_view name;
  std::string_view help;
  bool slc_region;
  bool mlc_region;
  bool background_migration;
  bool dynamic_allocation;
  bool locality_aware;
  bool background_cleaning;
};

/// slc_only, mlc_only, jffs2, and those of Table 2: baseline, bm, da, la. Wear management is a choice beside them.
[[nodiscard]] std::span<const Scheme> schemes();
/// Sets the techniques. False, and nothing done: no scheme has this name.
bool apply_scheme(std::string_view name, FlexFsConfig& config);

/// The volume that it is on, as a configuration of FlexFS has it.
[[nodiscard]] VolumeConfig volume_of(const FlexFsConfig& config, const FlashGeometry& geometry);

/// Segments that can carry data: not SLC by part, not held back for checkpoints, within config.data_segments.
[[nodiscard]] std::uint32_t data_segments(const FlexFsConfig& config, const FlashGeometry& geometry);
/// The most of them that can be free at a time: each region that is on fills one.
[[nodiscard]] std::uint32_t most_free_segments(const FlexFsConfig& config, const FlashGeometry& geometry);
/// Pages in a segment of the region.
[[nodiscard]] std::uint32_t slots_of(Region region, const FlashGeometry& geometry);
/// The most logical pages for which cleaning always finds something to reclaim; `bad`: segments that are bad.
[[nodiscard]] std::uint32_t max_logical_pages(const FlexFsConfig& config, const FlashGeometry& geometry,
                                              std::uint32_t bad = 0);

/// This share, in 1 / 10^9, of what the data segments hold, or as many as that allows; `bad` as above.
[[nodiscard]] std::uint32_t choose_logical_pages(const FlexFsConfig& config, const FlashGeometry& geometry,
                                                 std::uint64_t utilization_ppb, std::uint32_t bad);

/// Null when the combination works, else a sentence with the reason and the way out.
[[nodiscard]] const char* check(const FlexFsConfig& config, const FlashGeometry& geometry);

/// Names of migration_victims() and free_choices(), the i-th; empty behind the last one.
[[nodiscard]] std::string_view migration_victim_name(std::size_t i);
[[nodiscard]] std::string_view free_choice_name(std::size_t i);

/// The keys of a study that set it, in the paper's words and units.
inline constexpr Field<FlexFsConfig> kFlexFsFields[] = {
    name_field<&FlexFsConfig::scheme, schemes>(
        "scheme", "which techniques are on: those of Table 2 (baseline, bm, da, la), or one region alone"),
    bool_field<&FlexFsConfig::wear_management>("wear_management",
                                               "the wear index delta limits what goes to the SLC region"),
    scaled_field<&FlexFsConfig::partition_bytes>(
        "partition_mib", "MiB", 1048576, 0, 1e6,
        "use only as much flash memory as this, all pages counted, and beside it what checkpoints take; "
        "0: all of it"),
    integer_field<&FlexFsConfig::compulsory_free>("compulsory_free", "segments", 3, 1e6,
                                                  "with fewer free segments than this a write waits for migration"),
    bool_field<&FlexFsConfig::compulsory_paced>("compulsory_paced",
                                                "compulsory migration, too, moves only one page every trigger_ms"),
    scaled_field<&FlexFsConfig::wait_ns>("wait_s", "s", 1e9, 0, 1e6, "T_wait: idle time before background work begins"),
    scaled_field<&FlexFsConfig::trigger_ns>("trigger_ms", "ms", 1e6, 0, 1e6,
                                            "T_trig: from one page of background work to the next"),
    name_field<&FlexFsConfig::migration_victim>(
        "migration_victim", migration_victim_name,
        "which SLC segment migrates next; la prefers cold ones whatever is chosen here")
        .not_published(),
    name_field<&FlexFsConfig::free_choice>("free_choice", free_choice_name,
                                           "which free segment is used next; fewest_erases levels wear")
        .not_published(),
    integer_field<&FlexFsConfig::level_gap>(
        "level_gap", "erasures", 0, 1e6,
        "idle time also moves data that keeps a segment this far behind the most erased one; 0: never"),
    integer_field<&FlexFsConfig::cleaning_free>(
        "cleaning_free", "segments", 3, 1e6,
        "with fewer free segments than this a write waits for cleaning of the MLC region")
        .not_published(),
    integer_field<&FlexFsConfig::cleaning_idle_free>("cleaning_idle_free", "segments", 0, 1e6,
                                                     "cleaning in idle time goes on below this many free segments")
        .not_published(),
    integer_field<&FlexFsConfig::cleaning_idle_invalid>("cleaning_idle_invalid", "pages", 1, 1e6,
                                                        "... on victims with at least this many invalid pages")
        .not_published(),
    integer_field<&FlexFsConfig::window_pages>("window_pages", "pages", 1, 1048576,
                                               "N_p: host pages of one window of the dynamic allocation"),
    integer_field<&FlexFsConfig::recent_weight>(
        "recent_weight", "", 1, 100,
        "weight of the three newest windows in the idle time prediction; the others weigh 1")
        .not_published(),
    bool_field<&FlexFsConfig::idle_beyond_wait>("idle_beyond_wait",
                                                "only the part of a pause beyond wait_s counts as idle time")
        .not_published(),
    integer_field<&FlexFsConfig::hot_files>("hot_files", "files", 1, 1e6, "length of the hot queue").not_published(),
    integer_field<&FlexFsConfig::cold_files>("cold_files", "files", 1, 1e6, "length of the cold queue").not_published(),
    integer_field<&FlexFsConfig::forget_after_pages>(
        "forget_after_pages", "pages", 0, 9e15, "a hot file not written for so many host pages cools down; 0: never")
        .not_published(),
    scaled_field<&FlexFsConfig::lifetime_ns>("lifetime_s", "s", 1e9, 1, 1e10,
                                             "L_min: lifetime to be reached; default three years"),
    scaled_field<&FlexFsConfig::wear_window_ns>("wear_window_s", "s", 1e9, 0.001, 1e10,
                                                "T_s: the writing budget is shared out this often"),
    integer_field<&FlexFsConfig::erase_cycles>("erase_cycles", "cycles", 0, 1e9,
                                               "E_cycles of the writing budget; 0: rated cycles of the part"),
    scaled_field<&FlexFsConfig::energy_budget_uj_per_mib>(
        "energy_budget_mj_per_mib", "mJ/MiB", 1e3, 0, 1e6,
        "what programs, migration and erases for a MiB from the host may cost with their way over the bus, as the "
        "allocation predicts it, at least 0.001; 0: no budget"),
};

}  // namespace flexfs
}  // namespace ftlab
