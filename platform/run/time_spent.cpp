#include "platform/run/time_spent.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "platform/files/host_file.h"

namespace ftlab::platform {
namespace {

/// The keys that decide how long the host waits.
std::string of_waiting(const Study& study) {
  const bool open_loop = study.arrival.kind != workloads::Arrival::closed_loop;
  if (open_loop && study.arrival.kind == workloads::Arrival::poisson) return "workload.mean_interarrival_s, gaps";
  if (open_loop && study.workload.kind == "trace") return "the times of the trace (workload.repeat, workload.path)";
  if (open_loop) return "the times of the scenario (scenario_overrides)";
  if (study.workload.idle_every > 0 && study.workload.idle_s > 0) return "workload.idle_s, pauses";
  return "waiting for the part (part_overrides.timing, interrupt_latency and timers of the host)";
}

}  // namespace

std::string where_time_went(const Study& study, const ProcessorProfile& host, const LedgerTotals& totals) {
  const auto work = std::ranges::max_element(totals.work_time);
  const Ticks working = std::accumulate(totals.work_time.begin(), totals.work_time.end(), Ticks::zero());
  const Ticks waiting = totals.simulated() - working - totals.bus_time;
  const Ticks most = std::max({*work, totals.bus_time, waiting});
  std::string what = of_waiting(study);
  if (most == *work) {
    const auto kind = static_cast<std::size_t>(work - totals.work_time.begin());
    what = fmt::format("work.{} of the host, {:g} s each (host_overrides)", name_of(static_cast<Work>(kind)),
                       to_seconds(host.work.at(kind)));
  } else if (most == totals.bus_time) {
    what = "bus cycles (bus_read_cycle and bus_write_cycle of the host, part_overrides.bus or .timing)";
  }
  return fmt::format("{:.0f} % of it is {}; lower that, or ask for fewer requests",
                     100 * to_seconds(most) / to_seconds(totals.simulated()), what);
}

}  // namespace ftlab::platform
