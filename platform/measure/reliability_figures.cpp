#include "platform/measure/reliability_figures.h"

#include <algorithm>

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

constexpr double kDaysOfFiveYears = 5 * 365.0;

LedgerCell of(const RunRecord& r, hw::DeviceOpKind kind) { return r.ledger.by_operation(kind); }

LedgerCell all_reads(const RunRecord& r) {
  LedgerCell cell = of(r, hw::DeviceOpKind::load);
  return cell += of(r, hw::DeviceOpKind::array_read);
}

LedgerCell all_programs(const RunRecord& r) {
  LedgerCell cell = of(r, hw::DeviceOpKind::word_program);
  return cell += of(r, hw::DeviceOpKind::buffer_program);
}

/// Bytes that the host can write until segments have been erased as often as they are rated, on average; 0: unknown.
double bytes_at_rated(const RunRecord& r) {
  const auto erases = static_cast<double>(of(r, hw::DeviceOpKind::erase).count);
  if (erases == 0) return 0;
  const double whole = static_cast<double>(r.device.rated_erase_cycles) * r.device.segments;
  return static_cast<double>(r.host.bytes_written) * (whole / erases);
}

ordered_json drive_writes(const RunRecord& r, double bytes) {
  if (r.device.logical_bytes == 0 || bytes == 0) return {};
  return bytes / static_cast<double>(r.device.logical_bytes);
}

}  // namespace

void append_reliability_figures(std::vector<Figure>& out) {
  using enum FigureType;
  using ValueOf = ordered_json (*)(const RunRecord&);
  const auto add = [&out](const char* path, const char* unit, FigureType type, const char* help, ValueOf value,
                          CounterKind kind = CounterKind::flow, bool optional = false) {
    out.push_back({path, unit, help, type, kind, false, value, optional});
  };
  add("flash.corrected_reads", "", integer,
      "of the reads, those in which ECC put bits right; on arrays copies read, too",
      [](auto& r) -> ordered_json { return all_reads(r).corrected; });
  add("flash.unreadable_reads", "", integer, "of the reads, those with more wrong bits than ECC corrects, or torn data",
      [](auto& r) -> ordered_json { return all_reads(r).failed; });
  add("flash.failed_programs", "", integer, "programs that the part reported as failed, or that power loss interrupted",
      [](auto& r) -> ordered_json { return all_programs(r).failed; });
  add("flash.failed_erases", "", integer, "the same of erases",
      [](auto& r) -> ordered_json { return of(r, hw::DeviceOpKind::erase).failed; });
  add(
      "firmware.segments_retired", "segments", integer,
      "segments taken out of use in the measured phase; absent with firmware that does not count them",
      [](auto& r) -> ordered_json { return r.counted ? ordered_json(r.retired) : ordered_json(); }, CounterKind::flow,
      true);
  add(
      "wear.beyond_rated", "segments", integer, "segments erased more often than device.rated_erase_cycles",
      [](auto& r) -> ordered_json {
        return std::ranges::count_if(r.erase_counts, [&r](std::uint32_t n) { return n > r.device.rated_erase_cycles; });
      },
      CounterKind::state);
  add(
      "endurance.drive_writes", "", number, "host.bytes_written / device.logical_bytes; absent without writes",
      [](auto& r) { return drive_writes(r, static_cast<double>(r.host.bytes_written)); }, CounterKind::flow, true);
  add(
      "endurance.drive_writes_to_first_loss", "", number,
      "host.bytes_written_to_first_loss / device.logical_bytes; absent where no segment was taken out of use",
      [](auto& r) { return drive_writes(r, static_cast<double>(r.lost_first_at.value_or(0))); }, CounterKind::state,
      true);
  add(
      "endurance.bytes_at_rated", "B", number,
      "extrapolated: bytes of write requests until segments have been erased device.rated_erase_cycles times on "
      "average (TBW); absent without erases",
      [](auto& r) -> ordered_json {
        const double bytes = bytes_at_rated(r);
        return bytes == 0 ? ordered_json() : ordered_json(bytes);
      },
      CounterKind::state, true);
  add(
      "endurance.drive_writes_at_rated", "", number, "the same / device.logical_bytes; absent without erases",
      [](auto& r) { return drive_writes(r, bytes_at_rated(r)); }, CounterKind::state, true);
  add(
      "endurance.drive_writes_per_day", "1/day", number,
      "the same for each day of five years (DWPD); absent without erases",
      [](auto& r) -> ordered_json {
        const ordered_json writes = drive_writes(r, bytes_at_rated(r));
        return writes.is_null() ? writes : ordered_json(writes.get<double>() / kDaysOfFiveYears);
      },
      CounterKind::state, true);
}

}  // namespace ftlab::platform
