// From a path to a reader: unpacks, finds the format, and says so.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "workloads/traces/trace_formats.h"
#include "workloads/traces/trace_reader.h"

namespace ftlab::workloads {

struct OpenTrace {
  const TraceFormat* format = nullptr;
  std::unique_ptr<TraceReader> reader;
};

/// `format` empty or "auto": detected from the content. Throws InputError on an unreadable file, an unknown format
/// name, or a content that fits none or several formats.
OpenTrace open_trace(const std::string& path, std::string_view format, ReaderOptions options);
/// The same of an input opened already.
OpenTrace open_trace(ByteInput input, std::string_view format, ReaderOptions options);

}  // namespace ftlab::workloads
