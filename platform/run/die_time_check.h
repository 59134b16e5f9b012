// What dies worked, by the dies, and by what the ledger booked for them.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <numeric>
#include <stdexcept>

#include "platform/measure/run_record.h"

namespace ftlab::platform {

/// Throws std::logic_error.
inline void check_die_time(const RunRecord& record) {
  if (record.units.dies.empty()) return;
  TickSum by_cause{};
  for (std::uint32_t c = 0; c < kCauses; ++c) by_cause += record.ledger.by_cause(static_cast<Cause>(c)).die_time;
  const TickSum by_die = std::accumulate(record.units.dies.begin(), record.units.dies.end(), TickSum{});
  if (by_cause == by_die) return;
  throw std::logic_error(
      fmt::format("dies worked for {} s, and {} s were booked", to_seconds(by_die), to_seconds(by_cause)));
}

}  // namespace ftlab::platform
