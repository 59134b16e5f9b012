#include "platform/measure/bus_log.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "common/sums.h"

namespace ftlab::platform {
namespace {

/// What `part` of `whole` is of `time`.
Ticks share_of(Ticks time, Ticks part, Ticks whole) {
  return Ticks{static_cast<std::int64_t>(Int128{time.count()} * part.count() / whole.count())};
}

}  // namespace

BusLog::BusLog(const std::string& path, const LogSpan& span) : file_(path, "--log-bus"), span_(span) {
  file_.write("start_s,busy_s,accesses,cause,phase\n");
}

void BusLog::begin_phase(const char* name) {
  end_burst();
  phase_ = name;
}

void BusLog::record(const hw::DeviceOp& op, Cause cause) {
  if (op.kind == hw::DeviceOpKind::array_read) transaction_.other_time += op.busy;
  if (!is_register_or_buffer(op.kind)) return;
  if (transaction_.accesses++ == 0) {
    transaction_.start = op.start;
    transaction_.cause = cause;
  }
  transaction_.device_time += op.busy;
}

void BusLog::occupy_bus(Ticks taken) {
  const Transaction done = transaction_;
  transaction_ = {};
  if (done.accesses == 0) return;
  const Ticks both = done.device_time + done.other_time;
  const Ticks busy = done.other_time == Ticks::zero() ? taken : share_of(taken, done.device_time, both);
  last_ = {done.start, done.start + busy, busy, done.accesses, done.cause};
  join(last_);
}

void BusLog::repeat_access(std::uint64_t times, Ticks period) {
  for (std::uint64_t i = 0; i < times; ++i) {
    last_.start += period;
    last_.end += period;
    join(last_);
  }
}

void BusLog::join(const Burst& next) {
  if (burst_.accesses == 0 || burst_.cause != next.cause || next.start - burst_.end >= kBurstGap) {
    end_burst();
    burst_ = next;
    return;
  }
  burst_.end = next.end;
  burst_.busy += next.busy;
  burst_.accesses += next.accesses;
}

void BusLog::end_burst() {
  if (burst_.accesses == 0) return;
  const Burst done = std::exchange(burst_, {});
  if (!span_.holds(done.start, done.end)) return;
  fmt::memory_buffer row;
  fmt::format_to(std::back_inserter(row), "{:.10f},{:.10f},{},{},{}\n", to_seconds(done.start), to_seconds(done.busy),
                 done.accesses, name_of(done.cause), phase_);
  file_.write({row.data(), row.size()});
}

void BusLog::close() {
  end_burst();
  file_.close();
}

}  // namespace ftlab::platform
