#include "workloads/generators/slot_set.h"

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <numeric>
#include <utility>

#include "workloads/random_stream.h"

namespace ftlab::workloads {

void scatter_to_front(std::vector<std::uint32_t>& slots, std::uint32_t count, std::uint64_t seed) {
  RandomEngine engine(seed);
  for (std::size_t i = 0; i < count; ++i) {
    const boost::random::uniform_int_distribution<std::size_t> pick(i, slots.size() - 1);
    std::swap(slots[i], slots[pick(engine)]);
  }
}

SlotRoles split_slots(std::uint32_t slots, double read_only_share, std::uint64_t seed) {
  const auto read_only = static_cast<std::uint32_t>(std::llround(read_only_share * slots));
  if (read_only == 0) return {.writable = {slots, {}}, .read_only = {}};
  std::vector<std::uint32_t> all(slots);
  std::iota(all.begin(), all.end(), 0U);
  scatter_to_front(all, read_only, stream_seed(seed, "read_only.scatter"));
  const auto border = all.begin() + read_only;
  SlotRoles roles;
  roles.read_only = {read_only, {all.begin(), border}};
  roles.writable = {slots - read_only, {border, all.end()}};
  std::sort(roles.read_only.list.begin(), roles.read_only.list.end());
  std::sort(roles.writable.list.begin(), roles.writable.list.end());
  return roles;
}

}  // namespace ftlab::workloads
