#include "platform/measure/power_figures.h"

#include <algorithm>
#include <numeric>

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

using PowerValue = ordered_json (*)(const PowerRecord&);

/// Of those that ended.
std::vector<double> mounts_s(const PowerRecord& power) {
  std::vector<double> mounts;
  for (const PowerLossRecord& loss : power.losses) {
    if (loss.mounted) mounts.push_back(to_seconds(loss.mount));
  }
  return mounts;
}

template <class Get>
ordered_json each(const PowerRecord& power, Get get) {
  ordered_json list = ordered_json::array();
  for (const PowerLossRecord& loss : power.losses) list.push_back(get(loss));
  return list;
}

/// Bytes that were in data RAM, or as many zeros where they met the other fate.
ordered_json in_ram(const PowerRecord& power, bool met) {
  if (std::ranges::none_of(power.losses, [](auto& loss) { return loss.bytes_in_ram.has_value(); })) return {};
  return each(power, [met](auto& loss) { return met ? loss.bytes_in_ram.value_or(0) : 0; });
}

template <class Get>
ordered_json held_up(const PowerRecord& power, Get get) {
  if (!power.protects) return {};
  return each(power, [&get](auto& loss) { return get(loss.held_up.value_or(HeldUp{})); });
}

}  // namespace

void append_power_figures(std::vector<Figure>& out) {
  using enum FigureType;
  const auto add = [&out](const char* path, const char* unit, FigureType type, const char* help, PowerValue value) {
    const auto if_any = [value](const RunRecord& r) {
      return r.power.planned == 0 && r.power.losses.empty() ? ordered_json() : value(r.power);
    };
    out.push_back({path, unit, help, type, CounterKind::flow, false, if_any, true});
  };
  add("power_cycles.planned", "", integer, "losses of power that the study asks for",
      [](auto& power) -> ordered_json { return power.planned; });
  add("power_cycles.losses", "", integer, "losses of power before the end of the run",
      [](auto& power) -> ordered_json { return power.losses.size(); });
  add("power_cycles.mounts", "", integer,
      "mounts after them that ended well; a loss during a mount has none, and one that fails ends the run",
      [](auto& power) -> ordered_json { return mounts_s(power).size(); });
  add("power_cycles.mount_mean_s", "s", number,
      "mean time from a loss to the end of the mount, of power_cycles.mounts; absent without one",
      [](auto& power) -> ordered_json {
        const std::vector<double> all = mounts_s(power);
        if (all.empty()) return {};
        return std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
      });
  add("power_cycles.mount_max_s", "s", number, "longest of them; absent without one", [](auto& power) -> ordered_json {
    const std::vector<double> all = mounts_s(power);
    return all.empty() ? ordered_json() : ordered_json(std::ranges::max(all));
  });
  add("power_cycles.at_s", "s", list, "time of each loss since the start of the measured phase",
      [](auto& power) { return each(power, [](auto& loss) { return to_seconds(loss.at); }); });
  add("power_cycles.requests", "", list, "requests answered before each loss",
      [](auto& power) { return each(power, [](auto& loss) { return loss.requests; }); });
  add("power_cycles.in_flight", "", list, "requests in flight at each loss, which the host sent again",
      [](auto& power) { return each(power, [](auto& loss) { return loss.in_flight; }); });
  add("power_cycles.mount_s", "s", list, "time from each loss to the end of the mount, or to the next loss",
      [](auto& power) { return each(power, [](auto& loss) { return to_seconds(loss.mount); }); });
  add("power_cycles.mount_j", "J", list, "energy of the operations meanwhile that have the cause mount",
      [](auto& power) { return each(power, [](auto& loss) { return to_joules(loss.work.energy); }); });
  add("power_cycles.torn_programs", "", list, "programs that each loss broke off",
      [](auto& power) { return each(power, [](auto& loss) { return loss.torn_programs; }); });
  add("power_cycles.torn_erases", "", list, "erases that each loss broke off",
      [](auto& power) { return each(power, [](auto& loss) { return loss.torn_erases; }); });
  add("power_cycles.lost_bytes", "B", list,
      "bytes of pages that each loss took from data RAM, answered and not programmed; absent where writes are not "
      "answered from there (ftl.write_buffer)",
      [](auto& power) { return in_ram(power, !power.protects); });
  add("power_cycles.saved_bytes", "B", list,
      "the same of those that were programmed with what capacitors hold (controller.power_loss_protection); absent "
      "without them",
      [](auto& power) { return power.protects ? in_ram(power, true) : ordered_json(); });
  add("power_cycles.hold_up_s", "s", list,
      "time for which capacitors had to hold the drive up at each loss; 0: in a mount; absent without them",
      [](auto& power) { return held_up(power, [](const HeldUp& held) { return to_seconds(held.time); }); });
  add("power_cycles.hold_up_j", "J", list, "energy that the drive but its link took meanwhile; absent without them",
      [](auto& power) { return held_up(power, [](const HeldUp& held) { return to_joules(held.energy); }); });
  add("power_cycles.mount_reads", "", list, "flash.reads from each loss to the end of the mount, or to the next loss",
      [](auto& power) { return each(power, [](auto& loss) { return loss.work.reads; }); });
  add("power_cycles.mount_programs", "", list, "flash.programs meanwhile",
      [](auto& power) { return each(power, [](auto& loss) { return loss.work.programs; }); });
  add("power_cycles.mount_erases", "", list, "erases meanwhile",
      [](auto& power) { return each(power, [](auto& loss) { return loss.work.erases; }); });
  add("power_cycles.mounted", "", list,
      "1 for each of these mounts that ended well; 0: power was lost again, or it failed",
      [](auto& power) { return each(power, [](auto& loss) { return loss.mounted ? 1 : 0; }); });
}

}  // namespace ftlab::platform
