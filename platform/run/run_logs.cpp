#include "platform/run/run_logs.h"

namespace ftlab::platform {

RunLogs::RunLogs(const LogFiles& files) : span_(files.span) {
  if (!files.ops.empty()) ops_.emplace(files.ops, span_);
  if (!files.requests.empty()) requests_.emplace(files.requests, span_);
  if (!files.bus.empty()) bus_.emplace(files.bus, span_);
  if (!files.profile.empty()) profile_.emplace(files.profile, "--profile");
  if (!files.coverage.empty()) coverage_.emplace(files.coverage, "--coverage");
  if (!files.instructions.empty()) instructions_.emplace(files.instructions, "--log-instructions");
}

RequestObserver* RunLogs::requests(const Ledger& ledger) {
  if (!requests_) return nullptr;
  requests_->watch(ledger);
  return &*requests_;
}

std::function<void(std::string_view)> RunLogs::into(std::optional<LogFile>& file) {
  if (!file) return {};
  return [&file](std::string_view text) { file->write(text); };
}

void RunLogs::begin_phase(const char* name) {
  if (ops_) ops_->begin_phase(name);
  if (bus_) bus_->begin_phase(name);
}

void RunLogs::record(const hw::DeviceOp& op, Cause cause) {
  if (ops_) ops_->record(op, cause);
  if (bus_) bus_->record(op, cause);
}

void RunLogs::occupy_bus(Ticks taken) {
  if (bus_) bus_->occupy_bus(taken);
}

void RunLogs::repeat_access(std::uint64_t times, Ticks period) {
  if (bus_) bus_->repeat_access(times, period);
}

void RunLogs::close() {
  if (ops_) ops_->close();
  if (requests_) requests_->close();
  if (bus_) bus_->close();
  if (profile_) profile_->close();
  if (coverage_) coverage_->close();
  if (instructions_) instructions_->close();
}

}  // namespace ftlab::platform
