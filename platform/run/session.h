// One run on a built system: attach, format, fill, then the measured phase; what happened goes into a RunRecord.
// Knows the order of phases; nothing of files, tables or the kernel.
#pragma once

#include <functional>
#include <memory>

#include "firmware/ftl.h"
#include "firmware/port/flash_port.h"
#include "platform/config/study.h"
#include "platform/run/farm.h"
#include "platform/run/run_record.h"
#include "platform/run/system.h"

namespace ftlab::platform {

/// A firmware with the memory it lives in.
class FirmwareInstance {
 public:
  virtual ~FirmwareInstance() = default;
  virtual Ftl& ftl() = 0;
};

/// Builds the firmware of a run on an attached device. Throws InputError for an impossible configuration.
using FirmwareFactory = std::function<std::unique_ptr<FirmwareInstance>(FlashPort&, ProbePort&)>;

/// The Flash Memory Server as the study configures it.
FirmwareFactory fms_factory(const Study& study);

struct SessionInput {
  const Study& study;
  const HostProfile& host;
  const hw::CardSpec& card;
  FirmwareFactory firmware;
  OperationSink* sink = nullptr;  ///< receives the operations of the measured phase; may be null
  ProgressFn progress;            ///< may be empty
};

/// To be called on the CPU of `system`.
RunRecord run_session(System& system, const SessionInput& input);

}  // namespace ftlab::platform
