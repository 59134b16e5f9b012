#include "platform/measure/figures.h"

#include <type_traits>
#include <utility>

#include "platform/files/host_file.h"
#include "platform/measure/core_figures.h"
#include "platform/measure/die_figures.h"
#include "platform/measure/energy_figures.h"
#include "platform/measure/figure_sections.h"
#include "platform/measure/latency_figures.h"
#include "platform/measure/page_read_figures.h"
#include "platform/measure/power_figures.h"
#include "platform/measure/reliability_figures.h"
#include "platform/measure/wear_figures.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

/// Has a value for every firmware.
constexpr std::string_view kErases = "flash.erases";
using Value = ordered_json (*)(const RunRecord&);

Figure figure(const char* path, const char* unit, FigureType type, const char* help, Value value) {
  return {path, unit, help, type, CounterKind::flow, false, value, false};
}

Figure fact(const char* path, const char* unit, FigureType type, const char* help, Value value) {
  return {path, unit, help, type, CounterKind::state, false, value, false};
}

Figure or_null(Figure f) {
  f.nullable = true;
  return f;
}

Figure if_any(Figure f) {
  f.optional = true;
  return f;
}

/// What only firmware knows that counts it.
Figure if_counted(Figure f) {
  f.value = [value = std::move(f.value)](const RunRecord& r) { return r.counted ? value(r) : ordered_json(); };
  return if_any(std::move(f));
}

/// The counters of a struct that have a place of their own; `pick` gives the struct inside a record.
template <class Stats, std::size_t n, class Pick>
void append_counters(std::vector<Figure>& out, const Counter<Stats> (&counters)[n], Pick pick) {
  constexpr bool kOfFirmware = std::is_same_v<Stats, FtlStats>;
  for (const Counter<Stats>& c : counters) {
    if (c.name.empty() || (kOfFirmware && c.name == kErases)) continue;
    const auto get = c.get;
    Figure row{std::string(c.name),
               std::string(c.unit),
               std::string(c.help),
               FigureType::integer,
               c.kind,
               false,
               [get, pick](const RunRecord& r) -> ordered_json { return get(pick(r)); },
               false};
    out.push_back(kOfFirmware ? if_counted(std::move(row)) : std::move(row));
  }
}

/// By the part's own count where the firmware has none.
ordered_json erases(const RunRecord& r) {
  return r.counted ? r.ftl.erases : r.ledger.by_operation(hw::DeviceOpKind::erase).count;
}

LedgerCell programs(const RunRecord& r) {
  LedgerCell cell = r.ledger.by_operation(hw::DeviceOpKind::word_program);
  return cell += r.ledger.by_operation(hw::DeviceOpKind::buffer_program);
}

/// Of a NAND part the loads read the array; what its bus reads comes from the data RAM.
LedgerCell array_reads(const RunRecord& r) {
  const LedgerCell loads = r.ledger.by_operation(hw::DeviceOpKind::load);
  return loads.count != 0 ? loads : r.ledger.by_operation(hw::DeviceOpKind::array_read);
}

double rate(const RunRecord& r, auto amount) {
  const double simulated = to_seconds(r.ledger.simulated());
  return simulated > 0 ? static_cast<double>(amount) / simulated : 0.0;
}

double write_amplification(const RunRecord& r) {
  const double written = static_cast<double>(r.ftl.pages_written);
  const double programmed =
      written + static_cast<double>(r.ftl.pages_copied + r.ftl.pages_swapped + r.ftl.pages_padded);
  return written > 0 ? programmed / written : 0.0;
}

ordered_json firmware_work(const RunRecord& r) {
  ordered_json work = ordered_json::object();
  for (std::uint32_t w = 0; w < kWorkKinds; ++w) {
    work[std::string(name_of(static_cast<Work>(w)))] = {{"count", r.ledger.work[w]},
                                                        {"time_s", to_seconds(r.ledger.work_time[w])}};
  }
  return work;
}

ordered_json firmware_figures(const RunRecord& r) {
  ordered_json json;
  for (const FirmwareFigure& f : r.firmware_figures) json[std::string(f.name)] = f.value;
  return json;
}

ordered_json elapsed_by_cause(const RunRecord& r) {
  ordered_json json = ordered_json::object();
  for (std::uint32_t c = 0; c < kCauses; ++c) json[name_of(static_cast<Cause>(c))] = to_seconds(r.ledger.elapsed[c]);
  return json;
}

void append_device(std::vector<Figure>& out) {
  using enum FigureType;
  const auto add = [&out](Figure f) { out.push_back(std::move(f)); };
  add(fact("device.part", "", text, "name of the part, as in `ftlab parts`",
           [](auto& r) -> ordered_json { return r.device.part; }));
  add(fact("device.title", "", text, "the part for people", [](auto& r) -> ordered_json { return r.device.title; }));
  add(fact("device.host_profile", "", text, "name of the host, as in `ftlab hosts`",
           [](auto& r) -> ordered_json { return r.device.host_name; }));
  add(fact("device.host_title", "", text, "the host for people",
           [](auto& r) -> ordered_json { return r.device.host_title; }));
  add(fact("device.supply_v", "V", number, "supply voltage",
           [](auto& r) -> ordered_json { return r.device.supply_v; }));
  add(fact("device.segments", "", integer, "erasable regions",
           [](auto& r) -> ordered_json { return r.device.segments; }));
  add(fact("device.segment_bytes", "B", integer, "size of one",
           [](auto& r) -> ordered_json { return r.device.segment_bytes; }));
  add(fact("device.page_bytes", "B", integer, "mapping unit",
           [](auto& r) -> ordered_json { return r.device.page_bytes; }));
  add(fact("device.capacity_bytes", "B", integer, "whole device",
           [](auto& r) -> ordered_json { return r.device.capacity_bytes; }));
  add(fact("device.logical_bytes", "B", integer, "bytes offered to the host",
           [](auto& r) -> ordered_json { return r.device.logical_bytes; }));
  add(fact("device.parallel_units", "", integer, "devices that can be busy at the same time",
           [](auto& r) -> ordered_json { return r.device.parallel_units; }));
  add(fact("device.rated_erase_cycles", "cycles", integer, "endurance promised by the part",
           [](auto& r) -> ordered_json { return r.device.rated_erase_cycles; }));
}

void append_host(std::vector<Figure>& out) {
  using enum FigureType;
  const auto add = [&out](Figure f) { out.push_back(std::move(f)); };
  append_counters(out, kHostCounters, [](const RunRecord& r) -> const HostTotals& { return r.host; });
  add(figure("host.mean_depth", "", number,
             "requests queued or in flight, mean over the simulated time; host.requests / time.simulated_s times their "
             "mean latency is the same (Little's law), which every run checks",
             [](auto& r) -> ordered_json { return rate(r, to_seconds(r.host.queue.integral())); }));
  add(figure("host.write_service_s", "s", number,
             "sum of the times that writes and flushes were served, waiting in a queue excluded",
             [](auto& r) -> ordered_json { return to_seconds(r.host.write_service); }));
  add(fact("host.ended_early", "", boolean, "the run ended before its workload because the device takes no more writes",
           [](auto& r) -> ordered_json { return !r.end_reason.empty(); }));
  add(or_null(
      fact("host.end_reason", "", text, "why it ended early; no value where it did not", [](auto& r) -> ordered_json {
        return r.end_reason.empty() ? ordered_json(nullptr) : ordered_json(r.end_reason);
      })));
  add(or_null(fact("host.bytes_written_to_first_loss", "B", integer,
                   "bytes of write requests until the first segment was taken out of use; no value where none was",
                   [](auto& r) -> ordered_json {
                     return r.lost_first_at ? ordered_json(*r.lost_first_at) : ordered_json(nullptr);
                   })));
  add(or_null(figure(
      "host.wrong_reads", "", integer,
      "reads whose data differed from what had been acknowledged; no value where content was not verified",
      [](auto& r) -> ordered_json { return r.verified ? ordered_json(r.host.wrong_reads) : ordered_json(nullptr); })));
}

/// Of runs that an analytic model covers.
void append_model(std::vector<Figure>& out) {
  using enum FigureType;
  const auto add = [&out](Figure f) { out.push_back(if_any(std::move(f))); };
  add(fact("model.name", "", text, "the analytic model of this policy and workload, as in `ftlab model`",
           [](auto& r) -> ordered_json { return r.model ? ordered_json(r.model->name) : ordered_json(); }));
  add(fact("model.value", "", number, "its write amplification at the spare factor that results",
           [](auto& r) -> ordered_json { return r.model ? ordered_json(r.model->value) : ordered_json(); }));
  add(figure("model.deviation", "", number, "write_amplification / model.value - 1; absent without writes",
             [](auto& r) -> ordered_json {
               if (!r.model || r.ftl.pages_written == 0) return {};
               return write_amplification(r) / r.model->value - 1;
             }));
}

ordered_json counts_or_none(const std::vector<std::uint64_t>& counts) {
  return counts.empty() ? ordered_json() : ordered_json(counts);
}

/// Of layers that count them.
void append_valid_pages(std::vector<Figure>& out) {
  const auto add = [&out](Figure f) { out.push_back(if_any(std::move(f))); };
  add(figure("flash.victims_by_valid", "segments", FigureType::list,
             "segments that were cleaned, by how many of their pages were valid then, from 0 on",
             [](auto& r) { return counts_or_none(r.victims_by_valid); }));
  add(fact("flash.segments_by_valid", "segments", FigureType::list,
           "full segments at the end, by how many of their pages are valid, from 0 on",
           [](auto& r) { return counts_or_none(r.segments_by_valid); }));
}

void append_flash(std::vector<Figure>& out) {
  using enum FigureType;
  const auto add = [&out](Figure f) { out.push_back(std::move(f)); };
  append_counters(out, kFtlCounters, [](const RunRecord& r) -> const FtlStats& { return r.ftl; });
  add(figure("flash.erases", "segments", integer,
             "data segments erased; of a firmware that counts none, all erases of the device", erases));
  add(figure("flash.programs", "", integer, "program operations of the device",
             [](auto& r) -> ordered_json { return programs(r).count; }));
  add(figure("flash.reads", "", integer, "read operations of the device; of a NAND part its page loads",
             [](auto& r) -> ordered_json { return array_reads(r).count; }));
  add(figure("flash.bytes_programmed", "B", integer, "bytes of the programs",
             [](auto& r) -> ordered_json { return programs(r).bytes; }));
  add(figure("flash.bytes_read", "B", integer, "bytes of the reads",
             [](auto& r) -> ordered_json { return array_reads(r).bytes; }));
  add(if_counted(figure(
      "write_amplification", "", number,
      "(host pages written + pages copied + pages swapped + pages padded) / host pages written; 0 without writes; "
      "absent with firmware that does not count them",
      [](auto& r) -> ordered_json { return write_amplification(r); })));
  add(or_null(figure(
      "write_amplification_bytes", "", number,
      "flash.bytes_programmed / host.bytes_written; no value where nothing was written", [](auto& r) -> ordered_json {
        const auto written = static_cast<double>(r.host.bytes_written);
        return written > 0 ? ordered_json(static_cast<double>(programs(r).bytes) / written) : ordered_json(nullptr);
      })));
  add(if_any(figure("steady_state.write_amplification", "", list,
                    "of each complete overwrite of the logical size, warm-up included", [](auto& r) -> ordered_json {
                      return r.overwrites.amplification().empty() ? ordered_json()
                                                                  : ordered_json(r.overwrites.amplification());
                    })));
  add(if_any(figure("steady_state.drift", "", number,
                    "change of write amplification from the last overwrite before measuring to the mean of "
                    "those measured; without warm-up, from the first to the last; absent with too few",
                    [](auto& r) -> ordered_json {
                      const auto drift = r.overwrites.drift();
                      return drift ? ordered_json(*drift) : ordered_json();
                    })));
  add(if_any(figure("steady_state.reached", "", boolean,
                    "the drift is at most 1 %; false where there are too few overwrites to tell",
                    [](auto& r) -> ordered_json {
                      if (!r.overwrites.counts()) return {};
                      const auto drift = r.overwrites.drift();
                      return drift.has_value() && *drift <= Overwrites::kFlat;
                    })));
  append_valid_pages(out);
  append_model(out);
  add(if_counted(figure("firmware.work", "", object,
                        "counted pieces of firmware work, and the processor time they cost", firmware_work)));
  add(if_any(fact(kFirmwareFigures, "", numbers_by_name, "counters of the firmware's own", firmware_figures)));
  append_wear_figures(out);
  append_reliability_figures(out);
}

void append_cost(std::vector<Figure>& out) {
  using enum FigureType;
  const auto add = [&out](Figure f) { out.push_back(std::move(f)); };
  add(figure("time.simulated_s", "s", number, "simulated time",
             [](auto& r) -> ordered_json { return to_seconds(r.ledger.simulated()); }));
  add(figure("time.by_cause_s", "s", numbers_by_name,
             "elapsed time by cause; sums to time.simulated_s; on NAND arrays cleaning is what the firmware computes "
             "for it, and dies.time_by_cause_s what dies do",
             elapsed_by_cause));
  add(figure(
      "time.device_busy_s", "s", numbers_by_name, "time devices were busy by operation; may exceed elapsed time",
      [](auto& r) -> ordered_json { return by_operation(r, [](const LedgerCell& c) { return to_seconds(c.busy); }); }));
  add(or_null(figure(
      "time.low_power_s", "s", number,
      "how long the device could have been in a low-power state; no value on NAND arrays, which sum their operations",
      [](auto& r) -> ordered_json {
        return r.sees_operations ? ordered_json(to_seconds(r.ledger.low_power)) : ordered_json(nullptr);
      })));
  add(figure("time.bus_s", "s", number, "time the bus was occupied",
             [](auto& r) -> ordered_json { return to_seconds(r.ledger.bus_time); }));
  append_die_figures(out);
  append_page_read_figures(out);
  append_power_figures(out);
  append_core_figures(out);
  add(figure("throughput.write_bytes_per_s", "B/s", number, "bytes of write requests / simulated time",
             [](auto& r) -> ordered_json { return rate(r, r.host.bytes_written); }));
  add(figure("throughput.read_bytes_per_s", "B/s", number, "bytes of read requests / simulated time",
             [](auto& r) -> ordered_json { return rate(r, r.host.bytes_read); }));
  append_energy_figures(out);
  append_latency_figures(out, "latency.write", &HostTotals::write_latency);
  append_parts_figures(out, "latency.write", &HostTotals::write_parts);
  append_latency_figures(out, "latency.read", &HostTotals::read_latency);
  append_parts_figures(out, "latency.read", &HostTotals::read_parts);
  add(if_any(figure("latency.after_pause", "", object,
                    "response times of writes whose caller let time pass before them", [](auto& r) -> ordered_json {
                      return r.host.after_pause.count() > 0 ? distribution_section(r.host.after_pause)
                                                            : ordered_json(nullptr);
                    })));
  add(if_any(
      figure("timeline", "", object, "columns of equal length, a row for each sample", [](auto& r) -> ordered_json {
        ordered_json json = r.timeline.json();
        return json.empty() ? ordered_json(nullptr) : json;
      })));
  add(if_any(figure("wear_map", "", object,
                    "mean erase counts of neighbouring segments, a row for each sample of the run",
                    [](auto& r) { return r.wear_map.json(); })));
}

std::vector<Figure> collect() {
  std::vector<Figure> all;
  append_device(all);
  append_host(all);
  append_flash(all);
  append_cost(all);
  return all;
}

}  // namespace

std::string_view name_of(FigureType type) {
  switch (type) {
    case FigureType::integer:
      return "integer";
    case FigureType::number:
      return "number";
    case FigureType::index:
      return "index";
    case FigureType::text:
      return "text";
    case FigureType::boolean:
      return "true/false";
    case FigureType::numbers_by_name:
      return "numbers by name";
    case FigureType::object:
      return "object";
    case FigureType::list:
      return "list";
  }
  return "";
}

const std::vector<Figure>& figures() {
  static const std::vector<Figure> all = collect();
  return all;
}

const Figure* find_figure(std::string_view path) {
  for (const Figure& f : figures()) {
    if (path == f.path) return &f;
    const bool table = f.type == FigureType::numbers_by_name || f.type == FigureType::object;
    if (table && path.starts_with(f.path) && path.substr(f.path.size()).starts_with('.')) return &f;
  }
  return nullptr;
}

}  // namespace ftlab::platform
