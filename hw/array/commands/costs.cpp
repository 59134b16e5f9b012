#include "hw/array/commands/costs.h"

namespace ftlab::hw::array {

Cost Costs::steps_cost(const Load& read, const Attempts& attempts) const {
  std::uint32_t sensings = 0;
  std::uint32_t transfers = 0;
  for (std::uint32_t step = attempts.first; step <= attempts.last; ++step) {
    sensings += retry_.step(step).sensings;
    transfers += retry_.step(step).transfers;
  }
  // The plain read has one of each.
  sensings -= 1;
  transfers -= 1;
  const auto retries = std::int64_t{attempts.retries()};
  return {(retry_.decode + read_command) * retries + read.cells.time * std::int64_t{sensings} +
              read.transfer.time * std::int64_t{transfers},
          read.cells.energy * sensings + read.transfer.energy * transfers};
}

}  // namespace ftlab::hw::array
