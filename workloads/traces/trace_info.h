// What is in a trace: one pass over it, memory bounded by the pages it touches.
// A page counts once for every request that touches it, even in part; pages of different devices are different pages.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/traces/open_trace.h"
#include "workloads/traces/trace_record.h"

namespace ftlab::workloads {

struct TraceInfoOptions {
  std::string format{};                ///< empty = detect
  std::uint32_t page_bytes = 4096;     ///< at least 256
  std::vector<std::string> devices{};  ///< only these devices or sections; empty = all
  char action = 'D';
};

struct TraceInfo {
  std::string path;
  std::string format;
  std::uint32_t page_bytes = 0;
  std::vector<std::string> wanted_devices;  ///< the filter asked for; empty = all

  std::uint64_t requests = 0;  ///< reads + writes + trims + flushes
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t trims = 0;
  std::uint64_t flushes = 0;
  std::uint64_t empty_requests = 0;  ///< reads, writes and trims of no bytes, which ask nothing of a device
  std::uint64_t bytes_read = 0;
  std::uint64_t bytes_written = 0;
  std::uint64_t bytes_trimmed = 0;
  std::uint64_t largest_bytes = 0;  ///< largest read or write
  std::uint64_t unaligned = 0;      ///< reads and writes that do not start and end on a page border
  std::uint64_t first_byte = 0;     ///< lowest offset read or written
  std::uint64_t end_byte = 0;       ///< highest end read or written

  std::uint64_t pages_touched = 0;  ///< distinct pages read or written
  std::uint64_t pages_read = 0;     ///< distinct
  std::uint64_t pages_written = 0;  ///< distinct
  std::uint64_t page_writes = 0;
  std::vector<std::uint32_t> writes_of_pages;  ///< of each page written, hottest first
  double hottest_1_percent = 0;  ///< share of page writes on the hottest 1 % of the distinct written pages
  double hottest_10_percent = 0;

  Ticks duration{};              ///< largest minus smallest time stamp
  double mean_gap_s = 0;         ///< duration / (requests - 1)
  double gap_variation = 0;      ///< standard deviation over mean of the gaps in order of the file; 1 = Poisson
  std::uint64_t steps_back = 0;  ///< requests earlier than the one before them in the file
  bool last_line_open = false;   ///< text traces: the last line has no line end; the file may be cut short

  struct Device {
    std::string name{};
    std::uint64_t requests = 0;
    std::uint64_t writes = 0;
    std::uint64_t bytes_written = 0;
    std::uint64_t bytes_read = 0;
  };
  std::vector<Device> devices;  ///< of the requests counted, most requests first
};

/// Throws InputError as the readers do, and when no request of the wanted device is found.
TraceInfo collect_trace_info(const std::string& path, const TraceInfoOptions& options);
/// The same of a trace opened already; `path` stands for it.
TraceInfo collect_trace_info(const OpenTrace& trace, const std::string& path, const TraceInfoOptions& options);

/// Aligned lines with units, for people.
std::string format_trace_info(const TraceInfo& info);
/// The same as one JSON object, SI units, stable keys (docs/workloads.md).
std::string trace_info_json(const TraceInfo& info);

}  // namespace ftlab::workloads
