#include "platform/firmwares/pool_arithmetic.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "common/input_error.h"
#include "platform/analytic/model.h"

namespace ftlab::platform {
namespace {

constexpr double kQ16 = 65536;

std::vector<double> best_split(const Study& study, std::uint32_t pages_per_segment, double spare_factor) {
  analytic::Inputs inputs;
  inputs.spare_factor = spare_factor;
  inputs.pages_per_segment = pages_per_segment;
  const workloads::GeneratorConfig& g = study.generator;
  if (study.workload.kind == "hot_cold") {
    inputs.access = {g.hot_access, 1 - g.hot_access};
    inputs.data = {g.hot_data, 1 - g.hot_data};
  } else if (study.workload.kind == "classes") {
    inputs.access = g.class_access;
    inputs.data = g.class_data;
  } else {
    throw InputError(
        fmt::format("{}missing; the best split is known for workload.kind = \"hot_cold\" and \"classes\" only",
                    study.where_of("ftl.split")));
  }
  try {
    return analytic::evaluate(*analytic::find_model("optimal_split"), inputs).detail("split");
  } catch (const InputError& problem) {
    throw InputError(fmt::format("{}missing, and the model knows no best split here ({}); give a share for each pool",
                                 study.where_of("ftl.split"), problem.what()));
  }
}

void set_split(const Study& study, std::uint32_t pages_per_segment, double spare_factor, VolumeConfig& config) {
  const std::vector<double>& given = study.configs.get<PoolSplit>().shares;
  const std::vector<double> split = given.empty() ? best_split(study, pages_per_segment, spare_factor) : given;
  if (given.empty() && split.size() != volume::pools_of(config)) {
    throw InputError(
        fmt::format("{}missing; the best split is known for as many pools as classes of data, and here {} pools are "
                    "for {} classes; give a share for each pool",
                    study.where_of("ftl.split"), volume::pools_of(config), split.size()));
  }
  const double sum = std::accumulate(split.begin(), split.end(), 0.0);
  constexpr double kRounding = 1e-6;
  if (split.size() != volume::pools_of(config) || std::abs(sum - 1) > kRounding) {
    throw InputError(
        fmt::format("{}{} shares that sum to {:g}; give one for each of the {} pools, and let them sum to 1",
                    study.where_of("ftl.split"), split.size(), sum, volume::pools_of(config)));
  }
  for (std::size_t pool = 0; pool < split.size(); ++pool)
    config.arithmetic.split_q16[pool] = static_cast<std::uint32_t>(std::lround(split[pool] * kQ16));
}

/// Of greedy cleaning at T / U = alpha; 0 where the model says nothing, since next to nothing is copied there.
double derivative_at(double alpha, std::uint32_t pages_per_segment) {
  analytic::Inputs inputs;
  inputs.spare_factor = 1 - 1 / alpha;
  inputs.pages_per_segment = pages_per_segment;
  try {
    return analytic::evaluate(*analytic::find_model("greedy"), inputs).detail("derivative").front();
  } catch (const InputError&) {
    return 0;
  }
}

void set_derivative(std::uint32_t pages_per_segment, VolumeConfig& config) {
  auto& derivative_q16 = config.arithmetic.derivative_q16;
  for (std::size_t i = 0; i < derivative_q16.size(); ++i) {
    const double excess = std::exp2(fms::PoolArithmetic::kDerivativeFrom +
                                    static_cast<double>(i) / fms::PoolArithmetic::kDerivativeSteps);
    const double slope = std::abs(derivative_at(1 + excess, pages_per_segment));
    // Where so little is spare that the model ends it rises steeply, where so much is that it ends it has no weight.
    constexpr double kNegligible = -64;
    const double log = slope > 0 ? std::log2(slope) : excess < 1e-2 ? -2 * std::log2(excess) : kNegligible;
    derivative_q16[i] = static_cast<std::int32_t>(std::lround(log * kQ16));
  }
}

}  // namespace

void set_pool_arithmetic(const Study& study, std::uint32_t pages_per_segment, double spare_factor,
                         VolumeConfig& config) {
  if (volume::pools_of(config) == 1) return;
  if (config.pool_choice == "split") set_split(study, pages_per_segment, spare_factor, config);
  if (config.pool_choice == "marginal") set_derivative(pages_per_segment, config);
}

void refuse_pool_arithmetic(const Study& study, const VolumeConfig& config) {
  if (volume::pools_of(config) == 1 || (config.pool_choice != "split" && config.pool_choice != "marginal")) return;
  throw InputError(fmt::format(
      "{}\"{}\" decides by tables that follow from the size of the volume, which firmware on a core chooses "
      "itself; use \"greedy\" or \"together\", or platform.processor = \"native\"",
      study.where_of("ftl.pool_choice"), config.pool_choice));
}

}  // namespace ftlab::platform
