#include "platform/measure/trace_identity.h"

#include <fmt/format.h>

#include "common/input_error.h"
#include "workloads/traces/digest.h"

namespace ftlab::platform {

std::string identified_trace(const Study& study) {
  const WorkloadChoices& workload = study.workload;
  if (workload.kind != "trace") return {};
  const std::string digest = workloads::trace_digest(workload.path);
  if (workload.sha256.empty() || workload.sha256 == digest) return digest;
  throw InputError(
      fmt::format("{}{} is another trace than this one: its SHA-256 is {}, not {}; give the right file "
                  "(--set workload.path=FILE), or take any (--set workload.sha256=\"\")",
                  study.where_of("workload.sha256"), workload.path, digest, workload.sha256));
}

}  // namespace ftlab::platform
