// The cells of the Flash Memory Server papers: machine x workload x policy, and what is read from their runs.
// The papers' words stay here: their block is our page.
#pragma once

#include <array>
#include <string>

#include "common/toml/toml_file.h"
#include "platform/laboratory/reproduce/experiment.h"

namespace ftlab::platform {

struct NamedChoice {
  const char* name;   ///< key in platform/reference/fms.toml
  const char* title;  ///< as the papers print it
};

inline constexpr std::array<NamedChoice, 2> kFmsHosts{{{"486dx-33", "486 DX33"}, {"pentium-133", "Pentium 133"}}};
inline constexpr std::array<NamedChoice, 3> kFmsWorkloads{
    {{"sequential", "Sequential"}, {"random", "Random"}, {"locality", "Locality 90/10"}}};
inline constexpr std::array<NamedChoice, 3> kFmsPolicies{
    {{"greedy", "Greedy"}, {"cost_benefit", "Cost-benefit"}, {"cat", "CAT"}}};

/// What a cell's run says, for each seed.
struct CellFigures {
  std::vector<double> erasures;
  std::vector<double> blocks_copied;
  std::vector<double> throughput;      ///< bytes/s
  std::vector<double> uneven_wear;     ///< sample standard deviation over all segments
  std::vector<double> cleaning_share;  ///< percent of elapsed time
};

struct FmsCell {
  std::string host;
  std::string workload;
  std::string policy;
  std::vector<Setting> more;  ///< on top of the papers' configuration
};

/// The papers' configuration: 24 MB card, 4 KB blocks, 90 % full, 192 MB of 4 KB writes, closed loop, age clock
/// counting writes.
std::vector<Setting> fms_settings(const FmsCell& cell);

/// Runs every cell with every seed of the context; figures in the order of the cells.
std::vector<CellFigures> run_cells(ExperimentContext& context, const std::vector<FmsCell>& cells);

/// Pages of initial data in the papers' configuration: the utilisation on the geometry of its part.
std::uint32_t fms_logical_pages(const Study& study);

/// platform/reference/fms.toml
spec::TomlFile fms_reference();

/// Percent by which a is above b, seed by seed.
Sample percent_over(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace ftlab::platform
