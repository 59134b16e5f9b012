#include "workloads/traces/open_trace.h"

#include <fmt/format.h>

#include <cctype>
#include <utility>

#include "common/input_error.h"
#include "workloads/traces/detect.h"
#include "workloads/traces/text_reader.h"

namespace ftlab::workloads {

OpenTrace open_trace(const std::string& path, std::string_view format, ReaderOptions options) {
  if (path.empty()) throw InputError("workload.path: no trace file is named; set it to the path of a trace");
  return open_trace(ByteInput(path), format, options);
}

OpenTrace open_trace(ByteInput input, std::string_view format, ReaderOptions options) {
  if (std::isalpha(static_cast<unsigned char>(options.action)) == 0) {
    throw InputError(fmt::format("workload.action: {} is no action letter of blkparse; use D, Q or C",
                                 excerpt({&options.action, 1})));
  }
  OpenTrace opened;
  if (format == "auto") format = {};
  options.detected = format.empty();
  if (format.empty()) {
    opened.format = &detect_format(input);
  } else {
    opened.format = find_trace_format(format);
    if (opened.format == nullptr) {
      throw InputError(
          fmt::format("workload.format: {} is no trace format; known are {}", excerpt(format), trace_format_names()));
    }
  }
  opened.reader = opened.format->make_parser == nullptr
                      ? opened.format->make_binary(std::move(input), options)
                      : std::make_unique<TextReader>(std::move(input), opened.format->make_parser(options),
                                                     opened.format->name, options.detected);
  return opened;
}

}  // namespace ftlab::workloads
