// Writes every flash operation to a CSV file (gzip when the name ends in .gz).
// Columns: start_s, device, kind, address, bytes, cause, busy_s, energy_j, failed, phase. Register and buffer cycles
// are not flash operations and are left out. Rows are in order of completion. Invariant: a file appears, or an older
// one is replaced, only when the log is complete.
#pragma once

#include <boost/iostreams/filtering_stream.hpp>
#include <string>

#include "platform/files/output_dir.h"
#include "platform/measure/ledger.h"

namespace ftlab::platform {

class OpLog final : public OperationSink {
 public:
  /// Throws InputError when the file cannot be written.
  explicit OpLog(const std::string& path);
  void begin_phase(const char* name) override { phase_ = name; }
  void record(const hw::DeviceOp& op, Cause cause) override;
  /// Everything is under the file's name when this returns; throws InputError when it cannot be (disk full).
  void close();

 private:
  OutputFile file_;
  std::string failure_;                      ///< why the file could not be written on; empty: none
  boost::iostreams::filtering_ostream out_;  ///< last: it flushes into the others when it goes
  const char* phase_ = "";
};

}  // namespace ftlab::platform
