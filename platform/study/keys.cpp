// Collects the keys of a study from the structs they set. A new key is a member and a row beside it; only what the
// platform itself chooses has its rows here. Knows no firmware and no family of parts: each brings its keys.
#include <algorithm>
#include <stdexcept>

#include "platform/study/field_rows.h"
#include "platform/study/firmware_keys.h"
#include "platform/study/firmware_row.h"
#include "platform/study/page_sizes.h"
#include "platform/study/params.h"
#include "platform/study/part_defaults.h"
#include "platform/study/part_family.h"
#include "workloads/workloads.h"

namespace ftlab::platform {
namespace {

/// "fms: ...; flexfs: ...", one of each name, and which is the default.
std::string firmware_help() {
  std::string help;
  for (const FirmwareRow* row : firmware_list()) {
    help += (help.empty() ? "" : "; ") + std::string(row->name) + ": " + std::string(row->help);
  }
  help += "; unless given " + default_firmware();
  return help + ", and " + std::string(firmware_on_arrays().name) + " on NAND arrays";
}

/// With which firmwares a study is one of a drive.
std::string drives_text() {
  std::string everywhere;
  std::string on_arrays;
  const auto add = [](std::string& names, std::string_view name) {
    names += (names.empty() ? "\"" : ", \"") + std::string(name) + "\"";
  };
  for (const FirmwareRow* row : firmware_list()) {
    if (row->drive_on == DriveOn::all_parts) add(everywhere, row->name);
    if (row->drive_on == DriveOn::arrays) add(on_arrays, row->name);
  }
  return "with ftl.firmware = " + everywhere + ", and on NAND arrays with " + on_arrays;
}

std::string_view firmware_name(std::size_t i) {
  return i < firmware_list().size() ? firmware_list()[i]->name : std::string_view{};
}

constexpr double kMax = 9.0e15;  // whole numbers up to here survive a double

const Field<Study> kStudyFields[] = {
    other_field<&Study::part>("part", FieldType::path, 0, 0,
                              "part to simulate: a name from `ftlab parts`, or the path of a part file"),
    other_field<&Study::host>("host", FieldType::path, 0, 0,
                              "host machine: a name from `ftlab hosts`, or the path of a host file"),
    other_field<&Study::core>("core", FieldType::path, 0, 0,
                              "simulated core: a name from `ftlab cores`, or the path of a core file; unless given "
                              "cortex-m4 for platform.processor = \"arm\" and rv32imc for \"riscv\"")
        .with("platform.processor", "arm|riscv"),
    integer_field<&Study::seed>("seed", "", 0, kMax,
                                "seed of every random stream; the same seed gives the same result"),
};

constexpr EnumName<Update> kUpdates[] = {{"out_of_place", Update::out_of_place}, {"in_place", Update::in_place}};
const Field<FtlChoices> kFtlFields[] = {
    name_field<&FtlChoices::firmware>("firmware", firmware_name, ""),  // help: what is in the list by then
    integer_field<&FtlChoices::page_bytes>(
        "page_bytes", "bytes", kMinPageBytes, kMaxPageBytes,
        "mapping unit, a power of two (the FMS papers: block); on an array the page of "
        "the part, or a half to a sixteenth of it, with `page` on a Flex-OneNAND or a half: then several share a "
        "program"),
    number_field<&FtlChoices::utilization>("utilization", "", 0.01, 0.99, "initial data / usable space"),
    choice_field<&FtlChoices::update, kUpdates>(
        "update", "how an overwritten page is stored; in_place is the firmware of that name"),
};

/// Another way to give the utilization: optional, and not in the resolved configuration.
Param spare_factor_row() {
  Param p;
  p.key = "ftl.spare_factor";
  p.table = "ftl";
  p.type = ParamType::number;
  p.min = 0.01;
  p.max = 0.99;
  p.help =
      "1 - utilization; give it in place of utilization, never both; S_f = (T - U) / T, where T counts open segments "
      "and "
      "not the free ones in reserve, " +
      drives_text();
  p.write = [](Study& s, const ParamValue& v) { s.ftl.utilization = 1 - std::get<double>(v); };
  return p;
}

constexpr EnumName<DriverWaiting> kDriverWaits[] = {
    {"host", DriverWaiting::host}, {"poll", DriverWaiting::poll}, {"interrupt", DriverWaiting::interrupt}};
const Field<DriverChoices> kDriverFields[] = {
    choice_field<&DriverChoices::wait, kDriverWaits>(
        "wait", "how the driver waits for the part; host: interrupt where the host profile has one, else poll"),
};

constexpr EnumName<TimingStyle> kTimings[] = {{"loose", TimingStyle::loose}, {"event", TimingStyle::event}};
constexpr EnumName<ProcessorKind> kProcessors[] = {
    {"native", ProcessorKind::native}, {"arm", ProcessorKind::arm}, {"riscv", ProcessorKind::riscv}};
const Field<PlatformChoices> kPlatformFields[] = {
    choice_field<&PlatformChoices::processor, kProcessors>(
        "processor",
        "who executes the firmware; native: this machine, its work costs what the host says; arm, riscv: a simulated "
        "Cortex-M4 or RV32IMC core, its program on the board of firmware/target, with the bus of the host "
        "(docs/cores.md)"),
    number_field<&PlatformChoices::core_mhz>("core_mhz", "MHz", 0, 1000,
                                             "clock of a simulated core, in whole kHz, 1 MHz or more; 0: as the core's "
                                             "file says")
        .with("processor", "arm|riscv"),
    bool_field<&PlatformChoices::dma>(
        "dma", "the board's DMA moves what drivers copy, while the core sleeps; false: the core does, except on arrays")
        .with("processor", "arm|riscv"),
    choice_field<&PlatformChoices::timing, kTimings>(
        "timing", "loose: fast, annotated delays; event: ready line and kernel events at every wait"),
    number_field<&PlatformChoices::quantum_us>("quantum_us", "us", 0, 1e9,
                                               "how far the processor's clock may run ahead of the simulation kernel"),
    bool_field<&PlatformChoices::store_content>("store_content",
                                                "keep and verify real data; false: what pages hold is not kept"),
    integer_field<&PlatformChoices::self_check_every>(
        "self_check_every", "requests", 0, kMax, "walk every invariant of the FTL after so many requests; 0: never"),
    number_field<&PlatformChoices::sample_s>("sample_s", "s", 0, 1e8, "period of the timeline in the result; 0: none"),
    bool_field<&PlatformChoices::latency_parts>(
        "latency_parts",
        "on NAND arrays: follow each request and say what response times are made of (latency.read.parts_s); left out: "
        "where the part has a link to its host"),
};

std::string_view workload_kind_name(std::size_t i) {
  static const std::vector<workloads::WorkloadKind> kinds = workloads::workload_kinds();
  return i < kinds.size() ? kinds[i].name : std::string_view{};
}

const Field<WorkloadChoices> kKindFields[] = {
    name_field<&WorkloadChoices::kind>("kind", workload_kind_name, "where requests come from"),
    other_field<&WorkloadChoices::scenario>("scenario", FieldType::path, 0, 0,
                                            "scenario: a name from `ftlab scenarios`, or the path of a scenario file")
        .with("kind", "scenario"),
};

const Field<WorkloadChoices> kHostFields[] = {
    bool_field<&WorkloadChoices::fill>(
        "fill", "write the initial data first, up to ftl.utilization; a scenario does so only when asked"),
    number_field<&WorkloadChoices::warm_up_overwrites>(
        "warm_up_overwrites", "", 0, 1e6,
        "how much of the workload is written, in a closed loop, before measuring begins, in units of the logical size; "
        "on NAND arrays 4, where neither this nor overwrites nor total_mib is given (generated workloads)"),
    integer_field<&WorkloadChoices::queue_depth>(
        "queue_depth", "requests", 1, 1024,
        "requests that the host keeps queued or in flight, or in flight where they have arrival times; with a firmware "
        "that serves one at a time the others wait; unless given, on a NAND array as many as it has dies"),
    other_field<&WorkloadChoices::client_depths>(
        "client_depths", FieldType::numbers, 1, 1024,
        "several clients at once: requests that each keeps queued or in flight, whole numbers; what they write "
        "together ends the run; empty: one client of queue_depth")
        .with("kind", workloads::kGenerated)
        .with("arrival", "closed"),
    other_field<&WorkloadChoices::client_read_shares>("client_read_shares", FieldType::numbers, 0, 1,
                                                      "share of reads among the requests of each of client_depths")
        .with("kind", workloads::kGenerated)
        .with("arrival", "closed"),
    number_field<&WorkloadChoices::page_cache_hits>(
        "page_cache_hits", "", 0, 1, "share of the read requests that the host's page cache answers, drawn at random")
        .not_published(),
    integer_field<&WorkloadChoices::idle_every>("idle_every", "requests", 0, kMax,
                                                "closed: the host pauses after so many requests; 0: never")
        .with("arrival", "closed"),
    number_field<&WorkloadChoices::idle_s>("idle_s", "s", 0, 1e7, "closed: length of such a pause")
        .with("arrival", "closed"),
};

const Field<WorkloadChoices> kTraceFileFields[] = {
    other_field<&WorkloadChoices::path>(
        "path", FieldType::path, 0, 0,
        "trace: the file, plain or packed with gzip, bzip2, xz or zstd; - is standard input; needed when kind = "
        "\"trace\"")
        .with("kind", "trace"),
    other_field<&WorkloadChoices::sha256>(
        "sha256", FieldType::text, 0, 0,
        "trace: SHA-256 of the unpacked bytes, so that no other trace is replayed; empty: any (the result says it)")
        .with("kind", "trace"),
};

const Field<AgeChoices> kAgeFields[] = {
    integer_field<&AgeChoices::cycles>("cycles", "cycles", 0, 1e6,
                                       "erases that each segment has had before the run; those of the run come on top"),
    number_field<&AgeChoices::days>("days", "days", 0, 36500,
                                    "how long what is on the part when the measured phase begins, initial data and "
                                    "warm-up, has been stored"),
    number_field<&AgeChoices::temperature_c>("temperature_c", "degC", -40, 125,
                                             "at which; during the run it is the part's errors.reference_temperature")
        .with("days", "N"),
    integer_field<&AgeChoices::reads>("reads", "", 0, 1e6, "how often each page of it has been read meanwhile"),
};

const Field<PowerChoices> kPowerFields[] = {
    number_field<&PowerChoices::battery_wh>("battery_wh", "Wh", 0.001, 1e6, "battery of the estimate"),
    number_field<&PowerChoices::system_w>("system_w", "W", 0, 1e6,
                                          "what the rest of the machine draws in the battery estimate"),
    number_field<&PowerChoices::write_mib_per_hour>("write_mib_per_hour", "MiB/h", 0, 1e9,
                                                    "how much the host writes in the battery estimate"),
    number_field<&PowerChoices::low_power_after_ms>(
        "low_power_after_ms", "ms", 0, 1e9,
        "a machine could enter a low-power state when the device has had no operation for so long (an estimate); see "
        "time.low_power_s"),
    other_field<&PowerChoices::loss_at_s>(
        "loss_at_s", FieldType::numbers, 0, 1e8,
        "times of the measured phase at which power is lost; it is back at once, and the firmware mounts again")
        .in_units_of("s"),
    other_field<&PowerChoices::loss_at_request>(
        "loss_at_request", FieldType::numbers, 1, kMax,
        "the same right after so many measured requests have been answered, whole numbers")
        .in_units_of("requests"),
    other_field<&PowerChoices::loss_at_operation>("loss_at_operation", FieldType::numbers, 1, kMax,
                                                  "the same in the midst of the part's program, erase or read of this "
                                                  "number, in the order in which they begin in "
                                                  "the measured phase, mounts included; whole numbers")
        .in_units_of("operations"),
    other_field<&PowerChoices::loss_at_program>("loss_at_program", FieldType::numbers, 1, kMax,
                                                "the same, counting programs alone")
        .in_units_of("programs"),
    other_field<&PowerChoices::loss_at_erase>("loss_at_erase", FieldType::numbers, 1, kMax,
                                              "the same, counting erases alone")
        .in_units_of("erases"),
    other_field<&PowerChoices::loss_at_read>(
        "loss_at_read", FieldType::numbers, 1, kMax,
        "the same, counting reads alone: page loads of a NAND part; the reads of a card are no operations")
        .in_units_of("reads"),
    number_field<&PowerChoices::loss_share>(
        "loss_share", "", 0, 1,
        "how much of its time such an operation has had: 0: it has just begun; 1: it has ended, and nobody knows"),
    other_field<&PowerChoices::loss_at_instruction>(
        "loss_at_instruction", FieldType::numbers, 1, kMax,
        "the same right behind so many instructions of a simulated core in the measured phase, mounts included; whole "
        "numbers")
        .in_units_of("instructions")
        .with("platform.processor", "arm|riscv"),
};

template <class Config, std::size_t n>
std::span<const Field<Config>> all(const Field<Config> (&fields)[n]) {
  return fields;
}

std::vector<Param> collect() {
  std::vector<Param> rows;
  append_rows(
      rows, {}, all(kStudyFields), [](auto& s) -> auto& { return s; });
  std::ranges::find(rows, "host", &Param::key)->help +=
      "; unless given " + std::string(kDriveHost) + " " + drives_text();
  for (const PartFamily* family : part_families())
    if (family->keys != nullptr) family->keys(*family, rows);
  append_rows(
      rows, {"ftl", {}, ""}, all(kFtlFields), [](auto& s) -> auto& { return s.ftl; });
  std::ranges::find(rows, "ftl.firmware", &Param::key)->help = firmware_help();
  rows.push_back(spare_factor_row());
  std::ranges::move(keys_of_firmwares(), std::back_inserter(rows));
  append_rows(
      rows, {"driver", {}, ""}, all(kDriverFields), [](auto& s) -> auto& { return s.driver; });
  for (const PartFamily* family : part_families())
    if (family->driver_keys != nullptr) family->driver_keys(*family, rows);
  append_rows(
      rows, {"platform", {}, ""}, all(kPlatformFields), [](auto& s) -> auto& { return s.platform; });
  const RowGroup workload{"workload", {}, ""};
  const auto choices = [](auto& s) -> auto& { return s.workload; };
  append_rows(rows, workload, all(kKindFields), choices);
  append_rows(
      rows, workload, all(workloads::kGeneratorFields), [](auto& s) -> auto& { return s.generator; });
  append_rows(
      rows, workload, all(workloads::kArrivalFields), [](auto& s) -> auto& { return s.arrival; });
  append_rows(rows, workload, all(kHostFields), choices);
  append_rows(rows, workload, all(kTraceFileFields), choices);
  append_rows(
      rows, workload, all(workloads::kTraceFields), [](auto& s) -> auto& { return s.trace; });
  append_rows(
      rows, {"age", {}, std::string(kArrayFamily.name)}, all(kAgeFields), [](auto& s) -> auto& { return s.age; });
  append_rows(
      rows, {"power", {}, ""}, all(kPowerFields), [](auto& s) -> auto& { return s.power; });
  Condition counted{"power.loss_at_operation", "[N, ...]"};
  for (const char* key : {"power.loss_at_program", "power.loss_at_erase", "power.loss_at_read"})
    counted.others.push_back({key, "[N, ...]"});
  std::ranges::find(rows, "power.loss_share", &Param::key)->counts_with = {counted};
  // A trace, core or program that is not named is none: its key may be absent.
  for (Param& row : rows) {
    if (row.key == "workload.path" || row.key == "core" || row.table == "firmware") row.fallback.clear();
    if (std::ranges::count(rows, row.key, &Param::key) != 1) throw std::logic_error("two keys are named " + row.key);
  }
  return rows;
}

}  // namespace

const std::vector<Param>& params() {
  static const std::vector<Param> rows = collect();
  return rows;
}

std::span<const FreeTable> free_tables() {
  static constexpr FreeTable kTables[] = {
      {"part_overrides",
       "other values for any number of the part file, checked against that file; wear-out is endurance.*, bit errors "
       "are "
       "errors.*, with one meaning on all parts (docs/wear.md)",
       "segment_kib = 64"},
      {"host_overrides", "other values for any number of the host file", "work.page_copy = \"2 ms\""},
      {"core_overrides", "other values for any number of the core file", "cycles.multiply = 3"},
      {"scenario_overrides", "other values for any number of the scenario file", "bursts.period = \"12 s\""},
      {kFirmwareValues,
       "values for the program of firmware.elf by names of its own: whole numbers, true or false, sizes, which it "
       "reads "
       "in bytes, shares in %, in millionths, and times, in microseconds (docs/cores.md)",
       "free_segments = 8"},
  };
  return kTables;
}

std::string_view table_help(std::string_view table) {
  if (table.empty()) return "What is simulated";
  if (table == "ftl") return "The flash translation layer";
  if (table == "driver") return "How the driver of the part works";
  if (table == "platform") return "How the simulation runs";
  if (table == "age") return "What a NAND array has been through before the run";
  if (table == "workload") return "What the host asks for";
  for (const FirmwareRow* row : firmware_list()) {
    if (table == row->table.name) return row->table.help;
  }
  return "Power: losses and the mounts after them, the battery estimate of the report, when a low-power state begins";
}

}  // namespace ftlab::platform
