#include "platform/measure/op_log.h"

#include <fmt/format.h>

#include <iterator>

namespace ftlab::platform {

OpLog::OpLog(const std::string& path, const LogSpan& span) : file_(path, "--log-ops"), span_(span) {
  file_.write("start_s,device,kind,address,bytes,cause,busy_s,energy_j,failed,phase\n");
}

void OpLog::record(const hw::DeviceOp& op, Cause cause) {
  if (is_register_or_buffer(op.kind) || !span_.holds(op.start, op.start + op.busy)) return;
  fmt::memory_buffer row;
  fmt::format_to(std::back_inserter(row), "{:.10f},{},{},{},{},{},{:.10f},{:.12f},{},{}\n", to_seconds(op.start),
                 op.device, hw::name_of(op.kind), op.address, op.bytes, name_of(cause), to_seconds(op.busy),
                 to_joules(op.energy), op.failed ? 1 : 0, phase_);
  file_.write({row.data(), row.size()});
}

}  // namespace ftlab::platform
