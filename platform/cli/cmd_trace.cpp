// `ftlab trace info FILE`: what is in a block trace, whatever its format.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "common/input_error.h"
#include "platform/cli/commands.h"
#include "platform/cli/summary.h"
#include "workloads/traces/trace_formats.h"
#include "workloads/traces/trace_info.h"

namespace ftlab::platform::cli {
namespace {

struct TraceFlags {
  std::string path;
  workloads::TraceInfoOptions info;
  std::string action = "D";
  bool json = false;
};

int print_info(TraceFlags options) {
  if (options.action.size() != 1) {
    throw InputError(fmt::format("--action: '{}' is not one letter; use D, Q or C", options.action));
  }
  options.info.action = options.action.front();
  const workloads::TraceInfo info = workloads::collect_trace_info(options.path, options.info);
  note_open_end(info.last_line_open, options.path);
  fmt::print("{}", options.json ? workloads::trace_info_json(info) : workloads::format_trace_info(info));
  return kOk;
}

}  // namespace

void register_trace(CLI::App& app, Action& action) {
  auto options = std::make_shared<TraceFlags>();
  CLI::App* group = app.add_subcommand("trace", "look at block traces");
  CLI::App* command = group->add_subcommand("info", "requests, mix, pages, locality and span of a trace");
  command->allow_extras();
  command
      ->add_option("FILE", options->path,
                   "the trace; gzip, bzip2, xz or zstd is unpacked on the way; - is standard input")
      ->required();
  command->add_option("--format", options->info.format,
                      "one of " + workloads::trace_format_names() + "; detected when absent");
  command->add_option("--page", options->info.page_bytes, "bytes of a page for counting (4096)");
  command->add_option("--device", options->info.devices, "only this device or section; may be repeated");
  command->add_option("--action", options->action, "blkparse: the event that counts as the request (D)");
  command->add_flag("--json", options->json, "as JSON");
  command->footer(
      "Examples:\n"
      "  ftlab trace info hplajw.srt.gz\n"
      "  ftlab trace info disk.csv --format msr --page 8192\n"
      "  zcat trace.gz | ftlab trace info - --json");
  command->callback([&action, options] { action = [options] { return print_info(*options); }; });
}

}  // namespace ftlab::platform::cli
