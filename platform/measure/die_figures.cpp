#include "platform/measure/die_figures.h"

#include <algorithm>
#include <numeric>

#include "platform/measure/figure_sections.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

using DieValue = ordered_json (*)(const RunRecord&);

double sum_s(const std::vector<Ticks>& times) {
  return to_seconds(std::accumulate(times.begin(), times.end(), TickSum{}));
}

/// Share of the measured time; 0 when none passed.
double share_of_time(const RunRecord& r, double seconds) {
  const double simulated = to_seconds(r.ledger.simulated());
  return simulated > 0 ? seconds / simulated : 0.0;
}

/// What is left are cycles on the bus.
bool occupies_plane(hw::DeviceOpKind kind) {
  using enum hw::DeviceOpKind;
  return kind == load || kind == buffer_program || kind == erase || kind == other;
}

}  // namespace

void append_die_figures(std::vector<Figure>& out) {
  using enum FigureType;
  const auto add = [&out](const char* path, const char* unit, FigureType type, const char* help, DieValue value) {
    const auto if_reported = [value](const RunRecord& r) { return r.units.dies.empty() ? ordered_json() : value(r); };
    out.push_back({path, unit, help, type, CounterKind::flow, false, if_reported, true});
  };
  add("dies.time_by_cause_s", "s", numbers_by_name,
      "time in which dies worked by cause; sums to dies.mean_working x time.simulated_s",
      [](auto& r) -> ordered_json { return by_cause(r, [](const LedgerCell& c) { return to_seconds(c.die_time); }); });
  add("dies.time_by_operation_s", "s", numbers_by_name, "the same by operation", [](auto& r) -> ordered_json {
    return by_operation(r, [](const LedgerCell& c) { return to_seconds(c.die_time); });
  });
  add("dies.mean_working", "", number, "dies at work at a time, mean",
      [](auto& r) -> ordered_json { return share_of_time(r, sum_s(r.units.dies)); });
  add("dies.utilization", "", number, "share of the time in which a die works, mean of the dies",
      [](auto& r) -> ordered_json {
        return share_of_time(r, sum_s(r.units.dies)) / static_cast<double>(r.units.dies.size());
      });
  add("dies.utilization_least", "", number, "the same of the die that works least",
      [](auto& r) -> ordered_json { return share_of_time(r, to_seconds(std::ranges::min(r.units.dies))); });
  add("dies.utilization_most", "", number, "the same of the die that works most",
      [](auto& r) -> ordered_json { return share_of_time(r, to_seconds(std::ranges::max(r.units.dies))); });
  add("planes.utilization", "", number,
      "share of the time in which a plane that works by itself does, mean of the planes", [](auto& r) -> ordered_json {
        double busy = 0;
        for (std::uint32_t k = 0; k < hw::kDeviceOpKinds; ++k)
          if (occupies_plane(static_cast<hw::DeviceOpKind>(k)))
            busy += to_seconds(r.ledger.by_operation(static_cast<hw::DeviceOpKind>(k)).busy);
        return share_of_time(r, busy) / static_cast<double>(r.units.dies.size() * r.units.planes);
      });
  add("channels.time_s", "s", number, "time for which channels were taken, their sum",
      [](auto& r) -> ordered_json { return sum_s(r.units.channels); });
  add("channels.utilization", "", number, "share of the time for which a channel is taken, mean of the channels",
      [](auto& r) -> ordered_json {
        return share_of_time(r, sum_s(r.units.channels)) / static_cast<double>(r.units.channels.size());
      });
  const auto add_link = [&out](const char* path, const char* help, Ticks LinkTimes::*taken) {
    out.push_back({path, "", help, number, CounterKind::flow, false,
                   [taken](const RunRecord& r) {
                     return r.link ? ordered_json(share_of_time(r, to_seconds(*r.link.*taken))) : ordered_json();
                   },
                   true});
  };
  add_link("link.to_device_utilization", "share of the time in which the wires to the device are taken",
           &LinkTimes::to_device);
  add_link("link.to_host_utilization", "the same of the wires to the host", &LinkTimes::to_host);
  add_link("link.front_utilization", "share of the time in which the device's front end takes commands",
           &LinkTimes::front);
}

}  // namespace ftlab::platform
