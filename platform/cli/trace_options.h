// The options of every command that counts what is in a trace, and the pass over it.
#pragma once

#include <string>

#include "platform/cli/commands.h"
#include "workloads/traces/trace_info.h"

namespace ftlab::platform::cli {

struct TraceOptions {
  std::string path;
  workloads::TraceInfoOptions info;
  std::string action = "D";
};

/// FILE, --format, --page, --device, --action. `options` outlives the parsing.
void add_trace_options(CLI::App& command, TraceOptions& options);

/// Says on standard error that the trace may be cut short, when it may. Throws InputError.
workloads::TraceInfo read_trace(TraceOptions options);

/// `ftlab trace classes FILE`, below the command `trace`.
void register_trace_classes(CLI::App& trace, Action& action);

}  // namespace ftlab::platform::cli
