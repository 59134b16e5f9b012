#include "platform/measure/core_figures.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

double energy_of(std::uint64_t cycles, std::uint64_t pj) {
  constexpr double kPicojoules = 1e12;
  return static_cast<double>(cycles) * static_cast<double>(pj) / kPicojoules;
}
double active_j(const CoreTotals& core) { return energy_of(core.awake_cycles(), core.active_cycle_pj); }
double idle_j(const CoreTotals& core) { return energy_of(core.asleep_cycles, core.idle_cycle_pj); }

/// Of numbers that are in use, by number; null: none is.
template <std::size_t N>
ordered_json by_number(const std::array<std::uint64_t, N>& values, const std::array<std::uint64_t, N>& used) {
  ordered_json json;
  for (std::size_t i = 0; i < N; ++i)
    if (used[i] != 0) json[std::to_string(i)] = values[i];
  return json;
}

using CoreValue = ordered_json (*)(const CoreTotals&);

}  // namespace

void append_core_figures(std::vector<Figure>& out) {
  using enum FigureType;
  const auto add = [&out](const char* path, const char* unit, FigureType type, const char* help, CoreValue value) {
    const auto if_any = [value](const RunRecord& r) { return r.core ? value(*r.core) : ordered_json(); };
    out.push_back({path, unit, help, type, CounterKind::flow, false, if_any, true});
  };
  add("processor.instructions", "", integer, "instructions of the simulated core",
      [](auto& core) -> ordered_json { return core.instructions; });
  add("processor.cycles", "cycles", integer, "cycles of it, asleep or awake",
      [](auto& core) -> ordered_json { return core.cycles; });
  add("processor.bus_cycles", "cycles", integer,
      "of these, those in which an instruction waited for part, bridge or registers of the host queue",
      [](auto& core) -> ordered_json { return core.bus_cycles; });
  add("processor.asleep_cycles", "cycles", integer, "of these, those in which it waited for an interrupt",
      [](auto& core) -> ordered_json { return core.asleep_cycles; });
  add("processor.flash_misses", "", integer, "lines of its flash that the cache did not hold when they were wanted",
      [](auto& core) -> ordered_json { return core.flash_misses; });
  add("processor.interrupts", "", integer, "interrupts and exceptions that it has taken",
      [](auto& core) -> ordered_json { return core.interrupts; });
  out.push_back({"processor.cycles_per_request", "cycles",
                 "(processor.cycles - processor.asleep_cycles) / host.requests; no value without a request", number,
                 CounterKind::flow, false,
                 [](const RunRecord& r) {
                   if (!r.core || r.host.requests == 0) return ordered_json();
                   return ordered_json(static_cast<double>(r.core->awake_cycles()) /
                                       static_cast<double>(r.host.requests));
                 },
                 true});
  add("processor.awake_cycles_by_cause", "cycles", numbers_by_name,
      "cycles that it was not asleep, by what the firmware worked for", [](auto& core) {
        ordered_json json = ordered_json::object();
        for (std::uint32_t c = 0; c < kCauses; ++c) json[name_of(static_cast<Cause>(c))] = core.awake_by_cause[c];
        return json;
      });
  add("processor.energy_j", "J", number, "energy of the core and its memory, which energy.total_j does not hold",
      [](auto& core) -> ordered_json { return active_j(core) + idle_j(core); });
  add("processor.energy_by_state_j", "J", numbers_by_name, "the same by state; sums to processor.energy_j",
      [](auto& core) -> ordered_json {
        return {{"active", active_j(core)}, {"asleep", idle_j(core)}};
      });
  add("processor.counters", "", numbers_by_name,
      "what the firmware has counted in the trace unit, by number of the counter",
      [](auto& core) { return by_number(core.trace.counters, core.trace.counters); });
  add("processor.marks", "", numbers_by_name,
      "how often it has come to a mark of the trace unit, by number of the mark",
      [](auto& core) { return by_number(core.trace.marks, core.trace.marks); });
  add("processor.mark_cycles", "cycles", numbers_by_name,
      "cycles from the mark before, whichever that was, to this one, summed; over processor.marks their mean",
      [](auto& core) { return by_number(core.trace.mark_cycles, core.trace.marks); });
}

}  // namespace ftlab::platform
