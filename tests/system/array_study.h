// A small array under the page-mapped firmware, for tests that vary it.
#pragma once

#include "tests/system/settings.h"

namespace ftlab::platform {

/// 4 channels of two dies, each with 32 segments; written once over, after it was filled.
inline Settings array_study(const Settings& more = {}) {
  return with(
      {set("part", "array-slc"), set("host", "ssd-controller"), set("ftl.firmware", "page"),
       set("ftl.spare_factor", "0.2"), set("part_overrides.channels", "4"), set("part_overrides.dies_per_channel", "2"),
       set("part_overrides.planes", "1"), set("part_overrides.segments", "256"),
       set("part_overrides.pages_per_segment", "16"), set("part_overrides.bad_segments.initial_share", "0"),
       set("workload.kind", "uniform"), set("workload.overwrites", "1"), set("workload.queue_depth", "64")},
      more);
}

}  // namespace ftlab::platform
