// CloudPhysics vscsi CSV: version,time,op,size,lbn. Microseconds, SCSI opcode in hexadecimal, bytes, 512-byte sectors;
// header line. Opcodes that move no data are passed over.
#pragma once

#include <memory>

#include "workloads/traces/line_parser.h"
#include "workloads/traces/trace_reader.h"

namespace ftlab::workloads {

std::unique_ptr<LineParser> make_cloudphysics(const ReaderOptions& options);

}  // namespace ftlab::workloads
