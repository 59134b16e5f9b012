// What the FMS decides by, over a volume: configuration, policies and their clock. Data only.
#pragma once

#include <cstdint>

#include "firmware/ftl/fms/fms_config.h"
#include "firmware/policy/policy_set.h"
#include "firmware/volume/segment_groups.h"
#include "firmware/volume/volume.h"

namespace ftlab::fms {

struct FmsState {
  FmsState(FlashPort& flash, ProbePort& probe, const FmsConfig& fms_config)
      : config(fms_config),
        groups(flash, units_of(fms_config, flash.geometry())),
        volume(groups.units() == 1 ? flash : groups, probe, volume_config(fms_config)) {}

  /// Until the volume is mounted no policy sees it.
  void clear() {
    volume.segments.watch(nullptr);
    volume.pages.watch(nullptr);
    volume.clear();
    clock_offset = 0;
  }
  /// Once it is mounted: the policies see what is there, and every change from now on.
  void join() {
    volume.segments.join(policies, volume.order);
    if (policies.watches_pages()) volume.pages.join(policies);
  }
  [[nodiscard]] CleaningView view() const {
    const std::uint32_t stream = volume.waiting;
    const bool cleans_for = stream != kNone && !is_placed(config, static_cast<StreamId>(stream));
    return {volume.segments, volume.pages,
            volume.clock,    data_segments(volume.geometry),
            volume.probe,    cleans_for ? cleaning_number(static_cast<StreamId>(stream)) : kNone};
  }

  FmsConfig config;
  SegmentGroups groups;  ///< the volume's part where a segment has several erase units
  Volume volume;
  PolicySet policies;
  std::uint64_t clock_offset = 0;  ///< added to the host's time so that the policy clock never runs backwards
};

}  // namespace ftlab::fms
