// `ftlab trace info FILE`: what is in a block trace, whatever its format.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "platform/cli/commands.h"
#include "platform/cli/trace_options.h"
#include "workloads/traces/trace_info.h"

namespace ftlab::platform::cli {
namespace {

struct TraceInfoFlags {
  TraceOptions trace;
  bool json = false;
};

int print_info(const TraceInfoFlags& flags) {
  const workloads::TraceInfo info = read_trace(flags.trace);
  fmt::print("{}", flags.json ? workloads::trace_info_json(info) : workloads::format_trace_info(info));
  return kOk;
}

}  // namespace

void register_trace(CLI::App& app, Action& action) {
  auto flags = std::make_shared<TraceInfoFlags>();
  CLI::App* group = app.add_subcommand("trace", "look at block traces");
  group->footer("Examples: `ftlab trace COMMAND --help`");
  CLI::App* command = group->add_subcommand("info", "requests, mix, pages, locality and span of a trace");
  command->allow_extras();
  add_trace_options(*command, flags->trace);
  command->add_flag("--json", flags->json, "as JSON");
  command->footer(
      "Examples:\n"
      "  ftlab trace info hplajw.srt.gz\n"
      "  ftlab trace info disk.csv --format msr --page 8192\n"
      "  zcat trace.gz | ftlab trace info - --json");
  command->callback([&action, flags] { action = [flags] { return print_info(*flags); }; });
  register_trace_classes(*group, action);
}

}  // namespace ftlab::platform::cli
