// Which trace a study replays and which program it runs, and that they are the ones the study means.
#pragma once

#include <string>

#include "platform/study/study.h"

namespace ftlab::platform {

/// The digest of the study's trace; empty for other workloads. Throws InputError when the study names another one
/// (workload.sha256).
std::string identified_trace(const Study& study);
/// The same of a firmware of one's own (firmware.sha256).
std::string identified_program(const Study& study);

}  // namespace ftlab::platform
