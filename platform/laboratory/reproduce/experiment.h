// One published table or figure, reproduced: a name, a title and a function that fills its part of reproduce.json.
#pragma once

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "common/toml/toml_file.h"
#include "platform/laboratory/reproduce/run_bank.h"
#include "platform/laboratory/reproduce/verdict.h"

namespace ftlab::platform {

struct ExperimentContext {
  RunBank& bank;
  const Tolerances& tolerances;
  std::vector<std::uint64_t> seeds;
  std::vector<std::string> hosts;  ///< machines to run, names of host profiles
  bool vary = true;                ///< values that the papers leave open are varied, where an experiment can

  [[nodiscard]] bool wants(const std::string& host) const {
    return std::find(hosts.begin(), hosts.end(), host) != hosts.end();
  }
};

struct Experiment {
  const char* name;
  const char* title;
  nlohmann::ordered_json (*run)(ExperimentContext& context);
};

/// In the order of `ftlab reproduce --list`.
std::span<const Experiment> experiments();

nlohmann::ordered_json run_fms_table4(ExperimentContext& context);
nlohmann::ordered_json run_fms_table6(ExperimentContext& context);
nlohmann::ordered_json run_fms_locality_95(ExperimentContext& context);
nlohmann::ordered_json run_fms_gains_95(ExperimentContext& context);
nlohmann::ordered_json run_fms_breakdown(ExperimentContext& context);
nlohmann::ordered_json run_flexfs_table1(ExperimentContext& context);
nlohmann::ordered_json run_flexfs_fig10(ExperimentContext& context);
nlohmann::ordered_json run_flexfs_fig11(ExperimentContext& context);
nlohmann::ordered_json run_flexfs_fig12(ExperimentContext& context);
nlohmann::ordered_json run_flexfs_fig13(ExperimentContext& context);
nlohmann::ordered_json run_flexfs_fig14(ExperimentContext& context);
nlohmann::ordered_json run_flexfs_table4(ExperimentContext& context);
nlohmann::ordered_json run_flexfs_table6(ExperimentContext& context);
nlohmann::ordered_json run_flexfs_fig16(ExperimentContext& context);
nlohmann::ordered_json run_flexfs_energy(ExperimentContext& context);
nlohmann::ordered_json run_fms_onenand(ExperimentContext& context);

}  // namespace ftlab::platform
