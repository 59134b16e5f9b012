// Words and numbers for people, and JSON for programs, of a TraceInfo. Counts nothing itself.
#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

#include "common/quantity_text.h"
#include "workloads/traces/trace_info.h"

namespace ftlab::workloads {
namespace {

std::string counted(std::uint64_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

class Lines {
 public:
  void add(std::string_view label, std::string_view text) {
    fmt::format_to(std::back_inserter(text_), "{:<22}{}\n", label, text);
  }
  /// A count, right-aligned so that the digits stand below each other, and what explains it.
  void count(std::string_view label, std::uint64_t value, std::string_view note) {
    add(label, fmt::format("{:>15}{}{}", value, note.empty() ? "" : "  ", note));
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace

std::string format_trace_info(const TraceInfo& info) {
  Lines lines;
  lines.add("trace", info.path);
  lines.add("format", info.format);
  for (const std::string& device : info.wanted_devices) lines.add("only device", device);
  lines.count("requests", info.requests, "");
  lines.count("writes", info.writes,
              fmt::format("{} of requests, {} in all", percent_text(ratio(info.writes, info.requests)),
                          size_text(info.bytes_written)));
  lines.count("reads", info.reads,
              fmt::format("{} of requests, {} in all", percent_text(ratio(info.reads, info.requests)),
                          size_text(info.bytes_read)));
  if (info.trims != 0) lines.count("trims", info.trims, fmt::format("{} in all", size_text(info.bytes_trimmed)));
  if (info.flushes != 0) lines.count("flushes", info.flushes, "");
  if (info.empty_requests != 0) lines.count("of no bytes", info.empty_requests, "which a run leaves out");
  lines.count("bytes written", info.bytes_written, "B");
  lines.count("bytes read", info.bytes_read, "B");
  lines.count("largest request", info.largest_bytes, "B");
  lines.count("unaligned", info.unaligned,
              fmt::format("{} of reads and writes do not start and end on a page border",
                          percent_text(ratio(info.unaligned, info.reads + info.writes))));
  lines.count("page", info.page_bytes, "B");
  lines.count("pages touched", info.pages_touched, size_text(info.pages_touched * info.page_bytes));
  lines.count("pages read", info.pages_read, size_text(info.pages_read * info.page_bytes));
  lines.count("pages written", info.pages_written, size_text(info.pages_written * info.page_bytes));
  lines.count("page writes", info.page_writes,
              fmt::format("{:.2f} per page written", ratio(info.page_writes, info.pages_written)));
  lines.add("hottest 1 % / 10 %", info.page_writes == 0
                                      ? "nothing is written"
                                      : fmt::format("{} / {} of page writes", percent_text(info.hottest_1_percent),
                                                    percent_text(info.hottest_10_percent)));
  lines.add("address span", fmt::format("byte {} to {} ({})", info.first_byte, info.end_byte,
                                        size_text(info.end_byte - info.first_byte)));
  lines.add("duration", fmt::format("{:.3f} s", to_seconds(info.duration)));
  lines.add("inter-arrival",
            fmt::format("mean {:.6f} s, variation {:.2f} (1 = Poisson)", info.mean_gap_s, info.gap_variation));
  lines.add("time order", info.steps_back == 0 ? "ascending" : counted(info.steps_back, "step") + " back");
  for (const TraceInfo::Device& device : info.devices) {
    lines.add("device " + device.name, fmt::format("{}, {}, {} written, {} read", counted(device.requests, "request"),
                                                   counted(device.writes, "write"), size_text(device.bytes_written),
                                                   size_text(device.bytes_read)));
  }
  return lines.take();
}

std::string trace_info_json(const TraceInfo& info) {
  nlohmann::ordered_json devices = nlohmann::ordered_json::array();
  for (const TraceInfo::Device& device : info.devices) {
    devices.push_back({{"name", device.name},
                       {"requests", device.requests},
                       {"writes", device.writes},
                       {"bytes_written", device.bytes_written},
                       {"bytes_read", device.bytes_read}});
  }
  const nlohmann::ordered_json json = {{"schema", "ftlab-trace-info"},
                                       {"version", 1},
                                       {"path", info.path},
                                       {"format", info.format},
                                       {"wanted_devices", info.wanted_devices},
                                       {"page_bytes", info.page_bytes},
                                       {"requests", info.requests},
                                       {"reads", info.reads},
                                       {"writes", info.writes},
                                       {"trims", info.trims},
                                       {"flushes", info.flushes},
                                       {"empty_requests", info.empty_requests},
                                       {"bytes_read", info.bytes_read},
                                       {"bytes_written", info.bytes_written},
                                       {"bytes_trimmed", info.bytes_trimmed},
                                       {"largest_bytes", info.largest_bytes},
                                       {"unaligned", info.unaligned},
                                       {"first_byte", info.first_byte},
                                       {"end_byte", info.end_byte},
                                       {"pages_touched", info.pages_touched},
                                       {"pages_read", info.pages_read},
                                       {"pages_written", info.pages_written},
                                       {"page_writes", info.page_writes},
                                       {"hottest_1_percent", info.hottest_1_percent},
                                       {"hottest_10_percent", info.hottest_10_percent},
                                       {"duration_s", to_seconds(info.duration)},
                                       {"mean_gap_s", info.mean_gap_s},
                                       {"gap_variation", info.gap_variation},
                                       {"steps_back", info.steps_back},
                                       {"last_line_open", info.last_line_open},
                                       {"devices", std::move(devices)}};
  // A path may hold bytes that are no UTF-8; they are replaced rather than refused.
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace ftlab::workloads
