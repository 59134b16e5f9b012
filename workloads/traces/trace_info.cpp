#include "workloads/traces/trace_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <unordered_map>
#include <utility>

#include "common/input_error.h"
#include "workloads/traces/device_filter.h"
#include "workloads/traces/page_table.h"

namespace ftlab::workloads {
namespace {

/// No smaller than the smallest sector of the formats, which also bounds the memory that one request can ask for.
constexpr std::uint32_t kSmallestPage = 256;

class Collector {
 public:
  Collector(TraceInfo& info, const TraceReader& reader) : info_(info), reader_(reader) {}

  void add(const TraceRecord& record) {
    ++info_.requests;
    add_time(record.time);
    if (record.length == 0 && record.kind != RequestKind::flush) ++info_.empty_requests;
    TraceInfo::Device& device = device_of(record.device);
    ++device.requests;
    switch (record.kind) {
      case RequestKind::write:
        ++info_.writes;
        ++device.writes;
        info_.bytes_written += record.length;
        device.bytes_written += record.length;
        return add_pages(record);
      case RequestKind::read:
        ++info_.reads;
        info_.bytes_read += record.length;
        device.bytes_read += record.length;
        return add_pages(record);
      case RequestKind::trim:
        ++info_.trims;
        info_.bytes_trimmed += record.length;
        return;
      case RequestKind::flush:
        ++info_.flushes;
        return;
    }
  }

  void finish() {
    finish_times();
    count_hottest();
    std::ranges::stable_sort(info_.devices, std::greater<>{}, &TraceInfo::Device::requests);
  }

 private:
  TraceInfo::Device& device_of(std::uint32_t id) {
    const auto [place, is_new] = devices_.try_emplace(id, info_.devices.size());
    if (is_new) info_.devices.push_back({.name = reader_.device_name(id)});
    return info_.devices[place->second];
  }

  void add_time(Ticks time) {
    if (info_.requests == 1) {
      earliest_ = latest_ = last_ = time;
      return;
    }
    const double gap = to_seconds(time - last_);
    const double from_mean = gap - gap_mean_;  // Welford: no loss of digits over millions of gaps
    gap_mean_ += from_mean / static_cast<double>(info_.requests - 1);
    gap_squares_ += from_mean * (gap - gap_mean_);
    if (time < last_) ++info_.steps_back;
    earliest_ = std::min(earliest_, time);
    latest_ = std::max(latest_, time);
    last_ = time;
  }

  void finish_times() {
    info_.duration = latest_ - earliest_;
    if (info_.requests < 2) return;
    const auto gaps = static_cast<double>(info_.requests - 1);
    info_.mean_gap_s = to_seconds(info_.duration) / gaps;
    if (info_.mean_gap_s > 0) info_.gap_variation = std::sqrt(gap_squares_ / gaps) / info_.mean_gap_s;
  }

  void add_pages(const TraceRecord& record) {
    const std::uint64_t end = record.offset + record.length;
    const bool first = info_.reads + info_.writes == 1;
    info_.first_byte = first ? record.offset : std::min(info_.first_byte, record.offset);
    info_.end_byte = std::max(info_.end_byte, end);
    info_.largest_bytes = std::max(info_.largest_bytes, record.length);
    if (record.offset % info_.page_bytes != 0 || end % info_.page_bytes != 0) ++info_.unaligned;
    if (record.length == 0) return;
    for (std::uint64_t page = record.offset / info_.page_bytes; page <= (end - 1) / info_.page_bytes; ++page) {
      std::uint32_t& uses = uses_.at(record.device, page);
      if (uses == 0) ++info_.pages_touched;
      if (record.kind == RequestKind::read) {
        if ((uses & kRead) == 0) ++info_.pages_read;
        uses |= kRead;
      } else {
        ++info_.page_writes;
        if ((uses & ~kRead) != std::numeric_limits<std::uint32_t>::max() - 1) uses += kOneWrite;
      }
    }
  }

  void count_hottest() {
    std::vector<std::uint32_t>& writes = info_.writes_of_pages;
    uses_.for_each([&](std::uint32_t uses) {
      if (uses >= kOneWrite) writes.push_back(uses / kOneWrite);
    });
    info_.pages_written = writes.size();
    if (writes.empty()) return;
    std::ranges::sort(writes, std::greater<>{});
    const auto share = [&](std::size_t percent) {
      const std::size_t pages = std::max<std::size_t>(writes.size() * percent / 100, 1);
      const auto sum =
          std::accumulate(writes.begin(), writes.begin() + static_cast<std::ptrdiff_t>(pages), std::uint64_t{0});
      return static_cast<double>(sum) / static_cast<double>(info_.page_writes);
    };
    info_.hottest_1_percent = share(1);
    info_.hottest_10_percent = share(10);
  }

  /// A page's number in the table: bit 0 = was read, above it the count of writes.
  static constexpr std::uint32_t kRead = 1;
  static constexpr std::uint32_t kOneWrite = 2;

  TraceInfo& info_;
  const TraceReader& reader_;
  PageTable uses_;
  std::unordered_map<std::uint32_t, std::size_t> devices_;
  Ticks earliest_{};
  Ticks latest_{};
  Ticks last_{};
  double gap_mean_ = 0;
  double gap_squares_ = 0;
};

void check(const TraceInfoOptions& options) {
  if (options.page_bytes < kSmallestPage) {
    throw InputError(fmt::format("--page: {} bytes are too few; use {} or more", options.page_bytes, kSmallestPage));
  }
}

}  // namespace

TraceInfo collect_trace_info(const std::string& path, const TraceInfoOptions& options) {
  check(options);
  return collect_trace_info(open_trace(path, options.format, {.action = options.action}), path, options);
}

TraceInfo collect_trace_info(const OpenTrace& trace, const std::string& path, const TraceInfoOptions& options) {
  check(options);
  TraceInfo info;
  info.path = path;
  info.format = trace.format->name;
  info.page_bytes = options.page_bytes;
  info.wanted_devices = options.devices;
  DeviceFilter filter(options.devices);
  Collector collector(info, *trace.reader);
  std::array<TraceRecord, 256> batch;
  while (const std::size_t n = trace.reader->next(batch)) {
    for (const TraceRecord& record : std::span(batch).first(n)) {
      if (filter.accepts(*trace.reader, record.device)) collector.add(record);
    }
  }
  info.last_line_open = trace.reader->last_line_open();
  if (info.requests == 0) {
    throw InputError(fmt::format("{}: no request of {}; the trace has {}", path, filter.wanted(), filter.refused()));
  }
  collector.finish();
  return info;
}

}  // namespace ftlab::workloads
