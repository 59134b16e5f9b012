// MQSim and SSDsim ASCII: time device sector count type. Whole nanoseconds, sectors of 512 bytes; 1 reads, 0 writes.
#pragma once

#include <memory>

#include "workloads/traces/line_parser.h"
#include "workloads/traces/trace_reader.h"

namespace ftlab::workloads {

std::unique_ptr<LineParser> make_mqsim(const ReaderOptions& options);

}  // namespace ftlab::workloads
