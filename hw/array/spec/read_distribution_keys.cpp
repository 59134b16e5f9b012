#include "hw/array/spec/read_distribution_keys.h"

#include <algorithm>
#include <string>

#include "common/input_error.h"
#include "common/toml/toml_file.h"
#include "hw/array/spec/spec.h"

namespace ftlab::hw {
namespace {

constexpr Ticks kLongestMean = std::chrono::microseconds{2500};  // drawn times are at most 100 ms, as of any operation

}  // namespace

void read_read_distribution(const spec::TomlFile& part, ArrayTiming& timing) {
  const std::string key = "timing.read_distribution";
  if (!part.has(key)) return;
  const std::string chosen = part.get_string(key);
  if (chosen == "constant") return;
  if (chosen != "exponential") throw InputError(part.where(key) + "'" + chosen + "' is none of constant, exponential");
  const Ticks longest = std::max({*std::ranges::max_element(timing.read), timing.read_part, timing.read_planes});
  if (longest > kLongestMean)
    throw InputError(part.where(key) + "needs a tR of at most 2.5 ms, since single reads may take 40 times as long");
  if (!part.keys("read_retry").empty())
    throw InputError(part.where(key) +
                     "draws one time for each read, and with [read_retry] a read may sense several "
                     "times; take a part without it");
  timing.read_distribution = ReadDistribution::exponential;
}

}  // namespace ftlab::hw
