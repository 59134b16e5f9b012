// The rows of the [flexfs] table: what can be chosen about FlexFS, in the paper's words and units.
#include "platform/study/param_groups.h"
#include "platform/study/param_row.h"
#include "platform/study/policy_names.h"

namespace ftlab::platform {

std::vector<Param> flexfs_rows() {
  return {
      name_row(
          "flexfs.scheme", flexfs_scheme_names(), "\"la\"",
          "which techniques are on: those of Table 2 (baseline, bm, da, la), or one region alone",
          [](auto& s) -> auto& { return s.flexfs.scheme; }),
      bool_row(
          "flexfs.wear_management", "true", "the wear index delta limits what goes to the SLC region",
          [](auto& s) -> auto& { return s.flexfs.wear_management; }),
      number_row(
          "flexfs.partition_mib", "MiB", 0, 1e6, "0",
          "use only as much flash memory as this, all pages counted; 0: all of it",
          [](auto& s) -> auto& { return s.flexfs.partition_mib; }),
      integer_row(
          "flexfs.compulsory_free", "segments", 3, 1e6, "5",
          "with fewer free segments than this a write waits for migration",
          [](auto& s) -> auto& { return s.flexfs.compulsory_free; }),
      bool_row(
          "flexfs.compulsory_paced", "false", "compulsory migration, too, moves only one page every trigger_ms",
          [](auto& s) -> auto& { return s.flexfs.compulsory_paced; }),
      number_row(
          "flexfs.wait_s", "s", 0, 1e6, "1", "T_wait: idle time before background work begins",
          [](auto& s) -> auto& { return s.flexfs.wait_s; }),
      number_row(
          "flexfs.trigger_ms", "ms", 0, 1e6, "15", "T_trig: from one page of background work to the next",
          [](auto& s) -> auto& { return s.flexfs.trigger_ms; }),
      unpublished(name_row(
          "flexfs.migration_victim", flexfs_victim_names(), "\"oldest\"",
          "which SLC segment migrates next; la prefers cold ones whatever is chosen here",
          [](auto& s) -> auto& { return s.flexfs.migration_victim; })),
      unpublished(name_row(
          "flexfs.free_choice", flexfs_free_choice_names(), "\"fewest_erases\"",
          "which free segment is used next; fewest_erases levels wear",
          [](auto& s) -> auto& { return s.flexfs.free_choice; })),
      integer_row(
          "flexfs.level_gap", "erasures", 0, 1e6, "0",
          "idle time also moves data that keeps a segment this far behind the most erased one; 0: never",
          [](auto& s) -> auto& { return s.flexfs.level_gap; }),
      unpublished(integer_row(
          "flexfs.cleaning_free", "segments", 3, 1e6, "3",
          "with fewer free segments than this a write waits for cleaning of the MLC region",
          [](auto& s) -> auto& { return s.flexfs.cleaning_free; })),
      unpublished(integer_row(
          "flexfs.cleaning_idle_free", "segments", 0, 1e6, "16",
          "cleaning in idle time goes on below this many free segments",
          [](auto& s) -> auto& { return s.flexfs.cleaning_idle_free; })),
      unpublished(integer_row(
          "flexfs.cleaning_idle_invalid", "pages", 1, 1e6, "32", "... on victims with at least this many invalid pages",
          [](auto& s) -> auto& { return s.flexfs.cleaning_idle_invalid; })),
      integer_row(
          "flexfs.window_pages", "pages", 1, 1048576, "1024", "N_p: host pages of one window of the dynamic allocation",
          [](auto& s) -> auto& { return s.flexfs.window_pages; }),
      unpublished(integer_row(
          "flexfs.recent_weight", "", 1, 100, "2",
          "weight of the three newest windows in the idle time prediction; the others weigh 1",
          [](auto& s) -> auto& { return s.flexfs.recent_weight; })),
      unpublished(bool_row(
          "flexfs.idle_beyond_wait", "true", "only the part of a pause beyond wait_s counts as idle time",
          [](auto& s) -> auto& { return s.flexfs.idle_beyond_wait; })),
      unpublished(integer_row(
          "flexfs.hot_files", "files", 1, 1e6, "64", "length of the hot queue",
          [](auto& s) -> auto& { return s.flexfs.hot_files; })),
      unpublished(integer_row(
          "flexfs.cold_files", "files", 1, 1e6, "256", "length of the cold queue",
          [](auto& s) -> auto& { return s.flexfs.cold_files; })),
      unpublished(integer_row(
          "flexfs.forget_after_pages", "pages", 0, 9e15, "10240",
          "a hot file not written for so many host pages cools down; 0: never",
          [](auto& s) -> auto& { return s.flexfs.forget_after_pages; })),
      number_row(
          "flexfs.lifetime_s", "s", 1, 1e10, "94608000", "L_min: lifetime to be reached; default three years",
          [](auto& s) -> auto& { return s.flexfs.lifetime_s; }),
      number_row(
          "flexfs.wear_window_s", "s", 0.001, 1e10, "600", "T_s: the writing budget is shared out this often",
          [](auto& s) -> auto& { return s.flexfs.wear_window_s; }),
      integer_row(
          "flexfs.erase_cycles", "cycles", 0, 1e9, "0", "E_cycles of the writing budget; 0: rated cycles of the part",
          [](auto& s) -> auto& { return s.flexfs.erase_cycles; }),
      number_row(
          "flexfs.energy_budget_mj_per_mib", "mJ/MiB", 0, 1e6, "0",
          "what programs, migration and erases for a MiB from the host may cost with their way over the bus, as the "
          "allocation predicts it, at least 0.001; 0: no budget",
          [](auto& s) -> auto& { return s.flexfs.energy_budget_mj_per_mib; }),
  };
}

}  // namespace ftlab::platform
