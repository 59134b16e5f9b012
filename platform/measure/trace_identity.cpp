#include "platform/measure/trace_identity.h"

#include <fmt/format.h>

#include <filesystem>

#include "common/input_error.h"
#include "platform/study/firmware_row.h"
#include "workloads/traces/digest.h"

namespace ftlab::platform {

std::string identified_program(const Study& study) {
  const auto own = firmware_of(study).program;
  if (own == nullptr) return {};
  const OwnProgram& program = *own(study);
  std::error_code ignored;
  if (!std::filesystem::exists(program.elf, ignored))
    throw InputError(
        fmt::format("{}{}: no such file; build the firmware first", study.where_of("firmware.elf"), program.elf));
  const std::string digest = workloads::trace_digest(program.elf);
  if (program.sha256.empty() || program.sha256 == digest) return digest;
  throw InputError(
      fmt::format("{}{} is another program than this one: its SHA-256 is {}, not {}; give the right file (--set "
                  "firmware.elf=FILE), or take any (--set firmware.sha256=\"\")",
                  study.where_of("firmware.sha256"), program.elf, digest, program.sha256));
}

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
