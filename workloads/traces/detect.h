// Tells the format of a trace from its first lines: a text format fits when its parser accepts every one of them.
// Names of files play no part.
#pragma once

#include "workloads/traces/byte_input.h"
#include "workloads/traces/trace_formats.h"

namespace ftlab::workloads {

/// Looks ahead and consumes nothing. Throws InputError when no format or more than one fits; the message names the
/// candidates and the option that decides.
const TraceFormat& detect_format(ByteInput& input);

}  // namespace ftlab::workloads
