// What FlexFS reports about itself beside FtlStats: the quantities of the paper's figures. Shares are Q16 (65536 = 1).
#pragma once

#include <cstdint>

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
  std::uint64_t predicted_nj_per_mib = 0;  ///< energy per host MiB at the share in force; 0 without prices

  // Counters since mount.
  std::uint64_t pages_to_slc = 0;      ///< host pages programmed into the SLC region
  std::uint64_t pages_to_mlc = 0;      ///< host pages programmed into the MLC region
  std::uint64_t hot_pages_to_slc = 0;  ///< those of hot files among pages_to_slc
  std::uint64_t diverted_pages = 0;    ///< meant for SLC, but no segment was to be had
  std::uint64_t compulsory_pages = 0;  ///< migrated while a write waited
  std::uint64_t background_pages = 0;  ///< migrated in idle time
  std::uint64_t cleaned_pages = 0;     ///< copied by cleaning of the MLC (in slc_only: SLC) region
  std::uint64_t refreshed_pages = 0;   ///< moved because of bit errors, reads, or a failed segment
  std::uint64_t compulsory_runs = 0;   ///< times that a write had to wait for migration
  std::uint64_t coalesced_writes = 0;  ///< parts that joined a page already buffered
  std::uint64_t filled_pages = 0;      ///< partial pages completed from flash before they were programmed
  std::uint64_t lost_writes = 0;       ///< partial pages dropped: the rest of the page could not be read
  std::uint64_t checkpoints = 0;
};

}  // namespace ftlab::flexfs
