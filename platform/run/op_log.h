// Writes every flash operation to a CSV file (gzip when the name ends in .gz).
// Columns: start_s, device, kind, address, bytes, cause, busy_s, energy_j, failed. Register and buffer cycles are not
// flash operations and are left out. Rows are in order of completion.
#pragma once

#include <boost/iostreams/filtering_stream.hpp>
#include <string>

#include "platform/cpu/ledger.h"

namespace ftlab::platform {

class OpLog final : public OperationSink {
 public:
  /// Throws InputError when the file cannot be written.
  explicit OpLog(const std::string& path);
  ~OpLog() override;
  void record(const hw::DeviceOp& op, Cause cause) override;
  /// Flushes and closes; throws InputError when the disk is full. A file that could not be completed is removed.
  void close();

 private:
  std::string path_;
  boost::iostreams::filtering_ostream out_;
  bool closed_ = false;
};

}  // namespace ftlab::platform
