// What a text format has to say: how one line becomes a record. Place, streaming and messages are TextReader's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/traces/columns.h"
#include "workloads/traces/trace_record.h"

namespace ftlab::workloads {

class LineParser {
 public:
  LineParser() = default;
  LineParser(const LineParser&) = delete;
  LineParser& operator=(const LineParser&) = delete;
  virtual ~LineParser() = default;

  /// `line` is not empty and has no line end. true: `out` is a whole record. false: a line of the format that holds no
  /// request (header, other event, summary). Throws BadLine when it is no line of the format.
  virtual bool parse(std::string_view line, TraceRecord& out) = 0;
  [[nodiscard]] virtual std::string device_name(std::uint32_t device) const;
};

/// Time since the first stamp seen, so that stamps of any epoch fit the clock of a run.
class TimeOrigin {
 public:
  /// Throws BadLine when the distance is more than 14 years.
  Ticks whole(std::uint64_t stamp, std::uint32_t ticks_per_unit);
  Ticks decimal(double stamp, double ticks_per_unit);

 private:
  bool set_ = false;
  std::uint64_t whole_ = 0;
  double decimal_ = 0;
};

/// Ids for devices that are named by text.
class DeviceNames {
 public:
  /// Throws BadLine beyond 4,096 names: a column of a damaged file, not a set of devices.
  std::uint32_t id(std::string_view name);
  [[nodiscard]] const std::string& name(std::uint32_t id) const { return names_[id]; }

 private:
  std::vector<std::string> names_;
  std::uint32_t last_ = 0;
};

/// Sets offset and length; throws BadLine when they are larger than any device's. `kind` must be set before.
void set_bytes(TraceRecord& record, std::uint64_t offset, std::uint64_t length);
/// The same in sectors of 512 bytes.
void set_sectors(TraceRecord& record, std::uint64_t first, std::uint64_t count);

}  // namespace ftlab::workloads
