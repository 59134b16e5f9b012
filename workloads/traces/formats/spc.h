// SPC text (Financial1.spc, WebSearch1.spc): ASU,LBA,size,opcode,timestamp[,more]. LBA in 512-byte blocks, size in
// bytes, seconds, R or W in either case; no header. The device is the application storage unit.
#pragma once

#include <memory>

#include "workloads/traces/line_parser.h"
#include "workloads/traces/trace_reader.h"

namespace ftlab::workloads {

std::unique_ptr<LineParser> make_spc(const ReaderOptions& options);

}  // namespace ftlab::workloads
