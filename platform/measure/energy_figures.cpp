#include "platform/measure/energy_figures.h"

#include "common/units.h"
#include "platform/measure/figure_sections.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

Picojoules active_energy(const RunRecord& r) {
  Picojoules active;
  for (std::uint32_t k = 0; k < hw::kDeviceOpKinds; ++k) {
    active += r.ledger.by_operation(static_cast<hw::DeviceOpKind>(k)).energy;
  }
  return active;
}

double total_joules(const RunRecord& r) {
  const Picojoules drive = r.drive ? r.drive->total() : Picojoules{};
  return to_joules(active_energy(r) + r.states.standby + r.states.sleep + drive);
}

ordered_json by_state(const RunRecord& r) {
  ordered_json states = {{"active", to_joules(active_energy(r))},
                         {"standby", to_joules(r.states.standby)},
                         {"sleep", to_joules(r.states.sleep)}};
  if (!r.drive) return states;
  states["ram"] = to_joules(r.drive->ram);
  states["controller_idle"] = to_joules(r.drive->controller_idle);
  states["controller_busy"] = to_joules(r.drive->busy());
  states["link"] = to_joules(r.drive->link);
  return states;
}

ordered_json controller_by_cause(const RunRecord& r) {
  if (!r.drive) return {};
  ordered_json json = ordered_json::object();
  for (std::uint32_t c = 0; c < kCauses; ++c)
    json[name_of(static_cast<Cause>(c))] = to_joules(r.drive->controller_busy[c]);
  return json;
}

}  // namespace

void append_energy_figures(std::vector<Figure>& out) {
  using enum FigureType;
  const auto add = [&out](const char* path, FigureType type, const char* help,
                          ordered_json (*value)(const RunRecord&)) {
    out.push_back({path, "J", help, type, CounterKind::flow, false, value, false});
  };
  add("energy.total_j", number, "everything the device drew", [](auto& r) -> ordered_json { return total_joules(r); });
  out.push_back({"energy.j_per_host_mib", "J/MiB",
                 "energy.total_j / MiB written by the host; no value where nothing was written", number,
                 CounterKind::flow, true,
                 [](const RunRecord& r) -> ordered_json {
                   const double mib = static_cast<double>(r.host.bytes_written) / static_cast<double>(kMiB);
                   return mib > 0 ? ordered_json(total_joules(r) / mib) : ordered_json(nullptr);
                 },
                 false});
  add("energy.by_state_j", numbers_by_name, "energy by state of the device; sums to energy.total_j", by_state);
  add("energy.by_operation_j", numbers_by_name, "energy by operation; sums to energy.by_state_j.active",
      [](auto& r) -> ordered_json { return by_operation(r, [](const LedgerCell& c) { return to_joules(c.energy); }); });
  add("energy.by_cause_j", numbers_by_name, "energy by cause; sums to energy.by_state_j.active",
      [](auto& r) -> ordered_json { return by_cause(r, [](const LedgerCell& c) { return to_joules(c.energy); }); });
  add("energy.controller_by_cause_j", numbers_by_name,
      "energy of the busy controller by cause; sums to energy.by_state_j.controller_busy", controller_by_cause);
  out.back().optional = true;
}

}  // namespace ftlab::platform
