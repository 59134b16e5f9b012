// DiskSim ASCII: time device block count flags. Time in ms, blocks of 512 bytes, flags hexadecimal with bit 0 = read.
#pragma once

#include <memory>

#include "workloads/traces/line_parser.h"
#include "workloads/traces/trace_reader.h"

namespace ftlab::workloads {

std::unique_ptr<LineParser> make_disksim(const ReaderOptions& options);

}  // namespace ftlab::workloads
