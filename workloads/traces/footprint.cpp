#include "workloads/traces/footprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "workloads/traces/device_filter.h"
#include "workloads/traces/page_share.h"
#include "workloads/traces/page_table.h"

namespace ftlab::workloads {
namespace {

/// Shares are reported rounded down, so that what is reported fits.
std::string share_text(double share) { return fmt::format("{:.4f}", std::floor(share * 1e4) / 1e4); }

std::string too_large(const TraceConfig& config, const Footprint& needed, std::uint64_t device_pages) {
  return fmt::format(
      "{}: touches {} pages of {} bytes, and the device has {}; keep a share of them (workload.write_scale = \"fit\", "
      "here {}), choose one device of the trace (workload.device), leave out reads (workload.reads = false), limit the "
      "requests (workload.limit_requests), or let addresses wrap (workload.address = \"modulo\")",
      config.path, needed.pages, config.page_bytes, device_pages, share_text(needed.fitting_scale));
}

}  // namespace

Footprint footprint(const TraceConfig& config, std::uint64_t device_pages) {
  return footprint(open_trace(config.path, config.format, {.action = config.action}), config, device_pages);
}

Footprint footprint(OpenTrace trace, const TraceConfig& config, std::uint64_t device_pages) {
  DeviceFilter filter(config.devices);
  PageTable seen;
  std::vector<std::uint32_t> hashes;
  std::array<TraceRecord, 256> records;
  std::uint64_t taken = 0;
  const auto enough = [&] { return config.limit_requests != 0 && taken == config.limit_requests; };
  while (const std::size_t n = enough() ? 0 : trace.reader->next(records)) {
    for (std::size_t i = 0; i < n && !enough(); ++i) {
      const TraceRecord& record = records[i];
      if (!filter.accepts(*trace.reader, record.device)) continue;
      if (!config.reads && record.kind == RequestKind::read) continue;
      ++taken;
      if ((record.kind != RequestKind::read && record.kind != RequestKind::write) || record.length == 0) continue;
      const std::uint64_t last = (record.offset + record.length - 1) / config.page_bytes;
      for (std::uint64_t page = record.offset / config.page_bytes; page <= last; ++page) {
        std::uint32_t& touched = seen.at(record.device, page);
        if (std::exchange(touched, 1U) == 0) hashes.push_back(page_hash(record.device, page));
      }
    }
  }
  Footprint result{hashes.size(), 1};
  if (hashes.size() <= device_pages) return result;
  // The pages below the hash of the first one that finds no room are as many as fit, or fewer where hashes are equal.
  const auto first_out = hashes.begin() + static_cast<std::ptrdiff_t>(device_pages);
  std::ranges::nth_element(hashes, first_out);
  result.fitting_scale = static_cast<double>(*first_out) / kPageHashes;
  return result;
}

double fitting_scale(const TraceConfig& config, std::uint64_t device_bytes) {
  if (!config.address.starts_with("compact")) {
    throw InputError(
        fmt::format("workload.write_scale: \"fit\" keeps a share of the pages, which address = \"{}\" does not pack; "
                    "use compact, or "
                    "give a number",
                    config.address));
  }
  const double scale = footprint(config, device_bytes / config.page_bytes).fitting_scale;
  if (scale > 0) return scale;
  throw InputError("workload.write_scale: \"fit\" leaves no page of the trace on this device; use a larger part");
}

TraceTooLarge::TraceTooLarge(const TraceConfig& config, const Footprint& needed, std::uint64_t device_pages)
    : InputError(too_large(config, needed, device_pages)),
      needed_bytes_(needed.pages * config.page_bytes),
      device_bytes_(device_pages * config.page_bytes) {}

}  // namespace ftlab::workloads
