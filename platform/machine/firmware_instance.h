// A firmware with the memory it lives in, and how a study gets one. Knows no device and no request.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "firmware/ftl/ftl.h"
#include "firmware/port/clock_port.h"
#include "firmware/port/flash_port.h"
#include "firmware/port/probe_port.h"
#include "platform/machine/device.h"
#include "platform/study/study.h"

namespace ftlab::platform {

/// What a firmware may use of the machine. All outlive it.
struct FirmwarePorts {
  FlashPort& flash;
  ProbePort& probe;
  ClockPort& clock;
  OperationEnergies energies;
  std::uint32_t bad_reserve = 0;  ///< segments that may be bad
};

/// One number of a firmware's own, for result.json and timelines.
struct FirmwareFigure {
  const char* name;  ///< with its unit
  double value;
};

class FirmwareInstance {
 public:
  virtual ~FirmwareInstance() = default;
  virtual Ftl& ftl() = 0;
  /// Numbers beside FtlStats as they stand now, the same ones in the same order every time; counters count since
  /// mount. Empty when the firmware has none.
  [[nodiscard]] virtual std::vector<FirmwareFigure> figures() const { return {}; }
};

/// Builds the firmware of a run on an attached device. Throws InputError for an impossible configuration.
using FirmwareFactory = std::function<std::unique_ptr<FirmwareInstance>(const FirmwarePorts& ports)>;

/// The firmware that the study names (ftl.firmware).
FirmwareFactory firmware_factory(const Study& study);

}  // namespace ftlab::platform
