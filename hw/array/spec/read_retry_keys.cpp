#include "hw/array/spec/read_retry_keys.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "common/input_error.h"
#include "common/toml/toml_file.h"

namespace ftlab::hw {
namespace {

constexpr Ticks kLongestRead = std::chrono::milliseconds{100};  // as of any operation
constexpr double kMaxTimes = 16;

std::vector<double> one_for_each_step(const spec::TomlFile& part, const std::string& key, std::size_t steps) {
  std::vector<double> numbers = part.get_numbers(key, 1, kMaxTimes);
  if (numbers.size() != steps)
    throw InputError(part.where(key) + "has " + std::to_string(numbers.size()) + " numbers; give " +
                     std::to_string(steps) + ", one for each of read_retry.gain");
  if (std::ranges::any_of(numbers, [](double n) { return n != std::floor(n); }))
    throw InputError(part.where(key) + "must be whole numbers");
  return numbers;
}

/// Of a read that goes through all of them.
Ticks longest(const ArraySpec& spec) {
  const Ticks sensing = *std::ranges::max_element(spec.timing.read);
  Ticks sum = sensing + spec.timing.transfer * std::int64_t{spec.pages_at_once};
  for (const ArrayReadRetry::Step& step : spec.read_retry.steps)
    sum += spec.read_retry.decode + spec.timing.cycles.read + sensing * std::int64_t{step.sensings} +
           spec.timing.transfer * std::int64_t{spec.pages_at_once} * std::int64_t{step.transfers};
  return sum;
}

}  // namespace

void read_read_retry(const spec::TomlFile& part, ArraySpec& spec) {
  if (part.keys("read_retry").empty()) return;
  if (part.get_string("read_retry.source").empty())
    throw InputError(part.where("read_retry.source") + "must name where the steps come from");
  const std::vector<double> gains = part.get_numbers("read_retry.gain", 0, 1, {"1", "50 %"});
  if (gains.empty() || gains.size() > ArrayReadRetry::kMaxSteps)
    throw InputError(part.where("read_retry.gain") + "must have 1 to " + std::to_string(ArrayReadRetry::kMaxSteps) +
                     " steps");
  const std::vector<double> sensings = one_for_each_step(part, "read_retry.sensings", gains.size());
  const std::vector<double> transfers = one_for_each_step(part, "read_retry.transfers", gains.size());
  for (std::size_t i = 0; i < gains.size(); ++i)
    spec.read_retry.steps.push_back(
        {gains[i], static_cast<std::uint32_t>(sensings[i]), static_cast<std::uint32_t>(transfers[i])});
  spec.read_retry.decode = part.get_time("read_retry.decode");
  if (spec.read_retry.decode < Ticks::zero() || longest(spec) > kLongestRead)
    throw InputError(part.where("read_retry.decode") +
                     "makes a read through all steps take more than 100 ms, or is less than nothing; change it, or "
                     "the steps");
}

}  // namespace ftlab::hw
