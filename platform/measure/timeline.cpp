#include "platform/measure/timeline.h"

namespace ftlab::platform {

void Timeline::put(std::size_t column, std::string_view name, double value) {
  if (column == columns_.size()) columns_.emplace_back(name, std::vector<double>{});
  columns_[column].second.push_back(value);
}

void Timeline::take(Ticks since_start, const HostTotals& host, FirmwareInstance& firmware,
                    const Utilization::Columns& units) {
  const Ftl& ftl = firmware.ftl();
  const FtlStats stats = before_.ftl_since(ftl.stats());
  std::uint64_t valid = 0;
  for (std::uint32_t s = 0; s < ftl.segments(); ++s) valid += ftl.segment(SegmentId{s}).valid_pages;
  std::size_t column = 0;
  put(column++, "time_s", to_seconds(since_start));
  put(column++, "requests", static_cast<double>(host.requests));
  put(column++, "bytes_written", static_cast<double>(host.bytes_written));
  put(column++, "bytes_read", static_cast<double>(host.bytes_read));
  put(column++, "write_service_s", to_seconds(host.write_service));
  for (const auto& [name, share] : units) put(column++, name, share);
  if (firmware.counts()) {
    put(column++, "erases", static_cast<double>(stats.erases));
    put(column++, "pages_copied", static_cast<double>(stats.pages_copied));
    put(column++, "valid_pages", static_cast<double>(valid));
  }
  for (const FirmwareFigure& figure : before_.figures_since(firmware.figures()))
    put(column++, figure.name, figure.value);
}

nlohmann::ordered_json Timeline::json() const {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& [name, values] : columns_) json[name] = values;
  return json;
}

}  // namespace ftlab::platform
