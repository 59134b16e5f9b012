// What a workload is, as plain data: the [workload] table of a study after reading, before anything is drawn or opened.
// Knows no file syntax; make_source() in workloads/workloads.h checks the values against the device.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/units.h"
#include "workloads/scenarios/scenario_config.h"

namespace ftlab::workloads {

struct GeneratorConfig {
  std::uint32_t page_bytes = 4096;         ///< mapping unit of the FTL; every request starts on a page; > 0
  std::uint64_t pages = 0;                 ///< U, the pages that hold data; 0 = all pages of the device
  std::uint32_t request_bytes = 0;         ///< length of one request; 0 = one page
  std::uint64_t total_bytes = 192 * kMiB;  ///< bytes requested in all, reads included
  double hot_access = 0.9;                 ///< hot_cold: share of accesses that go to the hot set; 0 to 1
  double hot_data = 0.1;                   ///< hot_cold: size of the hot set as share of U; above 0, below 1
  double read_share = 0;                   ///< share of the requests that read; 0 to 1
  std::vector<double> class_access{};      ///< classes: share of the accesses per class; they sum to 1
  std::vector<double> class_data{};        ///< classes: share of U per class; what is left is never accessed
  double read_only_share = 0;              ///< share of U that is written once, by the fill, and then only read; 0 to 1
};

/// How a trace is brought onto the device. docs/workloads.md says what each option does to locality.
struct TraceConfig {
  std::string path{};                  ///< file; gzip, bzip2, xz or zstd is unpacked on the way; - is standard input
  std::string format{};                ///< name in the table of formats; empty or "auto" = detect from the content
  std::vector<std::string> devices{};  ///< only these devices or sections ("0x08000008", "hm.0", "8,16"); empty = all
  std::string address = "compact";     ///< name in the table of address mappings
  std::uint32_t page_bytes = 4096;     ///< granularity of the mapping; the FTL's page fits best; > 0
  double write_scale = 1;              ///< volume as a multiple of the trace's own: above 1 replays it on, below 1
                                       ///< keeps that share of its pages; > 0
  bool reads = true;                   ///< false: reads are left out, and pages only read take no place
  std::uint64_t limit_requests = 0;    ///< records taken from each pass; 0 = all
  std::uint32_t repeat = 1;            ///< passes over the trace; at least 1
  char action = 'D';  ///< blkparse: the event that stands for a request (Q queued, D issued, C completed)
  std::uint32_t reorder_window = 4096;  ///< records held back to sort lines logged by several CPUs; 0 = none
};

enum class Arrival : std::uint8_t {
  closed_loop,  ///< the next request follows as soon as the last one is done; arrival times are 0
  poisson,      ///< exponential gaps of a given mean
  trace,        ///< the times of the trace or scenario, from 0
};

struct ArrivalConfig {
  Arrival kind = Arrival::closed_loop;
  double mean_interarrival_s = 0;  ///< poisson: mean gap in seconds; > 0
};

struct WorkloadConfig {
  std::string kind = "uniform";  ///< name in the table of workload kinds
  GeneratorConfig generator{};
  TraceConfig trace{};
  ScenarioConfig scenario{};
  ArrivalConfig arrival{};
};

}  // namespace ftlab::workloads
