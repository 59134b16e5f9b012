#include "workloads/traces/line_parser.h"

#include <fmt/format.h>

#include <cmath>

namespace ftlab::workloads {
namespace {

constexpr std::int64_t kLongest = kNever.count() / 2;
constexpr const char* kTooLong = "the time stamp lies more than 14 years from the first one; the line looks damaged";

}  // namespace

std::string LineParser::device_name(std::uint32_t device) const { return fmt::format("{}", device); }

Ticks TimeOrigin::whole(std::uint64_t stamp, std::uint32_t ticks_per_unit) {
  if (!set_) whole_ = stamp;
  set_ = true;
  const bool before = stamp < whole_;
  const std::uint64_t distance = before ? whole_ - stamp : stamp - whole_;
  if (distance > static_cast<std::uint64_t>(kLongest) / ticks_per_unit) throw BadLine(kTooLong);
  const auto ticks = static_cast<std::int64_t>(distance * ticks_per_unit);
  return Ticks{before ? -ticks : ticks};
}

Ticks TimeOrigin::decimal(double stamp, double ticks_per_unit) {
  if (!set_) decimal_ = stamp;
  set_ = true;
  const double ticks = (stamp - decimal_) * ticks_per_unit;
  if (!(std::abs(ticks) <= static_cast<double>(kLongest))) throw BadLine(kTooLong);
  return Ticks{std::llround(ticks)};
}

std::uint32_t DeviceNames::id(std::string_view name) {
  if (last_ < names_.size() && names_[last_] == name) return last_;
  for (last_ = 0; last_ < names_.size(); ++last_) {
    if (names_[last_] == name) return last_;
  }
  if (names_.size() == 4096) throw BadLine("more than 4096 different devices; the column looks damaged");
  names_.emplace_back(name);
  return last_;
}

void set_bytes(TraceRecord& record, std::uint64_t offset, std::uint64_t length) {
  if (length > kMaxTransferBytes && record.kind != RequestKind::trim) {
    throw BadLine(fmt::format("a transfer of {} bytes is larger than 256 MiB; the line looks damaged", length));
  }
  if (offset > kMaxTraceBytes || length > kMaxTraceBytes - offset) {
    throw BadLine(fmt::format("byte {} + {} lies beyond any device; the line looks damaged", offset, length));
  }
  record.offset = offset;
  record.length = length;
}

void set_sectors(TraceRecord& record, std::uint64_t first, std::uint64_t count) {
  constexpr std::uint64_t kSector = 512;
  if (first > kMaxTraceBytes / kSector || count > kMaxTraceBytes / kSector) {
    throw BadLine(fmt::format("sector {} + {} lies beyond any device; the line looks damaged", first, count));
  }
  set_bytes(record, first * kSector, count * kSector);
}

}  // namespace ftlab::workloads
