// The rows. A new parameter is a field in study.h and a row here.
#include "platform/study/params.h"

#include "platform/study/param_groups.h"
#include "platform/study/param_row.h"
#include "platform/study/policy_names.h"

namespace ftlab::platform {
namespace {

constexpr double kMost = 9.0e15;  // whole numbers up to here survive a double

std::vector<Param> top_rows() {
  return {
      path_row(
          "part", "\"series2plus-24mb\"", "part to simulate: a name from `ftlab parts`, or the path of a part file",
          [](auto& s) -> auto& { return s.part; }),
      path_row(
          "host", "\"pentium-133\"", "host machine: a name from `ftlab hosts`, or the path of a host file",
          [](auto& s) -> auto& { return s.host; }),
      integer_row(
          "seed", "", 0, kMost, "1", "seed of every random stream; the same seed gives the same result",
          [](auto& s) -> auto& { return s.seed; }),
      plain_row(
          ParamType::text, "part_profile", "\"\"",
          "timing profile of a Flex-OneNAND part, e.g. flexfs-calibrated; empty: that of the data sheet",
          [](auto& s) -> auto& { return s.part_profile; }),
      choice_row(
          "voltage", {"5V", "3.3V"}, "\"5V\"", "supply voltage of a Series 2+ card; selects its timings and currents",
          [](auto& s) -> auto& { return s.voltage; }),
  };
}

std::vector<Param> ftl_rows() {
  return {
      choice_row(
          "ftl.firmware", {"fms", "flexfs"}, "\"fms\"",
          "fms: the Flash Memory Server; flexfs: SLC and MLC regions in one device (NAND parts with paired pages)",
          [](auto& s) -> auto& { return s.ftl.firmware; }),
      integer_row(
          "ftl.page_bytes", "bytes", 256, 65536, "4096", "mapping unit, a power of two (the FMS papers: block)",
          [](auto& s) -> auto& { return s.ftl.page_bytes; }),
      number_row(
          "ftl.utilization", "", 0.01, 0.99, "0.9", "initial data / usable space",
          [](auto& s) -> auto& { return s.ftl.utilization; }),
      alternative_row("ftl.spare_factor", 0.01, 0.99, "1 - utilization; give it in place of utilization, never both",
                      [](Study& s, double spare) { s.ftl.utilization = 1 - spare; }),
      name_row(
          "ftl.selection", selection_names(), "\"cat\"", "which segment is cleaned next",
          [](auto& s) -> auto& { return s.ftl.selection; }),
      name_row(
          "ftl.redistribution", redistribution_names(), "\"fine_grained\"",
          "where the valid pages of a victim go: M1 sequential, M4 segment_based, M6 fine_grained of the papers",
          [](auto& s) -> auto& { return s.ftl.redistribution; }),
      name_row(
          "ftl.update", update_names(), "\"out_of_place\"", "how an overwritten page is stored",
          [](auto& s) -> auto& { return s.ftl.update; }),
      integer_row(
          "ftl.low_water", "segments", 1, 1e6, "3", "cleaning starts when no more than this many segments are free",
          [](auto& s) -> auto& { return s.ftl.low_water; }),
      integer_row(
          "ftl.high_water", "segments", 1, 1e6, "3",
          "once there is room again, cleaning goes on while fewer segments than this are free",
          [](auto& s) -> auto& { return s.ftl.high_water; }),
      choice_row(
          "ftl.age_clock", {"writes", "time"}, "\"writes\"",
          "what ages are measured in: host page writes, or simulated time",
          [](auto& s) -> auto& { return s.ftl.age_clock; }),
      choice_row(
          "ftl.read_only", {"apart", "mixed"}, "\"apart\"", "whether data marked read-only gets segments of its own",
          [](auto& s) -> auto& { return s.ftl.read_only; }),
      name_row(
          "ftl.wear_leveling", wear_leveling_names(), "\"none\"",
          "swap: exchange the most and least erased segments near the end of life",
          [](auto& s) -> auto& { return s.ftl.wear_leveling; }),
      number_row(
          "ftl.swap_start", "", 0.001, 1, "0.9",
          "swap: begins when a segment has used this share of the rated erase cycles",
          [](auto& s) -> auto& { return s.ftl.swap_start; }),
      integer_row(
          "ftl.swap_spread", "erasures", 1, 1e9, "64", "swap: least difference of erase counts worth a swap",
          [](auto& s) -> auto& { return s.ftl.swap_spread; }),
      choice_row(
          "ftl.erase", {"wait", "overlap"}, "\"wait\"",
          "wait for each erase as the papers do, or let other devices of the card work meanwhile",
          [](auto& s) -> auto& { return s.ftl.erase; }),
      bool_row(
          "ftl.idle_cleaning", "false", "clean in the background while no request is waiting",
          [](auto& s) -> auto& { return s.ftl.idle_cleaning; }),
      integer_row(
          "ftl.idle_water", "segments", 0, 1e6, "0",
          "idle cleaning goes on while no more than this many segments are free; 0: ftl.high_water",
          [](auto& s) -> auto& { return s.ftl.idle_water; }),
      number_row(
          "ftl.idle_min_s", "s", 0, 1e6, "1", "shorter idle times are not worth starting a cleaning",
          [](auto& s) -> auto& { return s.ftl.idle_min_s; }),
      bool_row(
          "ftl.data_checksum", "false",
          "NOR: keep a checksum of each page and look at it at every read, so that a flipped bit is a read error; "
          "work.checksum_byte of the host is its price, and a part of a page is read and checked as a whole",
          [](auto& s) -> auto& { return s.ftl.data_checksum; }),
  };
}

std::vector<Param> machine_rows() {
  return {
      choice_row(
          "driver.wait", {"host", "poll", "interrupt"}, "\"host\"",
          "how the driver waits for the part; host: interrupt where the host profile has one, else poll",
          [](auto& s) -> auto& { return s.driver.wait; }),
      choice_row(
          "driver.program", {"page_buffer", "word"}, "\"page_buffer\"",
          "program through the page buffers, or word by word", [](auto& s) -> auto& { return s.driver.program; }),
      bool_row(
          "driver.suspend", "false", "suspend an erase to serve a read",
          [](auto& s) -> auto& { return s.driver.suspend; }),
      choice_row(
          "platform.timing", {"loose", "event"}, "\"loose\"",
          "loose: fast, annotated delays; event: ready line and kernel events at every wait",
          [](auto& s) -> auto& { return s.platform.timing; }),
      number_row(
          "platform.quantum_us", "us", 0, 1e9, "1e6",
          "how far the processor's clock may run ahead of the simulation kernel",
          [](auto& s) -> auto& { return s.platform.quantum_us; }),
      bool_row(
          "platform.store_content", "true", "keep and verify real data; false: what pages hold is not kept",
          [](auto& s) -> auto& { return s.platform.store_content; }),
      integer_row(
          "platform.self_check_every", "requests", 0, kMost, "0",
          "walk every invariant of the FTL after so many requests; 0: never",
          [](auto& s) -> auto& { return s.platform.self_check_every; }),
      number_row(
          "platform.sample_s", "s", 0, 1e9, "0", "period of the timeline in the result; 0: none",
          [](auto& s) -> auto& { return s.platform.sample_s; }),
  };
}

std::vector<Param> workload_rows() {
  return {
      choice_row(
          "workload.kind", {"sequential", "uniform", "hot_cold", "classes", "scenario", "trace"}, "\"hot_cold\"",
          "where requests come from", [](auto& s) -> auto& { return s.workload.kind; }),
      path_row(
          "workload.scenario", "\"flexfs-idle\"",
          "scenario: a name from `ftlab scenarios`, or the path of a scenario file",
          [](auto& s) -> auto& { return s.workload.scenario; }),
      number_row(
          "workload.hot_access", "", 0.001, 0.999, "0.9", "hot_cold: share of the accesses that go to hot data",
          [](auto& s) -> auto& { return s.workload.hot_access; }),
      number_row(
          "workload.hot_data", "", 0.001, 0.999, "0.1", "hot_cold: share of the data that is hot, scattered at random",
          [](auto& s) -> auto& { return s.workload.hot_data; }),
      numbers_row(
          "workload.class_access", 0, 1, "[0.9, 0.1]",
          "classes: share of the accesses that goes to each class of data; they sum to 1",
          [](auto& s) -> auto& { return s.workload.class_access; }),
      numbers_row(
          "workload.class_data", 0, 1, "[0.1, 0.9]",
          "classes: share of the data in each class; what is left of the data is never rewritten",
          [](auto& s) -> auto& { return s.workload.class_data; }),
      number_row(
          "workload.total_mib", "MiB", 0.001, 1e9, "192", "bytes requested in all (generated workloads)",
          [](auto& s) -> auto& { return s.workload.total_mib; }),
      integer_row(
          "workload.request_bytes", "bytes", 1, 4194304, "4096", "size of one request (generated workloads)",
          [](auto& s) -> auto& { return s.workload.request_bytes; }),
      number_row(
          "workload.read_share", "", 0, 1, "0", "share of the requests that are reads (generated workloads)",
          [](auto& s) -> auto& { return s.workload.read_share; }),
      number_row(
          "workload.read_only_share", "", 0, 0.99, "0", "share of the initial data that is never rewritten",
          [](auto& s) -> auto& { return s.workload.read_only_share; }),
      bool_row(
          "workload.fill", "true",
          "write the initial data first, up to ftl.utilization; a scenario does so only when asked",
          [](auto& s) -> auto& { return s.workload.fill; }),
      integer_row(
          "workload.queue_depth", "requests", 1, 64, "1",
          "requests that the host keeps in flight; a firmware that serves one at a time takes them one by one",
          [](auto& s) -> auto& { return s.workload.queue_depth; }),
      choice_row(
          "workload.arrival", {"closed", "poisson", "trace"}, "\"closed\"",
          "closed: the next request follows at once; poisson: random gaps; trace: the times of the trace or scenario "
          "(a scenario keeps them unless this says otherwise)",
          [](auto& s) -> auto& { return s.workload.arrival; }),
      number_row(
          "workload.mean_interarrival_s", "s", 1e-9, 1e9, "24.6", "poisson: mean gap between requests",
          [](auto& s) -> auto& { return s.workload.mean_interarrival_s; }),
      unpublished(number_row(
          "workload.page_cache_hits", "", 0, 1, "0",
          "share of the read requests that the host's page cache answers, drawn at random",
          [](auto& s) -> auto& { return s.workload.page_cache_hits; })),
      integer_row(
          "workload.idle_every", "requests", 0, kMost, "0", "closed: the host pauses after so many requests; 0: never",
          [](auto& s) -> auto& { return s.workload.idle_every; }),
      number_row(
          "workload.idle_s", "s", 0, 1e7, "1", "closed: length of such a pause",
          [](auto& s) -> auto& { return s.workload.idle_s; }),
  };
}

std::vector<Param> trace_rows() {
  return {
      trace_path_row(
          "workload.path",
          "trace: the file, plain or packed with gzip, bzip2, xz or zstd; - is standard input; needed when kind = "
          "\"trace\"",
          [](auto& s) -> auto& { return s.workload.path; }),
      choice_row(
          "workload.format", {"auto", "hp_srt", "msr", "spc", "disksim", "mqsim", "blkparse", "cloudphysics", "mobile"},
          "\"auto\"", "trace: format of the file; auto: detected", [](auto& s) -> auto& { return s.workload.format; }),
      list_row(
          "workload.device", "[]", "trace: keep only these devices or sections; empty: all",
          [](auto& s) -> auto& { return s.workload.device; }),
      name_row(
          "workload.action", {"Q", "G", "I", "D", "C"}, "\"D\"",
          "trace: the blkparse event that stands for a request; D issued, Q queued, C completed",
          [](auto& s) -> auto& { return s.workload.action; }),
      choice_row(
          "workload.address", {"compact", "compact_scattered", "modulo", "direct"}, "\"compact\"",
          "trace: compact numbers touched pages in order of first use; compact_scattered spreads them at random; "
          "modulo "
          "wraps; direct keeps addresses",
          [](auto& s) -> auto& { return s.workload.address; }),
      number_row(
          "workload.write_scale", "", 1e-6, 1e6, "1",
          "trace: writes to replay, as a multiple of the trace's own; below 1 keeps a share of its pages",
          [](auto& s) -> auto& { return s.workload.write_scale; }),
      bool_row(
          "workload.reads", "true",
          "trace: keep its reads; false: pages that are only read take no place on the device",
          [](auto& s) -> auto& { return s.workload.reads; }),
      integer_row(
          "workload.limit_requests", "requests", 0, kMost, "0", "trace: stop after so many requests; 0: all",
          [](auto& s) -> auto& { return s.workload.limit_requests; }),
      integer_row(
          "workload.repeat", "", 1, 1e6, "1", "trace: how often it is replayed",
          [](auto& s) -> auto& { return s.workload.repeat; }),
  };
}

std::vector<Param> power_rows() {
  return {
      number_row(
          "power.battery_wh", "Wh", 0.001, 1e6, "20", "battery of the what-if",
          [](auto& s) -> auto& { return s.power.battery_wh; }),
      number_row(
          "power.system_w", "W", 0, 1e6, "0", "what the rest of the machine draws in the what-if",
          [](auto& s) -> auto& { return s.power.system_w; }),
      number_row(
          "power.write_mib_per_hour", "MiB/h", 0, 1e9, "20", "how much the host writes in the what-if",
          [](auto& s) -> auto& { return s.power.write_mib_per_hour; }),
      number_row(
          "power.low_power_after_ms", "ms", 0, 1e9, "10",
          "a machine could enter a low-power state when the device has had no operation for so long (an estimate); see "
          "time.low_power_s",
          [](auto& s) -> auto& { return s.power.low_power_after_ms; }),
  };
}

}  // namespace

const std::vector<Param>& params() {
  static const std::vector<Param> all = [] {
    std::vector<Param> rows;
    for (auto* group : {top_rows, ftl_rows, flexfs_rows, machine_rows, workload_rows, trace_rows, power_rows}) {
      for (Param& row : group()) rows.push_back(std::move(row));
    }
    return rows;
  }();
  return all;
}

std::span<const FreeTable> free_tables() {
  static constexpr FreeTable kTables[] = {
      {"part_overrides", "what-if values for any number of the part file, checked against that file",
       "segment_kib = 64"},
      {"host_overrides", "what-if values for any number of the host file", "work.page_copy = \"2 ms\""},
      {"scenario_overrides", "what-if values for any number of the scenario file", "bursts.period = \"12 s\""},
  };
  return kTables;
}

std::string_view table_help(std::string_view table) {
  if (table.empty()) return "What is simulated";
  if (table == "ftl") return "The flash translation layer";
  if (table == "flexfs") return "FlexFS, used with ftl.firmware = \"flexfs\"";
  if (table == "driver") return "How the driver of the part works";
  if (table == "platform") return "How the simulation runs";
  if (table == "workload") return "What the host asks for";
  return "Power: the battery what-if of the report, and when a low-power state begins";
}

}  // namespace ftlab::platform
