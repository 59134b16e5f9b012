// blkparse default text: maj,min cpu seq time pid action rwbs sector + count [process]. Seconds, sectors of 512 bytes.
// One request makes several events; one action stands for it. Ends at the summary that blkparse prints.
#pragma once

#include <memory>

#include "workloads/traces/line_parser.h"
#include "workloads/traces/trace_reader.h"

namespace ftlab::workloads {

std::unique_ptr<LineParser> make_blkparse(const ReaderOptions& options);

}  // namespace ftlab::workloads
