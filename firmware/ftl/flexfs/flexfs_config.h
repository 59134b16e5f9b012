// Everything that can be chosen about FlexFS, the schemes of the paper as sets of choices, and what goes with what.
// Times are nanoseconds of the clock given to Ftl; pages are NAND pages.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "firmware/port/flash_port.h"

namespace ftlab {

namespace flexfs {

/// Where a page can go. Also the stream number of segments and the region number of page records.
enum class Region : std::uint8_t { slc = 0, mlc = 1 };
inline constexpr std::uint32_t kRegions = 2;

/// Energy of one operation, nanojoules.
struct EnergyPrices {
  std::uint32_t slc_program_nj = 0;
  std::uint32_t mlc_program_nj = 0;  ///< mean of LSB and MSB page
  std::uint32_t read_nj = 0;
  std::uint32_t erase_nj = 0;  ///< of a whole segment
};

}  // namespace flexfs

struct FlexFsConfig {
  std::uint32_t logical_pages = 0;  ///< pages offered to the host; 1 .. max_logical_pages()
  std::uint32_t data_segments = 0;  ///< use only the first n segments that can carry data (a partition); 0 = all

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
  flexfs::EnergyPrices energy;                 ///< needed with a budget
};

namespace flexfs {

/// Free segments that only copies may use: one to copy into, one more for when power was cut on the way.
inline constexpr std::uint32_t kReserve = 2;

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

/// Segments that can carry data: not SLC by part, not for checkpoints, within config.data_segments.
[[nodiscard]] std::uint32_t data_segments(const FlexFsConfig& config, const FlashGeometry& geometry);
/// The most of them that can be free at a time: each region that is on fills one.
[[nodiscard]] std::uint32_t most_free_segments(const FlexFsConfig& config, const FlashGeometry& geometry);
/// Pages of data in a segment of the region, beside its summary.
[[nodiscard]] std::uint32_t slots_of(Region region, const FlashGeometry& geometry);
/// The most logical pages for which cleaning always finds something to reclaim; `bad`: data segments that are bad.
[[nodiscard]] std::uint32_t max_logical_pages(const FlexFsConfig& config, const FlashGeometry& geometry,
                                              std::uint32_t bad = 0);

/// Null when the combination works, else a sentence with the reason and the way out.
[[nodiscard]] const char* check(const FlexFsConfig& config, const FlashGeometry& geometry,
                                const FlashCapabilities& capabilities);

}  // namespace flexfs
}  // namespace ftlab
