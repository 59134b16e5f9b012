#include "platform/cli/trace_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "common/input_error.h"
#include "platform/cli/summary.h"
#include "workloads/traces/trace_formats.h"

namespace ftlab::platform::cli {

void add_trace_options(CLI::App& command, TraceOptions& options) {
  command
      .add_option("FILE", options.path,
                  "the trace; gzip, bzip2, xz or zstd is unpacked on the way; - is standard input")
      ->required();
  command.add_option("--format", options.info.format,
                     "one of " + workloads::trace_format_names() + "; detected when absent");
  command.add_option("--page", options.info.page_bytes, "bytes of a page for counting (4096)");
  command.add_option("--device", options.info.devices, "only this device or section; may be repeated");
  command.add_option("--action", options.action, "blkparse: the event that counts as the request (D)");
}

workloads::TraceInfo read_trace(TraceOptions options) {
  if (options.action.size() != 1) {
    throw InputError(fmt::format("--action: '{}' is not one letter; use D, Q or C", options.action));
  }
  options.info.action = options.action.front();
  workloads::TraceInfo info = workloads::collect_trace_info(options.path, options.info);
  note_open_end(info.last_line_open, options.path);
  return info;
}

}  // namespace ftlab::platform::cli
