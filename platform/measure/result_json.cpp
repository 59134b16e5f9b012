#include "platform/measure/result_json.h"

#include <sys/resource.h>

#include <algorithm>
#include <cmath>

#include "platform/files/host_file.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

constexpr double kMiBytes = static_cast<double>(kMiB);

ordered_json latency_section(const LatencyRecorder& recorder) {
  const LatencyRecorder::Bins bins = recorder.bins(20);
  return {{"count", recorder.count()},
          {"mean_s", recorder.mean_s()},
          {"p50_s", recorder.percentile_s(0.5)},
          {"p99_s", recorder.percentile_s(0.99)},
          {"p999_s", recorder.percentile_s(0.999)},
          {"max_s", recorder.max_s()},
          {"histogram", {{"edges_s", bins.edges_s}, {"counts", bins.counts}}}};
}

/// With what a plot of the distribution needs: every percentile.
ordered_json distribution_section(const LatencyRecorder& recorder) {
  ordered_json json = latency_section(recorder);
  ordered_json percentiles = ordered_json::array();
  for (int percent = 1; percent <= 100; ++percent) percentiles.push_back(recorder.percentile_s(percent / 100.0));
  json["percentiles_s"] = percentiles;
  return json;
}

struct Spread {
  double mean = 0;
  double stddev = 0;
};

Spread spread_of(const std::vector<std::uint32_t>& counts) {
  double sum = 0;
  for (const auto n : counts) sum += n;
  const double mean = counts.empty() ? 0.0 : sum / static_cast<double>(counts.size());
  double squares = 0;
  for (const auto n : counts) squares += (n - mean) * (n - mean);
  return {mean, counts.size() < 2 ? 0.0 : std::sqrt(squares / static_cast<double>(counts.size() - 1))};
}

ordered_json wear_section(const RunRecord& record) {
  const std::vector<std::uint32_t>& counts = record.erase_counts;
  std::vector<std::uint32_t> of_data;
  for (std::size_t i = 0; i < std::min(counts.size(), record.carries_data.size()); ++i) {
    if (record.carries_data[i]) of_data.push_back(counts[i]);
  }
  const Spread all = spread_of(counts);
  const Spread data = spread_of(of_data);
  const auto hottest = std::ranges::max_element(counts);
  const auto coldest = std::ranges::min_element(counts);
  return {{"mean", all.mean},
          {"stddev", all.stddev},
          {"min", counts.empty() ? 0 : *coldest},
          {"max", counts.empty() ? 0 : *hottest},
          {"hottest", hottest - counts.begin()},
          {"coldest", coldest - counts.begin()},
          {"data_segments",
           {{"count", of_data.size()},
            {"mean", data.mean},
            {"stddev", data.stddev},
            {"min", of_data.empty() ? 0 : std::ranges::min(of_data)},
            {"max", of_data.empty() ? 0 : std::ranges::max(of_data)}}},
          {"erase_counts", counts}};
}

ordered_json energy_section(const RunRecord& record) {
  ordered_json by_operation = ordered_json::object();
  ordered_json by_cause = ordered_json::object();
  Picojoules active;
  for (std::uint32_t k = 0; k < hw::kDeviceOpKinds; ++k) {
    const auto kind = static_cast<hw::DeviceOpKind>(k);
    const LedgerCell cell = record.ledger.by_operation(kind);
    by_operation[std::string(hw::name_of(kind))] = to_joules(cell.energy);
    active += cell.energy;
  }
  for (std::uint32_t c = 0; c < kCauses; ++c) {
    const auto cause = static_cast<Cause>(c);
    by_cause[name_of(cause)] = to_joules(record.ledger.by_cause(cause).energy);
  }
  const Picojoules total = active + record.states.standby + record.states.sleep;
  const double mib = static_cast<double>(record.host.bytes_written) / kMiBytes;
  return {{"total_j", to_joules(total)},
          {"j_per_host_mib", mib > 0 ? ordered_json(to_joules(total) / mib) : ordered_json(nullptr)},
          {"by_state_j",
           {{"active", to_joules(active)},
            {"standby", to_joules(record.states.standby)},
            {"sleep", to_joules(record.states.sleep)}}},
          {"by_operation_j", by_operation},
          {"by_cause_j", by_cause}};
}

ordered_json time_section(const RunRecord& record) {
  ordered_json by_cause = ordered_json::object();
  ordered_json busy = ordered_json::object();
  for (std::uint32_t c = 0; c < kCauses; ++c) {
    by_cause[name_of(static_cast<Cause>(c))] = to_seconds(record.ledger.elapsed[c]);
  }
  for (std::uint32_t k = 0; k < hw::kDeviceOpKinds; ++k) {
    const auto kind = static_cast<hw::DeviceOpKind>(k);
    busy[std::string(hw::name_of(kind))] = to_seconds(record.ledger.by_operation(kind).busy);
  }
  return {{"simulated_s", to_seconds(record.ledger.simulated())},
          {"by_cause_s", by_cause},
          {"device_busy_s", busy},
          {"low_power_s", to_seconds(record.ledger.low_power)},
          {"bus_s", to_seconds(record.ledger.bus_time)}};
}

ordered_json firmware_section(const RunRecord& record) {
  ordered_json work = ordered_json::object();
  for (std::uint32_t w = 0; w < kWorkKinds; ++w) {
    work[std::string(name_of(static_cast<Work>(w)))] = {{"count", record.ledger.work[w]},
                                                        {"time_s", to_seconds(record.ledger.work_time[w])}};
  }
  return {{"cleanings", record.ftl.cleanings},
          {"pages_swapped", record.ftl.pages_swapped},
          {"log_erases", record.ftl.log_erases},
          {"bad_segments", record.ftl.bad_segments},
          {"work", work}};
}

ordered_json device_section(const DeviceFacts& device, const ProcessorProfile& host) {
  return {{"part", device.part},
          {"title", device.title},
          {"host_profile", host.name},
          {"host_title", host.title},
          {"supply_v", device.supply_v},
          {"segments", device.segments},
          {"segment_bytes", device.segment_bytes},
          {"page_bytes", device.page_bytes},
          {"capacity_bytes", device.capacity_bytes},
          {"logical_bytes", device.logical_bytes},
          {"parallel_units", device.parallel_units},
          {"rated_erase_cycles", device.rated_erase_cycles}};
}

ordered_json flash_section(const RunRecord& record) {
  using hw::DeviceOpKind;
  const LedgerCell words = record.ledger.by_operation(DeviceOpKind::word_program);
  const LedgerCell buffers = record.ledger.by_operation(DeviceOpKind::buffer_program);
  // Of a NAND part the loads read the array; what its bus reads comes from the data RAM.
  const LedgerCell loads = record.ledger.by_operation(DeviceOpKind::load);
  const LedgerCell reads = loads.count != 0 ? loads : record.ledger.by_operation(DeviceOpKind::array_read);
  return {{"erases", record.ftl.erases},
          {"pages_copied", record.ftl.pages_copied},
          {"programs", words.count + buffers.count},
          {"reads", reads.count},
          {"bytes_programmed", words.bytes + buffers.bytes},
          {"bytes_read", reads.bytes}};
}

}  // namespace

ordered_json result_sections(const RunRecord& record, const ProcessorProfile& host) {
  const double simulated = to_seconds(record.ledger.simulated());
  const auto rate = [simulated](std::uint64_t bytes) {
    return simulated > 0 ? static_cast<double>(bytes) / simulated : 0.0;
  };
  const FtlStats& ftl = record.ftl;
  const double written = static_cast<double>(ftl.pages_written);
  const double programmed = written + static_cast<double>(ftl.pages_copied + ftl.pages_swapped);
  ordered_json json;
  json["device"] = device_section(record.device, host);
  json["host"] = {{"requests", record.host.requests},
                  {"reads", record.host.reads},
                  {"writes", record.host.writes},
                  {"trims", record.host.trims},
                  {"flushes", record.host.flushes},
                  {"pages_written", ftl.pages_written},
                  {"pages_read", ftl.pages_read},
                  {"pages_trimmed", ftl.pages_trimmed},
                  {"bytes_written", record.host.bytes_written},
                  {"bytes_read", record.host.bytes_read},
                  {"cached_reads", record.host.cached_reads},
                  {"write_service_s", to_seconds(record.host.write_service)},
                  {"failed_requests", record.host.failed_requests},
                  {"ended_early", !record.end_reason.empty()},
                  {"end_reason", record.end_reason.empty() ? ordered_json(nullptr) : ordered_json(record.end_reason)},
                  {"wrong_reads", record.verified ? ordered_json(record.host.wrong_reads) : ordered_json(nullptr)}};
  json["flash"] = flash_section(record);
  json["write_amplification"] = written > 0 ? programmed / written : 0.0;
  json["firmware"] = firmware_section(record);
  if (!record.firmware_figures.empty()) {
    ordered_json& figures = json["firmware"]["figures"];
    for (const FirmwareFigure& figure : record.firmware_figures) figures[figure.name] = figure.value;
  }
  json["wear"] = wear_section(record);
  json["time"] = time_section(record);
  json["throughput"] = {{"write_bytes_per_s", rate(record.host.bytes_written)},
                        {"read_bytes_per_s", rate(record.host.bytes_read)}};
  json["energy"] = energy_section(record);
  json["latency"] = {{"write", latency_section(record.host.write_latency)},
                     {"read", latency_section(record.host.read_latency)}};
  if (record.host.after_pause.count() > 0) {
    json["latency"]["after_pause"] = distribution_section(record.host.after_pause);
  }
  if (ordered_json timeline = record.timeline.json(); !timeline.empty()) json["timeline"] = std::move(timeline);
  return json;
}

ordered_json run_section(const RunRecord& record) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return {
      {"ftlab_version", FTLAB_VERSION},
      {"wall_s", record.wall_s},
      {"cpu_s", record.cpu_s},
      {"host_writes_per_cpu_s", record.cpu_s > 0 ? static_cast<double>(record.ftl.pages_written) / record.cpu_s : 0.0},
      {"peak_rss_bytes", static_cast<std::uint64_t>(usage.ru_maxrss) * 1024}};
}

FtlStats operator-(FtlStats a, const FtlStats& b) {
  a.requests -= b.requests;
  a.pages_written -= b.pages_written;
  a.pages_read -= b.pages_read;
  a.pages_trimmed -= b.pages_trimmed;
  a.bytes_written -= b.bytes_written;
  a.bytes_read -= b.bytes_read;
  a.erases -= b.erases;
  a.pages_copied -= b.pages_copied;
  a.pages_swapped -= b.pages_swapped;
  a.cleanings -= b.cleanings;
  a.log_erases -= b.log_erases;
  // bad_segments is a state, not a flow: the later value stands.
  return a;
}

}  // namespace ftlab::platform
