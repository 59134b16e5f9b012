// HP's SRT traces (hplajw and the others of 1992): an ASCII header up to the first form feed, then big-endian 32-bit
// records: bytes of the record, version << 16 | type, seconds, microseconds, two driver stamps, bytes, block in
// 256-byte sectors of the whole disk, device (major << 24 | disk << 8 | section), driver type, cylinder, flags (bit 0 =
// read), info, from version 4 on the queue length; a suspect I/O (type 4) has one more word. Addresses count over the
// disk, so sections of one disk do not overlap; the device of a record is its section.
#pragma once

#include <memory>
#include <string_view>

#include "workloads/traces/byte_input.h"
#include "workloads/traces/trace_reader.h"

namespace ftlab::workloads {

/// By the signature at the front, or by a form feed with a plausible record behind it.
bool looks_like_hp_srt(std::string_view head);

std::unique_ptr<TraceReader> make_hp_srt(ByteInput input, const ReaderOptions& options);

}  // namespace ftlab::workloads
