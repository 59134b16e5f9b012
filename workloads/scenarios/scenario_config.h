// Scenarios as plain data: requests that come at times of their own. One struct for each shape; the numbers of a
// published scenario are in its file, workloads/scenarios/*.toml, with their sources. Knows no file syntax.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/units.h"

namespace ftlab::workloads {

/// Files written in bursts at a fixed period, part of every burst to the same place again, until a share of the
/// capacity is in use.
struct BurstsConfig {
  std::uint64_t capacity_bytes = 0;      ///< what used_share counts in; 0 = the logical device
  double used_share = 0.95;              ///< ends when this share of it has been written at least once; 0 to 1
  std::uint64_t burst_bytes = 4 * kMiB;  ///< data of one burst
  Ticks period{};                        ///< start of a burst to start of the next
  double rewrite_share = 0;              ///< of each burst: to the rewritten data; 0 to 0.99
  std::uint64_t rewritten_bytes = 0;     ///< the data that is rewritten, over and over in order
  std::uint64_t file_bytes = kMiB;       ///< a stream each
  std::uint32_t request_bytes = 4096;
};

/// Rounds of bulk data, then single writes after random pauses: the response time of requests that meet idle work.
struct ProbesConfig {
  std::uint32_t rounds = 1;
  std::uint64_t bulk_bytes = 30 * kMiB;  ///< written at the start of every round, to the same place
  std::uint32_t probes = 10;             ///< single writes after it
  std::uint32_t probe_bytes = 4096;
  std::uint32_t metadata_bytes = 0;  ///< file-system metadata each probe adds; a whole page of it goes with a probe
  Ticks shortest_pause{};            ///< pause before a probe: uniform between the two
  Ticks longest_pause{};
  Ticks settle{};  ///< pause before the next round
  std::uint64_t file_bytes = kMiB;
  std::uint32_t request_bytes = 4096;
};

enum class RewritePattern : std::uint8_t { sequential, uniform, hot_cold };

/// Time windows of equal length with a given volume each, written as whole files over a fixed set of files.
struct WindowsConfig {
  Ticks window{};
  std::vector<double> window_mib{};  ///< data written in each window
  std::uint64_t data_bytes = 0;      ///< all files together
  RewritePattern pattern = RewritePattern::uniform;
  double hot_access = 0.9;               ///< hot_cold: share of the writes that goes to hot files
  double hot_data = 0.1;                 ///< hot_cold: share of the files that is hot
  std::uint64_t burst_bytes = 4 * kMiB;  ///< written at once; the bursts of a window are spread evenly over it
  std::uint64_t file_bytes = kMiB;
  std::uint32_t request_bytes = 4096;
};

/// A program with a file of its own that makes small requests in sessions.
struct InteractiveApp {
  std::string name;
  std::uint32_t writes = 0;       ///< requests in all
  std::uint64_t write_bytes = 0;  ///< in all, spread evenly over the requests
  std::uint32_t reads = 0;        ///< of data written before
  std::uint64_t read_bytes = 0;
  std::uint64_t file_bytes = 0;  ///< the file: appended to, then overwritten from its start
  std::uint32_t sessions = 1;    ///< spread over the whole time; those of all programs never overlap
  Ticks session{};               ///< length of one
};

/// A program that writes whole files of its own.
struct DownloadApp {
  std::string name;
  std::uint32_t files = 0;
  std::uint64_t file_bytes = 0;
  Ticks first{};   ///< when the first file comes
  Ticks period{};  ///< start of a file to start of the next
  std::uint32_t request_bytes = 4096;
};

/// Applications side by side.
struct ApplicationsConfig {
  Ticks duration{};
  std::vector<InteractiveApp> interactive{};
  std::vector<DownloadApp> downloads{};
};

struct ScenarioConfig {
  std::string shape = "bursts";     ///< name in the table of shapes; its struct below counts, the others do not
  std::uint32_t page_bytes = 4096;  ///< mapping unit of the FTL; files start on a page; > 0
  BurstsConfig bursts{};
  ProbesConfig probes{};
  WindowsConfig windows{};
  ApplicationsConfig applications{};
};

}  // namespace ftlab::workloads
