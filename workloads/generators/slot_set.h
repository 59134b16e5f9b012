// The slots of a device, split once and for all into those that are rewritten and those that are only read after the
// fill. Read-only slots are scattered at random (a stream of their own), so that segments mix both kinds of data.
#pragma once

#include <cstdint>
#include <vector>

namespace ftlab::workloads {

/// Ascending slot numbers. Without a list the set is 0 ... count - 1, which costs no memory.
struct SlotSet {
  std::uint32_t count = 0;
  std::vector<std::uint32_t> list;
  [[nodiscard]] std::uint32_t operator[](std::uint32_t i) const { return list.empty() ? i : list[i]; }
};

struct SlotRoles {
  SlotSet writable;
  SlotSet read_only;
};

/// read_only = round(share * slots), chosen at random; the rest is writable. Memory: 4 bytes per slot when share > 0.
SlotRoles split_slots(std::uint32_t slots, double read_only_share, std::uint64_t seed);

/// Moves `count` members chosen at random to the front of `slots` (partial Fisher-Yates).
void scatter_to_front(std::vector<std::uint32_t>& slots, std::uint32_t count, std::uint64_t seed);

}  // namespace ftlab::workloads
