// Where a firmware's counters stood when something began, so that a phase is what they have grown by since. Flows of a
// firmware that starts anew begin at zero; those of its predecessor stay in the difference.
#pragma once

#include <cstdint>
#include <vector>

#include "firmware/ftl/ftl.h"
#include "platform/firmwares/firmware_instance.h"

namespace ftlab::platform {

class FirmwareCounts {
 public:
  FirmwareCounts() = default;
  explicit FirmwareCounts(FirmwareInstance& firmware);
  /// This firmware ends here, and another one goes on from zero. `undone`: what it counted without effect.
  void carry_over(FirmwareInstance& ended, const FtlStats& undone);

  // What has happened since; states as they are now.
  [[nodiscard]] FtlStats ftl_since(const FtlStats& now) const { return between(kFtlCounters, ftl_, now); }
  [[nodiscard]] std::vector<FirmwareFigure> figures_since(std::vector<FirmwareFigure> now) const;
  [[nodiscard]] std::vector<std::uint64_t> victims_since(const FirmwareInstance& now) const;

 private:
  // Modulo 2^64 once something was carried over.
  FtlStats ftl_;
  std::vector<FirmwareFigure> figures_;
  std::vector<std::uint64_t> victims_;
};

}  // namespace ftlab::platform
