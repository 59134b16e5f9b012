// `ftlab trace classes FILE`: the pages of a trace by how often they are written, and the write amplification that the
// analytic models predict from that. Knows its options.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "common/input_error.h"
#include "platform/cli/summary.h"
#include "platform/cli/trace_classes.h"
#include "platform/cli/trace_options.h"

namespace ftlab::platform::cli {
namespace {

constexpr std::uint32_t kMaxClasses = 1000;

struct TraceClassesFlags {
  TraceOptions trace;
  std::uint32_t classes = 5;
  std::uint64_t data_pages = 0;  ///< 0: those that the trace writes
  analytic::Inputs inputs{.spare_factor = 0.07, .pages_per_segment = 64};
  bool json = false;
};

/// What no model takes is refused before the trace is read, by the name of its option.
void check(const TraceClassesFlags& flags) {
  if (flags.classes == 0 || flags.classes > kMaxClasses) {
    throw InputError(
        fmt::format("--classes: {} is out of range; give a whole number from 1 to {}", flags.classes, kMaxClasses));
  }
  // To the models it is a number that was not given.
  if (flags.inputs.pages_per_segment == 0)
    throw InputError("--pages-per-segment: 0 is out of range; give a whole number from 1 to 1000000");
  try {
    constexpr const analytic::InputRow* kTyped[] = {&analytic::kSpareFactor, &analytic::kPagesPerSegment};
    analytic::checked(flags.inputs, kTyped);
  } catch (const InputError& error) {
    std::string text = error.what();
    std::replace(text.begin(), std::find(text.begin(), text.end(), ':'), '_', '-');
    throw InputError("--" + text);
  }
}

int print_classes(const TraceClassesFlags& flags) {
  check(flags);
  workloads::TraceInfo info = read_trace(flags.trace);
  note_empty_requests(info.empty_requests, flags.trace.path);
  if (info.pages_written == 0)
    throw InputError(fmt::format("{}: writes no page, so there are no classes of writes", flags.trace.path));
  const std::uint64_t data_pages = flags.data_pages == 0 ? info.pages_written : flags.data_pages;
  if (data_pages < info.pages_written) {
    throw InputError(fmt::format("--data-pages: {} are fewer than the {} that the trace writes; give as many or more",
                                 data_pages, info.pages_written));
  }
  const TraceClasses found = predict(std::move(info), flags.classes, data_pages, flags.inputs);
  fmt::print("{}", flags.json ? trace_classes_json(found) : trace_classes_text(found));
  return kOk;
}

}  // namespace

void register_trace_classes(CLI::App& trace, Action& action) {
  auto flags = std::make_shared<TraceClassesFlags>();
  CLI::App* command =
      trace.add_subcommand("classes", "pages by how often they are written, and the write amplification to expect");
  command->allow_extras();
  add_trace_options(*command, flags->trace);
  command->add_option("--classes", flags->classes, "quantiles of the page writes (5)")->type_name("K");
  command->add_option("--data-pages", flags->data_pages, "pages stored, when the trace does not write all of them")
      ->type_name("N");
  command->add_option("--spare-factor", flags->inputs.spare_factor, "spare segments of all segments (0.07)")
      ->type_name("S");
  command->add_option("--pages-per-segment", flags->inputs.pages_per_segment, "pages of a segment (64)")
      ->type_name("N");
  command->add_flag("--json", flags->json, "as JSON");
  command->footer(
      "Examples:\n"
      "  ftlab trace classes hplajw.srt.gz\n"
      "  ftlab trace classes disk.csv --spare-factor 0.1 --pages-per-segment 128\n"
      "  ftlab trace classes disk.csv --classes 10 --json");
  command->callback([&action, flags] { action = [flags] { return print_classes(*flags); }; });
}

}  // namespace ftlab::platform::cli
