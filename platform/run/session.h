// One run on a built system: attach, format, fill, then the measured phase; what happened goes into a RunRecord.
// Knows the order of phases; nothing of files, tables or the kernel.
#pragma once

#include "platform/machine/machine.h"
#include "platform/measure/run_record.h"
#include "platform/run/progress_fn.h"
#include "platform/study/study.h"

namespace ftlab::platform {

struct SessionInput {
  const Study& study;
  OperationSink* sink = nullptr;        ///< receives every operation and the phase it is in; may be null
  RequestObserver* observer = nullptr;  ///< of the measured requests; may be null
  ProgressFn progress;                  ///< may be empty
};

/// To be called on the processor of `machine`.
RunRecord run_session(Machine& machine, const SessionInput& input);

}  // namespace ftlab::platform
