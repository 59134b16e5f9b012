// Writes every flash operation to a CSV file (gzip when the name ends in .gz).
// Columns: start_s, device, kind, address, bytes, cause, busy_s, energy_j, failed, phase. Register and buffer cycles
// are not flash operations and are left out (BusLog has them). Rows are in order of completion.
#pragma once

#include <string>

#include "platform/machine/ledger.h"
#include "platform/measure/log_file.h"
#include "platform/measure/log_span.h"

namespace ftlab::platform {

class OpLog final : public OperationSink {
 public:
  /// Throws InputError when the file cannot be written. `span` outlives the log.
  OpLog(const std::string& path, const LogSpan& span);
  void begin_phase(const char* name) override { phase_ = name; }
  void record(const hw::DeviceOp& op, Cause cause) override;
  void close() { file_.close(); }

 private:
  LogFile file_;
  const LogSpan& span_;
  const char* phase_ = "";
};

}  // namespace ftlab::platform
