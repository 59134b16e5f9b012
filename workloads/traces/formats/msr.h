// MSR Cambridge CSV: timestamp,host,disk,type,offset,size,latency. Time in Windows FILETIME units of 100 ns, the rest
// in bytes; no header. The device is host.disk.
#pragma once

#include <memory>

#include "workloads/traces/line_parser.h"
#include "workloads/traces/trace_reader.h"

namespace ftlab::workloads {

std::unique_ptr<LineParser> make_msr(const ReaderOptions& options);

}  // namespace ftlab::workloads
