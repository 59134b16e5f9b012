// Writes every request that completes to a CSV file (gzip when the name ends in .gz), in order of completion.
// Columns: arrival_s, begin_s, end_s, kind, offset, bytes, status, bus_s, cpu_s and, for each cause, CAUSE_s: what the
// ledger booked between begin and end. With one request in flight the causes sum to end_s - begin_s; with several they
// are what the processor spent meanwhile, on whichever of them. Where requests are followed a column for each part of
// the latency comes behind. Knows no host and no workload.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "platform/host/request_observer.h"
#include "platform/machine/ledger.h"
#include "platform/measure/log_file.h"
#include "platform/measure/log_span.h"

namespace ftlab::platform {

class RequestLog final : public RequestObserver {
 public:
  /// Throws InputError when the file cannot be written. `span` outlives the log.
  RequestLog(const std::string& path, LogSpan& span);
  /// Where time is booked; outlives the log's requests. To be called before the first one is taken.
  void watch(const Ledger& ledger) { ledger_ = &ledger; }
  void begin_measuring(Ticks now) override { span_.begin_measuring(now); }
  void taken(std::uint32_t tag) override { taken_.emplace(tag, spent()); }
  void completed(const CompletedRequest& request) override;
  void close() {
    begin_file(false);
    file_.close();
  }

 private:
  /// What the processor has spent since the machine began.
  struct Spent {
    std::array<Ticks, kCauses> elapsed{};
    Ticks bus{};
    Ticks work{};
  };
  [[nodiscard]] Spent spent() const;
  /// The header, once.
  void begin_file(bool with_parts);

  LogFile file_;
  LogSpan& span_;
  const Ledger* ledger_ = nullptr;
  bool begun_ = false;                              ///< the header is written
  std::unordered_map<std::uint32_t, Spent> taken_;  ///< by tag, those in flight
};

}  // namespace ftlab::platform
