#include "platform/measure/request_log.h"

#include <fmt/format.h>

#include <iterator>
#include <numeric>
#include <span>
#include <stdexcept>

namespace ftlab::platform {
namespace {

const char* name_of(HostRequestKind kind) {
  switch (kind) {
    case HostRequestKind::read:
      return "read";
    case HostRequestKind::write:
      return "write";
    case HostRequestKind::trim:
      return "trim";
    case HostRequestKind::flush:
      return "flush";
  }
  throw std::logic_error("request kind outside the enumeration");
}

const char* name_of(FtlStatus status) {
  switch (status) {
    case FtlStatus::ok:
      return "ok";
    case FtlStatus::out_of_range:
      return "out_of_range";
    case FtlStatus::no_space:
      return "no_space";
    case FtlStatus::not_formatted:
      return "not_formatted";
    case FtlStatus::bad_config:
      return "bad_config";
    case FtlStatus::read_failed:
      return "read_failed";
    case FtlStatus::write_failed:
      return "write_failed";
    case FtlStatus::read_only:
      return "read_only";
  }
  throw std::logic_error("status outside the enumeration");
}

}  // namespace

RequestLog::RequestLog(const std::string& path, LogSpan& span) : file_(path, "--log-requests"), span_(span) {}

void RequestLog::begin_file(bool with_parts) {
  if (begun_) return;
  begun_ = true;
  std::string header = "arrival_s,begin_s,end_s,kind,offset,bytes,status,bus_s,cpu_s";
  for (std::uint32_t c = 0; c < kCauses; ++c) header += fmt::format(",{}_s", platform::name_of(static_cast<Cause>(c)));
  for (std::uint32_t part = 0; with_parts && part < kLatencyParts; ++part)
    header += fmt::format(",{}_s", platform::name_of(static_cast<LatencyPart>(part)));
  file_.write(header + "\n");
}

RequestLog::Spent RequestLog::spent() const {
  const LedgerTotals& totals = ledger_->totals();
  return {totals.elapsed, totals.bus_time,
          std::accumulate(totals.work_time.begin(), totals.work_time.end(), Ticks::zero())};
}

void RequestLog::completed(const CompletedRequest& request) {
  const auto found = taken_.find(request.tag);
  if (found == taken_.end()) throw std::logic_error("a request completed that was not handed out");
  const Spent before = found->second;
  taken_.erase(found);
  begin_file(request.parts != nullptr);
  if (!span_.holds(request.begun, request.ended)) return;
  const Spent now = spent();
  fmt::memory_buffer row;
  fmt::format_to(std::back_inserter(row), "{:.10f},{:.10f},{:.10f},{},{},{},{},{:.10f},{:.10f}",
                 to_seconds(request.arrived), to_seconds(request.begun), to_seconds(request.ended),
                 name_of(request.kind), request.offset, request.length,
                 request.cached ? "cached" : name_of(request.status), to_seconds(now.bus - before.bus),
                 to_seconds(now.work - before.work));
  for (std::uint32_t c = 0; c < kCauses; ++c) {
    fmt::format_to(std::back_inserter(row), ",{:.10f}", to_seconds(now.elapsed[c] - before.elapsed[c]));
  }
  if (request.parts != nullptr)
    for (const Ticks part : std::span(request.parts->all()).first(kLatencyParts))
      fmt::format_to(std::back_inserter(row), ",{:.10f}", to_seconds(part));
  row.push_back('\n');
  file_.write({row.data(), row.size()});
}

}  // namespace ftlab::platform
