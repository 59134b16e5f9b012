#include "platform/measure/firmware_counts.h"

namespace ftlab::platform {
namespace {

/// A reading from which zero has grown by `since`, modulo 2^64.
FtlStats before_zero(const FtlStats& since) { return between(kFtlCounters, since, FtlStats{}); }

}  // namespace

FirmwareCounts::FirmwareCounts(FirmwareInstance& firmware)
    : ftl_(firmware.ftl().stats()), figures_(firmware.figures()) {
  const auto victims = firmware.victims_by_valid();
  victims_.assign(victims.begin(), victims.end());
}

void FirmwareCounts::carry_over(FirmwareInstance& ended, const FtlStats& undone) {
  ftl_ = before_zero(without(kFtlCounters, ftl_since(ended.ftl().stats()), undone));
  const std::vector<FirmwareFigure> figures = ended.figures();
  for (std::size_t i = 0; i < figures.size(); ++i) figures_[i].value -= figures[i].value;
  const auto victims = ended.victims_by_valid();
  for (std::size_t i = 0; i < victims.size(); ++i) victims_[i] -= victims[i];
}

std::vector<FirmwareFigure> FirmwareCounts::figures_since(std::vector<FirmwareFigure> now) const {
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (now[i].kind == CounterKind::flow) now[i].value -= figures_[i].value;
  }
  return now;
}

std::vector<std::uint64_t> FirmwareCounts::victims_since(const FirmwareInstance& now) const {
  const auto counted = now.victims_by_valid();
  std::vector<std::uint64_t> since(counted.begin(), counted.end());
  for (std::size_t i = 0; i < since.size(); ++i) since[i] -= victims_[i];
  return since;
}

}  // namespace ftlab::platform
