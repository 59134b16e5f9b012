// Figures of response times: mean, percentiles, and the distribution.
#pragma once

#include <string>
#include <vector>

#include "platform/measure/figures.h"

namespace ftlab::platform {

/// Below `path`, of what the host has recorded in that member.
void append_latency_figures(std::vector<Figure>& out, const std::string& path,
                            const LatencyRecorder HostTotals::*recorder);
/// What they are made of, where requests were followed.
void append_parts_figures(std::vector<Figure>& out, const std::string& path, const PartsRecorder HostTotals::*recorder);

}  // namespace ftlab::platform
