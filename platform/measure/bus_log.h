// Writes bursts of bus accesses to a CSV file (gzip when the name ends in .gz): register accesses and buffer loads,
// which OpLog leaves out. Columns: start_s, busy_s, accesses, cause, phase. busy_s is how long the processor held the
// bus, gaps excluded. Rows are in order of start. Knows no device and no register.
#pragma once

#include <cstdint>
#include <string>

#include "platform/machine/ledger.h"
#include "platform/measure/log_file.h"
#include "platform/measure/log_span.h"

namespace ftlab::platform {

/// Accesses of one cause with gaps below this one are one burst. Longer than any gap inside a command sequence, as its
/// accesses follow each other with nothing but bus cycles (0.6 us at most) between; shorter than what the firmware
/// does between two sequences, and than the waits of a driver.
inline constexpr Ticks kBurstGap = std::chrono::microseconds{1};

class BusLog final : public OperationSink {
 public:
  /// Throws InputError when the file cannot be written. `span` outlives the log.
  BusLog(const std::string& path, const LogSpan& span);
  void begin_phase(const char* name) override;
  void record(const hw::DeviceOp& op, Cause cause) override;
  void occupy_bus(Ticks taken) override;
  void repeat_access(std::uint64_t times, Ticks period) override;
  void close();

 private:
  struct Burst {
    Ticks start{};
    Ticks end{};
    Ticks busy{};
    std::uint64_t accesses = 0;
    Cause cause = Cause::host;
  };
  /// What the transaction under way has done so far: the device may split it into several accesses.
  struct Transaction {
    Ticks start{};
    Ticks device_time{};  ///< of register accesses and buffer loads
    Ticks other_time{};   ///< of array reads
    std::uint64_t accesses = 0;
    Cause cause = Cause::host;
  };

  void join(const Burst& next);
  /// Writes the burst as a row.
  void end_burst();

  LogFile file_;
  const LogSpan& span_;
  const char* phase_ = "";
  Transaction transaction_;
  Burst last_;  ///< the last transaction
  Burst burst_;
};

}  // namespace ftlab::platform
