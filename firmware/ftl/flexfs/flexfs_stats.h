// What FlexFS reports about itself beside FtlStats: the quantities of the paper's figures. Shares are Q16 (65536 = 1).
#pragma once

#include <cstdint>

#include "common/counters.h"

namespace ftlab::flexfs {

struct FlexFsStats {
  // As of now.
  std::uint32_t alpha = 65536;            ///< Q16; Eq. 1
  std::uint32_t delta = 65536;            ///< Q16; Eq. 9
  std::uint32_t energy_share = 65536;     ///< Q16; what the energy budget allows
  std::uint32_t share = 65536;            ///< Q16; in force: the least of the three that are turned on
  std::uint64_t predicted_idle_ns = 0;    ///< T_idle^pred
  std::uint32_t predicted_hot_pages = 0;  ///< N_p^hot
  std::uint32_t slc_segments = 0;         ///< sealed or open
  std::uint32_t mlc_segments = 0;
  std::uint32_t free_segments = 0;
  std::uint32_t hot_files = 0;             ///< on the hot queue
  std::uint64_t window_budget_bytes = 0;   ///< WB of the current window; 0 without wear management
  std::uint64_t used_bytes = 0;            ///< W: writing budget used since the format
  std::uint64_t endurance_bytes = 0;       ///< C_total * E_cycles
  std::uint64_t predicted_nj_per_mib = 0;  ///< energy per host MiB at the share in force; 0 without costs

  // Counters since mount.
  std::uint64_t pages_to_slc = 0;      ///< host pages programmed into the SLC region
  std::uint64_t pages_to_mlc = 0;      ///< host pages programmed into the MLC region
  std::uint64_t hot_pages_to_slc = 0;  ///< those of hot files among pages_to_slc
  std::uint64_t diverted_pages = 0;    ///< meant for SLC, but no segment was to be had
  std::uint64_t compulsory_pages = 0;  ///< migrated while a write waited
  std::uint64_t background_pages = 0;  ///< migrated in idle time
  std::uint64_t cleaned_pages = 0;     ///< copied by cleaning, by that of the volume itself, too
  std::uint64_t refreshed_pages = 0;   ///< moved because of bit errors or reads
  std::uint64_t compulsory_runs = 0;   ///< times that a write had to wait for migration
  std::uint64_t coalesced_writes = 0;  ///< parts that joined a page already buffered
  std::uint64_t filled_pages = 0;      ///< partial pages completed from flash before they were programmed
  std::uint64_t lost_writes = 0;       ///< partial pages dropped: the rest of the page could not be read
  std::uint64_t checkpoints = 0;
};

inline constexpr double kQ16 = 1.0 / 65536;
inline constexpr double kBytesInMib = 1.0 / 1048576;

inline constexpr Counter<FlexFsStats> kFlexFsCounters[] = {
    state<&FlexFsStats::alpha>("alpha", "", "share of the host's pages that the idle time allows in SLC, Eq. 1")
        .times(kQ16),
    state<&FlexFsStats::delta>("delta", "", "wear index, Eq. 9").times(kQ16),
    state<&FlexFsStats::energy_share>("energy_share", "",
                                      "share of the host's pages that the energy budget allows in SLC")
        .times(kQ16),
    state<&FlexFsStats::share>("slc_share", "", "share in force: the least of those that are turned on").times(kQ16),
    state<&FlexFsStats::predicted_idle_ns>("predicted_idle_s", "s", "predicted idle time of the next window")
        .times(1e-9),
    state<&FlexFsStats::predicted_hot_pages>("predicted_hot_pages", "pages", "predicted pages of hot files"),
    state<&FlexFsStats::slc_segments>("slc_segments", "segments", "open or sealed segments of the SLC region"),
    state<&FlexFsStats::mlc_segments>("mlc_segments", "segments", "open or sealed segments of the MLC region"),
    state<&FlexFsStats::free_segments>("free_segments", "segments", "free segments"),
    state<&FlexFsStats::hot_files>("hot_files", "files", "files on the hot queue"),
    state<&FlexFsStats::window_budget_bytes>("window_budget_mib", "MiB",
                                             "writing budget of the window; 0 without wear management")
        .times(kBytesInMib),
    state<&FlexFsStats::used_bytes>("used_mib", "MiB", "writing budget used since the format").times(kBytesInMib),
    state<&FlexFsStats::endurance_bytes>("endurance_mib", "MiB", "capacity times rated erase cycles")
        .times(kBytesInMib),
    state<&FlexFsStats::predicted_nj_per_mib>("predicted_mj_per_mib", "mJ/MiB",
                                              "predicted energy of a MiB from the host at the share in force")
        .times(1e-6),
    flow<&FlexFsStats::pages_to_slc>("pages_to_slc", "pages", "host pages programmed into the SLC region"),
    flow<&FlexFsStats::pages_to_mlc>("pages_to_mlc", "pages", "host pages programmed into the MLC region"),
    flow<&FlexFsStats::hot_pages_to_slc>("hot_pages_to_slc", "pages", "those of hot files among pages_to_slc"),
    flow<&FlexFsStats::diverted_pages>("diverted_pages", "pages", "meant for SLC, but no segment was to be had"),
    flow<&FlexFsStats::compulsory_pages>("compulsory_pages", "pages", "migrated while a write waited"),
    flow<&FlexFsStats::background_pages>("background_pages", "pages", "migrated in idle time"),
    flow<&FlexFsStats::cleaned_pages>("cleaned_pages", "pages", "copied by cleaning"),
    flow<&FlexFsStats::refreshed_pages>("refreshed_pages", "pages", "moved because of bit errors or reads"),
    flow<&FlexFsStats::compulsory_runs>("compulsory_runs", "", "times that a write had to wait for migration"),
    flow<&FlexFsStats::coalesced_writes>("coalesced_writes", "", "parts that joined a page already buffered"),
    flow<&FlexFsStats::filled_pages>("filled_pages", "pages",
                                     "partial pages completed from flash before they were programmed"),
    flow<&FlexFsStats::lost_writes>("lost_writes", "", "partial pages dropped: the rest of the page could not be read"),
    flow<&FlexFsStats::checkpoints>("anchors", "", "checkpoints written"),
};

}  // namespace ftlab::flexfs
