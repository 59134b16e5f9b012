// The table of trace formats: name, one line of help, reader. A new one is a file in formats/ and a line in its
// members.inc.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "workloads/traces/byte_input.h"
#include "workloads/traces/line_parser.h"
#include "workloads/traces/trace_reader.h"

namespace ftlab::workloads {

struct TraceFormat {
  std::string_view name;
  std::string_view help;
  /// Lines of several CPUs are logged in blocks: records want sorting by time.
  bool out_of_order;
  /// Text formats have a line parser; binary ones the other two.
  std::unique_ptr<LineParser> (*make_parser)(const ReaderOptions& options);
  std::unique_ptr<TraceReader> (*make_binary)(ByteInput input, const ReaderOptions& options);
  bool (*looks_like)(std::string_view head);
};

/// What the files of formats/ define.
namespace formats {
#define FTLAB_MEMBER(name) extern const TraceFormat name;
#include "workloads/traces/formats/members.inc"
#undef FTLAB_MEMBER
}  // namespace formats

std::span<const TraceFormat* const> trace_formats();

/// nullptr when there is none of that name.
const TraceFormat* find_trace_format(std::string_view name);

/// "hp_srt, msr, ..." for messages.
std::string trace_format_names();

}  // namespace ftlab::workloads
