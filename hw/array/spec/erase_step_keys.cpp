#include "hw/array/spec/erase_step_keys.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "common/input_error.h"
#include "common/toml/toml_file.h"

namespace ftlab::hw {
namespace {

constexpr std::size_t kMaxSteps = 16;
constexpr Ticks kLongestErase = std::chrono::milliseconds{100};  // as of any operation
constexpr double kRoundedTo = 0.05;                              // published shares are whole per cents

std::string share_key(std::size_t steps) { return "erase_steps.share_" + std::to_string(steps); }

std::vector<double> read_cycles(const spec::TomlFile& part) {
  const std::string key = "erase_steps.cycles";
  std::vector<double> cycles = part.get_numbers(key, 0, 1e9);
  if (cycles.empty() || cycles.front() != 0 || !std::ranges::is_sorted(cycles, std::less_equal<>{}))
    throw InputError(part.where(key) + "must begin with 0 and go up, such as [0, 1000, 3000]");
  return cycles;
}

/// Of each row the shares of segments that one step is enough for, two, ...; they sum to 1.
std::vector<std::vector<double>> read_shares(const spec::TomlFile& part, std::size_t rows) {
  std::vector<std::vector<double>> shares(rows);
  std::size_t steps = 0;
  while (steps < kMaxSteps && part.has(share_key(steps + 1))) {
    const std::string key = share_key(++steps);
    const std::vector<double> column = part.get_numbers(key, 0, 1, {"1", "92 %"});
    if (column.size() != rows)
      throw InputError(part.where(key) + "has " + std::to_string(column.size()) + " numbers; give " +
                       std::to_string(rows) + ", one for each of erase_steps.cycles");
    for (std::size_t row = 0; row < rows; ++row) shares[row].push_back(column[row]);
  }
  if (steps == 0) throw InputError(part.where(share_key(1)) + "missing; the shares of segments that need one step");
  for (std::size_t row = 0; row < rows; ++row) {
    double sum = 0;
    for (const double share : shares[row]) sum += share;
    if (std::abs(sum - 1) > kRoundedTo)
      throw InputError(part.where(share_key(1)) + "shares of row " + std::to_string(row + 1) + " sum to " +
                       std::to_string(sum) + "; those of a row must sum to 1");
    for (double& share : shares[row]) share /= sum;
  }
  return shares;
}

}  // namespace

void read_erase_steps(const spec::TomlFile& part, ArraySpec& spec) {
  if (part.keys("erase_steps").empty()) return;
  ArrayEraseSteps& steps = spec.erase_steps;
  steps.step = part.get_time("erase_steps.step");
  if (part.get_string("erase_steps.source").empty())
    throw InputError(part.where("erase_steps.source") + "must name where the table comes from");
  steps.cycles = read_cycles(part);
  steps.shares = read_shares(part, steps.cycles.size());
  const auto most = static_cast<std::int64_t>(steps.shares.front().size());
  if (steps.step <= Ticks::zero() || steps.step * most > kLongestErase)
    throw InputError(part.where("erase_steps.step") + "times " + std::to_string(most) +
                     " steps must be longer than nothing and at most 100 ms");
  if (spec.endurance.erase_growth != 0)
    throw InputError(part.where("endurance.erase_growth") +
                     "given together with erase_steps, which says how erases grow; set it to 0, or leave erase_steps "
                     "out");
  const Ticks fresh = steps.mean(0);
  if (std::abs(to_seconds(fresh) - to_seconds(spec.timing.erase)) > to_seconds(fresh) / 100)
    throw InputError(part.where("timing.erase") + "is not what erase_steps takes for a fresh segment; set it to \"" +
                     std::to_string(to_seconds(fresh) * 1000) + " ms\"");
}

}  // namespace ftlab::hw
