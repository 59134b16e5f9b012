// One record of a trace in common units, whatever format it came from.
#pragma once

#include <cstdint>

#include "workloads/request.h"

namespace ftlab::workloads {

struct TraceRecord {
  Ticks time{};              ///< since the first record; negative when lines are out of order
  std::uint64_t offset = 0;  ///< bytes on the traced device; offset + length <= kMaxTraceBytes
  std::uint64_t length = 0;  ///< bytes; at most kMaxTransferBytes unless it is a trim
  std::uint32_t device = 0;  ///< id of the traced device or section; TraceReader::device_name() names it
  RequestKind kind = RequestKind::write;
  std::uint64_t place = 0;  ///< line or number of the record in the file, for TraceReader::where()
};

/// Larger addresses and transfers are taken for damage: no device has them, and buffers are sized by them.
inline constexpr std::uint64_t kMaxTraceBytes = std::uint64_t{1} << 56;
inline constexpr std::uint64_t kMaxTransferBytes = std::uint64_t{1} << 28;

}  // namespace ftlab::workloads
