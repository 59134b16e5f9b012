#include "platform/measure/utilization.h"

#include <numeric>

namespace ftlab::platform {
namespace {

TickSum sum(const std::vector<Ticks>& times) { return std::accumulate(times.begin(), times.end(), TickSum{}); }

}  // namespace

Utilization::Columns Utilization::since_last(Ticks now, TakenTimes taken) {
  const double passed = to_seconds(now - at_);
  const auto share = [&](TickSum before, TickSum after, std::size_t units) {
    return passed > 0 ? to_seconds(after - before) / (passed * static_cast<double>(units)) : 0.0;
  };
  Columns columns;
  const auto add_units = [&](std::string_view name, const std::vector<Ticks>& before, const std::vector<Ticks>& after) {
    if (!after.empty()) columns.emplace_back(name, share(sum(before), sum(after), after.size()));
  };
  add_units("dies_utilization", taken_.units.dies, taken.units.dies);
  add_units("channels_utilization", taken_.units.channels, taken.units.channels);
  if (taken.link) {
    const LinkTimes before = taken_.link.value_or(LinkTimes{});
    columns.emplace_back("link_to_device_utilization", share(before.to_device, taken.link->to_device, 1));
    columns.emplace_back("link_to_host_utilization", share(before.to_host, taken.link->to_host, 1));
  }
  begin(now, std::move(taken));
  return columns;
}

}  // namespace ftlab::platform
