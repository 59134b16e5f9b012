// The logs of one run: those that were asked for, as one sink of operations and one observer of requests.
// Knows which logs there are; nothing of their rows.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "platform/machine/ledger.h"
#include "platform/measure/bus_log.h"
#include "platform/measure/log_file.h"
#include "platform/measure/op_log.h"
#include "platform/measure/request_log.h"

namespace ftlab::platform {

/// Files to write; an empty name = no such log.
struct LogFiles {
  std::string ops{};           ///< every flash operation
  std::string requests{};      ///< every request of the measured phase
  std::string bus{};           ///< bursts of bus accesses
  std::string profile{};       ///< where the cycles of a core go
  std::string coverage{};      ///< the source lines that it executes
  std::string instructions{};  ///< every instruction of it, in a span that is no whole run
  LogSpan span{};              ///< what they hold
};

class RunLogs final : private OperationSink {
 public:
  /// Throws InputError when a file cannot be written.
  explicit RunLogs(const LogFiles& files);

  /// Receives every operation, and the begin of the measured phase; null when no log wants them.
  [[nodiscard]] OperationSink* operations() { return ops_ || bus_ ? this : nullptr; }
  /// Watches requests, whose time `ledger` books; null when no log wants them.
  [[nodiscard]] RequestObserver* requests(const Ledger& ledger);
  /// Takes where a core's cycles have gone; empty when nobody asks.
  [[nodiscard]] std::function<void(std::string_view)> profile() { return into(profile_); }
  /// Takes the lines that it has executed; the same.
  [[nodiscard]] std::function<void(std::string_view)> coverage() { return into(coverage_); }
  /// Takes its instructions, row by row; the same.
  [[nodiscard]] std::function<void(std::string_view)> instructions() { return into(instructions_); }
  /// All files are complete when this returns; throws InputError when one cannot be (disk full).
  void close();

 private:
  void begin_phase(const char* name) override;
  void begin_measuring(Ticks now) override { span_.begin_measuring(now); }
  void record(const hw::DeviceOp& op, Cause cause) override;
  void occupy_bus(Ticks taken) override;
  void repeat_access(std::uint64_t times, Ticks period) override;
  static std::function<void(std::string_view)> into(std::optional<LogFile>& file);

  LogSpan span_;
  std::optional<OpLog> ops_;
  std::optional<RequestLog> requests_;
  std::optional<BusLog> bus_;
  std::optional<LogFile> profile_;
  std::optional<LogFile> coverage_;
  std::optional<LogFile> instructions_;
};

}  // namespace ftlab::platform
