// A trace being read from front to back, in the order of the file. Memory does not grow with the length of the trace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "workloads/traces/trace_record.h"

namespace ftlab::workloads {

class TraceReader {
 public:
  TraceReader() = default;
  TraceReader(const TraceReader&) = delete;
  TraceReader& operator=(const TraceReader&) = delete;
  virtual ~TraceReader() = default;

  /// Fills up to batch.size() records; returns how many, 0 = end. Throws InputError with FILE:LINE (text) or the record
  /// number and byte (binary) when the file is damaged, cut short, or holds no request at all.
  virtual std::size_t next(std::span<TraceRecord> batch) = 0;

  /// As the format writes it ("0x08000008", "hm.0", "8,16"); "0" where the format knows one device only.
  [[nodiscard]] virtual std::string device_name(std::uint32_t device) const = 0;

  /// "FILE:LINE" or "FILE: record N", from a record's place.
  [[nodiscard]] virtual std::string where(std::uint64_t place) const = 0;

  /// The last line was read but has no line end, so that the file may be cut short; meaningful once next() returned 0.
  [[nodiscard]] virtual bool last_line_open() const { return false; }
};

struct ReaderOptions {
  char action = 'D';
  bool detected = false;  ///< the format was guessed from the content: messages say so
};

}  // namespace ftlab::workloads
