// MobileBlockIOTraces CSV: proces,device,rw_flag,sector,size,timestamp. Sectors of 512 bytes, seconds; header line
// (spelled so), CR LF line ends. The process name may hold anything, commas too.
#pragma once

#include <memory>

#include "workloads/traces/line_parser.h"
#include "workloads/traces/trace_reader.h"

namespace ftlab::workloads {

std::unique_ptr<LineParser> make_mobile(const ReaderOptions& options);

}  // namespace ftlab::workloads
