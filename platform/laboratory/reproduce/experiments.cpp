// The table of experiments: a new one is one file and one line here.
#include "platform/laboratory/reproduce/experiment.h"

namespace ftlab::platform {

std::span<const Experiment> experiments() {
  static constexpr Experiment kExperiments[] = {
      {"fms-table4", "cleaning policies on two machines: erasures, copies, throughput, wear", run_fms_table4},
      {"fms-table6", "the authors' measurement and their simulator", run_fms_table6},
      {"fms-locality-95", "CAT against the others, 95 % of writes to 5 % of data", run_fms_locality_95},
      {"fms-gains-95", "what fine-grained redistribution gains at 95/5, policy by policy", run_fms_gains_95},
      {"fms-breakdown", "share of elapsed time spent cleaning (Fig. 11)", run_fms_breakdown},
      {"flexfs-table1", "SLC and MLC programming at the device driver interface", run_flexfs_table1},
      {"flexfs-fig10", "throughput of Baseline and background migration, benchmark Idle", run_flexfs_fig10},
      {"flexfs-fig11", "throughput of background migration and dynamic allocation, Busy", run_flexfs_fig11},
      {"flexfs-fig12", "throughput of dynamic allocation and locality, Locality", run_flexfs_fig12},
      {"flexfs-fig13", "response time of single writes while data migrates", run_flexfs_fig13},
      {"flexfs-fig14", "wear index and data written in ten windows of changing load", run_flexfs_fig14},
      {"flexfs-table4", "erase cycles with and without wear management", run_flexfs_table4},
      {"flexfs-table6", "response times and throughput under the mobile workload", run_flexfs_table6},
      {"flexfs-fig16", "SLC and MLC segments under the mobile workload", run_flexfs_fig16},
      {"flexfs-energy", "energy and low-power time of the schemes, and an energy budget", run_flexfs_energy},
      {"fms-onenand", "the cleaning policies on Flex-OneNAND beside the NOR card", run_fms_onenand},
  };
  return kExperiments;
}

}  // namespace ftlab::platform
