// Beyond the FlexFS paper: the energy of its schemes, how much low-power time they leave, and what an energy budget
// costs.
#include <fmt/format.h>

#include <algorithm>

#include "platform/laboratory/reproduce/experiment_json.h"
#include "platform/laboratory/reproduce/flexfs_cells.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

/// A scenario and the flash memory that the paper limits it to.
struct EnergyBenchmark {
  const char* scenario;
  const char* partition_mib;
};

constexpr EnergyBenchmark kEnergyBenchmarks[] = {
    {"flexfs-busy", "64"}, {"flexfs-locality", "64"}, {"flexfs-endurance", "120"}};
constexpr std::pair<const char*, const char*> kEnergySchemes[] = {
    {"mlc_only", "MLC alone"}, {"baseline", "Baseline"}, {"bm", "BM"}, {"da", "DA"}, {"la", "LA"}};
constexpr std::pair<const char*, const char*> kLimitedSchemes[] = {{"da", "DA"}, {"la", "LA"}};
// mJ/MiB: between what DA and the MLC region alone take on Busy.
constexpr double kBudgets[] = {12, 11, 10.3};
// Low-power states of the host begin after a time that is ours to assume.
constexpr double kLowPowerAfterMs = 10;

struct EnergyRun {
  FlexFsRun run;
  double budget;  ///< mJ/MiB; 0: none
};

Setting low_power_after(double milliseconds) {
  return {"power.low_power_after_ms", fmt::format("{}", milliseconds), "reproduce"};
}

EnergyRun energy_run(const std::string& label, const char* scheme, const EnergyBenchmark& benchmark, double budget) {
  FlexFsRun run{label,
                scheme,
                benchmark.scenario,
                {{"flexfs.partition_mib", benchmark.partition_mib, "reproduce"},
                 {"flexfs.wear_management", "false", "reproduce"},
                 low_power_after(kLowPowerAfterMs)}};
  if (budget > 0) run.more.push_back({"flexfs.energy_budget_mj_per_mib", fmt::format("{}", budget), "reproduce"});
  return {std::move(run), budget};
}

std::vector<FlexFsRun> simulated(const std::vector<EnergyRun>& runs) {
  std::vector<FlexFsRun> list;
  list.reserve(runs.size());
  for (const EnergyRun& run : runs) list.push_back(run.run);
  return list;
}

/// Currents of the part are those of its family's 1 Gb sibling; a host's low-power states are slower or faster.
std::vector<UnpublishedParameter> energy_values(const FlexFsRun& run) {
  UnpublishedParameter threshold{"power.low_power_after_ms", fmt::format("{:g} ms", kLowPowerAfterMs), {}};
  for (const double other : {0.8 * kLowPowerAfterMs, 1.2 * kLowPowerAfterMs, 10 * kLowPowerAfterMs}) {
    threshold.variants.push_back({fmt::format("{:g} ms", other), {low_power_after(other)}});
  }
  const Study base = parse_study("", "reproduce", flexfs_settings(run));
  return joined({open_values(run), part_values(base, "power"), {threshold}});
}

double energy_value(const ordered_json& document, const char* pointer) {
  return document.at(ordered_json::json_pointer(pointer)).get<double>();
}

double host_mib(const ordered_json& document) {
  return energy_value(document, "/host/bytes_written") / static_cast<double>(kMiB);
}

/// Millijoules a MiB from the host, under one cause or in one state.
double mj_per_mib(const ordered_json& document, const char* pointer) {
  return 1e3 * energy_value(document, pointer) / host_mib(document);
}

std::vector<ordered_json> energy_cells(const std::vector<ordered_json>& documents) {
  const auto cell = [&](const char* quantity, auto figure) {
    return make_cell(quantity, std::nullopt, summarize(each(documents, figure)), std::nullopt);
  };
  const auto energy = [&](const char* quantity, const char* pointer) {
    return cell(quantity, [pointer](const ordered_json& d) { return mj_per_mib(d, pointer); });
  };
  return {energy("total", "/energy/total_j"),
          energy("operations", "/energy/by_state_j/active"),
          energy("host", "/energy/by_cause_j/host"),
          energy("migrate", "/energy/by_cause_j/migrate"),
          energy("clean", "/energy/by_cause_j/clean"),
          energy("standby", "/energy/by_state_j/standby"),
          cell("low_power",
               [](const ordered_json& d) {
                 return 100 * energy_value(d, "/time/low_power_s") / energy_value(d, "/time/simulated_s");
               }),
          cell("throughput", [](const ordered_json& d) {
            return energy_value(d, "/host/bytes_written") / energy_value(d, "/host/write_service_s") * 1e-6;
          })};
}

double operations_of(const std::vector<ordered_json>& documents) {
  return summarize(each(documents, [](const ordered_json& d) { return mj_per_mib(d, "/energy/by_state_j/active"); }))
      .mean;
}

/// Percent by which the operations exceed the budget, or what the MLC region alone takes where that is more: no share
/// of the SLC region can get below. 0 within.
ordered_json over_budget(ExperimentContext& context, const std::vector<ordered_json>& documents, const EnergyRun& run,
                         double mlc_alone) {
  const double reachable = std::max(run.budget, mlc_alone);
  const auto over = each(documents, [reachable](const ordered_json& d) {
    return std::max(0.0, 100 * (mj_per_mib(d, "/energy/by_state_j/active") / reachable - 1));
  });
  return make_cell("over", 0.0, summarize(over),
                   context.tolerances.find({"flexfs-energy." + run.run.scenario, "flexfs-energy"}, "over"), false);
}

}  // namespace

ordered_json run_flexfs_energy(ExperimentContext& context) {
  const ExperimentFrame frame{
      "flexfs-energy",
      "Energy and low-power time of the schemes; an energy budget",
      "beyond the paper; its section 7 names both as open",
      fmt::format(
          "Benchmarks Busy and Locality on 64 MB and the endurance scenario on 120 MB, wear management off. Low power: "
          "share of the time that the "
          "device has been without an operation for more than {:g} ms. A budget limits the operations of the "
          "device for a MiB from the host, migration included; above it is what exceeds it, or what MLC alone takes "
          "where that is more.",
          kLowPowerAfterMs),
      {{"benchmark", "Benchmark"}, {"scheme", "Scheme"}},
      {{"total", "All", "mJ/MiB", 2},
       {"operations", "Operations", "mJ/MiB", 2},
       {"host", "for the host", "mJ/MiB", 2},
       {"migrate", "for migration", "mJ/MiB", 2},
       {"clean", "for cleaning", "mJ/MiB", 2},
       {"standby", "Standby", "mJ/MiB", 2},
       {"low_power", "Low power", "%", 1},
       {"throughput", "Writes", "MB/s", 2},
       {"over", "Above budget", "%", 1}}};
  std::vector<EnergyRun> runs;
  for (const EnergyBenchmark& benchmark : kEnergyBenchmarks) {
    for (const auto& [scheme, title] : kEnergySchemes) runs.push_back(energy_run(title, scheme, benchmark, 0));
    for (const auto& [scheme, title] : kLimitedSchemes) {
      for (const double budget : kBudgets) {
        runs.push_back(energy_run(fmt::format("{}, budget {:g} mJ/MiB", title, budget), scheme, benchmark, budget));
      }
    }
  }
  const auto rows_of = [&](const std::vector<EnergyRun>& shown,
                           const std::vector<std::vector<ordered_json>>& documents) {
    ordered_json rows = ordered_json::array();
    for (std::size_t i = 0; i < shown.size(); ++i) {
      std::vector<ordered_json> cells = energy_cells(documents[i]);
      if (shown[i].budget > 0) {
        const auto mlc_alone = std::ranges::find_if(shown, [&](const EnergyRun& run) {
          return run.run.scheme == "mlc_only" && run.run.scenario == shown[i].run.scenario;
        });
        const double least = operations_of(documents[static_cast<std::size_t>(mlc_alone - shown.begin())]);
        cells.push_back(over_budget(context, documents[i], shown[i], least));
      }
      rows.push_back(make_row(frame, {shown[i].run.scenario, shown[i].run.label}, cells));
    }
    return rows;
  };
  const ordered_json rows = rows_of(runs, run_flexfs(context, simulated(runs)));
  ordered_json bars = ordered_json::array();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    bars.push_back(
        {{"x", runs[i].run.scenario + ", " + runs[i].run.label}, {"y", rows[i].at("cells").at(0).at("ours")}});
  }
  // One budget stands for the others, and the paper's benchmarks for the third, whose scenario has other keys.
  std::vector<EnergyRun> varied;
  std::ranges::copy_if(runs, std::back_inserter(varied), [](const EnergyRun& run) {
    return run.run.scenario != kEnergyBenchmarks[2].scenario && (run.budget == 0 || run.budget == kBudgets[1]);
  });
  return experiment_json(
      frame, context.seeds, rows,
      {"Energies are those of the part file: currents of the data sheet times the calibrated times of operations.",
       "Migration costs a second program, a load and a share of two erases for each page; it also splits idle time "
       "into "
       "pieces of T_trig, of which a low-power state can use only what lies beyond its threshold.",
       "A budget is kept by prediction and correction: after each window of N_p pages, what these cost less or more "
       "than they might, cleaning, summaries and checkpoints included, goes to the budget of the next.",
       "Under Locality with DA the last fifth of the run cleans a lot, and no window is left to pay it back. No share "
       "of the SLC region goes below what the MLC region alone takes, cleaning included."},
      {{{"name", "flexfs-energy"},
        {"title", "Energy of the device for a MiB from the host"},
        {"kind", "bar"},
        {"x", {{"title", "benchmark, scheme"}, {"unit", ""}, {"scale", "category"}}},
        {"y", {{"title", "energy"}, {"unit", "mJ/MiB"}, {"scale", "linear"}}},
        {"series", {{{"label", "ftlab"}, {"paper", false}, {"points", bars}}}}}},
      sensitivity_of(context, frame, energy_values(varied[0].run),
                     rows_under(simulated(varied), [&](const auto& documents) {
                       ordered_json shorter = rows_of(varied, documents);
                       for (ordered_json& row : shorter) {
                         keep_quantities(row, {"total", "low_power", "throughput", "over"});
                       }
                       return shorter;
                     })));
}

}  // namespace ftlab::platform
