// One study, frozen: which part, host, FTL, workload and run options. What is chosen about a part, a driver or a
// firmware is in a struct of its own, which lies in `configs`: no layer and no part is known here. keys.cpp collects
// their rows. Knows no file format and opens nothing but the study file and, for defaults that depend on them, those of
// the part and of a firmware of one's own. Invariant: a Study that load_study() returned is consistent; nobody changes
// it afterwards.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platform/files/derived_file.h"
#include "platform/study/config_set.h"
#include "workloads/workload_config.h"

namespace ftlab::platform {

enum class DriverWaiting : std::uint8_t { host, poll, interrupt };
enum class TimingStyle : std::uint8_t { loose, event };
/// Who executes the firmware: the simulating machine, each piece of work at its cost, or a simulated core.
enum class ProcessorKind : std::uint8_t { native, arm, riscv };
/// How an overwritten page is stored.
enum class Update : std::uint8_t { out_of_place, in_place };
/// Whether each erase ends before anything else starts, as in the papers' measurements, or other devices of the part
/// work meanwhile.
enum class Erasing : std::uint8_t { wait, overlap };

/// The first firmware (platform/study/firmware_row.h), and the selection it starts with.
std::string default_firmware();
std::string default_selection();

/// What translation layers are asked alike; each has more in a struct of its own.
struct FtlChoices {
  std::string firmware = default_firmware();
  std::uint64_t page_bytes = 4096;  ///< 0: the page of the part, for a layer that maps those
  double utilization = 0.9;         ///< initial data / usable space
  Update update = Update::out_of_place;
  std::string selection = default_selection();  ///< which segment is cleaned next, by the firmware's own names
  Erasing erase = Erasing::wait;
  bool data_checksum = false;  ///< NOR: of each page
};

struct DriverChoices {
  DriverWaiting wait = DriverWaiting::host;
};

struct PlatformChoices {
  ProcessorKind processor = ProcessorKind::native;
  double core_mhz = 0;  ///< 0: as the core's file says
  bool dma = true;      ///< of the board of a core: moves what drivers copy
  TimingStyle timing = TimingStyle::loose;
  double quantum_us = 1e6;
  bool store_content = true;
  std::uint64_t self_check_every = 0;  ///< requests; 0 = never
  double sample_s = 0;                 ///< period of the timeline; 0 = none
  bool latency_parts = false;          ///< follow each request on an array
};

/// The workload as the host sees it; which requests it makes is in the structs of workloads/workload_config.h.
struct WorkloadChoices {
  std::string kind = "hot_cold";         ///< a name of workloads::workload_kinds()
  std::string scenario = "flexfs-idle";  ///< name, or a path as the program can open it
  std::string path;                      ///< trace, as the program can open it; empty = none
  std::string sha256;                    ///< of the unpacked trace; empty = any
  bool fill = true;
  double warm_up_overwrites = 0;             ///< of the logical size, before measuring
  std::uint64_t queue_depth = 1;             ///< requests queued or in flight
  std::vector<double> client_depths{};       ///< the same of each client; empty: there is one, of queue_depth
  std::vector<double> client_read_shares{};  ///< of each of them
  double page_cache_hits = 0;                ///< share of the read requests that never reach the device
  std::uint64_t idle_every = 0;              ///< requests; 0 = never
  double idle_s = 1;
};

/// What the part has been through before the run.
struct AgeChoices {
  std::uint64_t cycles = 0;   ///< erases of each segment
  double days = 0;            ///< that the data has been stored for when the measured phase begins
  double temperature_c = 25;  ///< meanwhile
  std::uint64_t reads = 0;    ///< of each page by then
  [[nodiscard]] bool any() const { return cycles > 0 || days > 0 || reads > 0; }
};

struct PowerChoices {
  double battery_wh = 20;
  double system_w = 0;
  double write_mib_per_hour = 20;
  double low_power_after_ms = 10;
  // When power is lost in the measured phase; any order.
  std::vector<double> loss_at_s{};
  std::vector<double> loss_at_request{};    ///< measured requests that have been answered
  std::vector<double> loss_at_operation{};  ///< the how many of the part's programs, erases and reads
  std::vector<double> loss_at_program{};
  std::vector<double> loss_at_erase{};
  std::vector<double> loss_at_read{};
  double loss_share = 0.5;                    ///< of such an operation's time
  std::vector<double> loss_at_instruction{};  ///< so many that a simulated core has executed
  [[nodiscard]] bool counts_operations() const {
    return !loss_at_operation.empty() || !loss_at_program.empty() || !loss_at_erase.empty() || !loss_at_read.empty();
  }
  [[nodiscard]] std::size_t losses() const {
    return loss_at_s.size() + loss_at_request.size() + loss_at_operation.size() + loss_at_program.size() +
           loss_at_erase.size() + loss_at_read.size() + loss_at_instruction.size();
  }
  [[nodiscard]] bool plans_losses() const { return losses() != 0; }
  /// The key that plans one, for messages; the first where several do.
  [[nodiscard]] std::string_view loss_key() const {
    return !loss_at_s.empty()           ? "power.loss_at_s"
           : !loss_at_request.empty()   ? "power.loss_at_request"
           : !loss_at_operation.empty() ? "power.loss_at_operation"
           : !loss_at_program.empty()   ? "power.loss_at_program"
           : !loss_at_erase.empty()     ? "power.loss_at_erase"
           : !loss_at_read.empty()      ? "power.loss_at_read"
                                        : "power.loss_at_instruction";
  }
};

/// What a result holds of the files it was made of, as TOML text; empty: the file that the study names is read.
struct StudyDocuments {
  std::string part;
  std::string host;
  std::string core;
  std::string scenario;
  std::string where;  ///< "result.json: config.documents", for messages
};

struct Study {
  std::string part = "series2plus-24mb";  ///< name, or a path as the program can open it
  std::string host = "pentium-133";
  std::string core;  ///< likewise; empty: none
  std::uint64_t seed = 1;
  ConfigSet configs;  ///< of firmwares, parts and their drivers
  std::vector<FileOverride> part_overrides;
  std::vector<FileOverride> host_overrides;
  std::vector<FileOverride> core_overrides;
  std::vector<FileOverride> scenario_overrides;
  StudyDocuments documents;
  std::string trace_as_named;  ///< workload.path of the result being repeated, when the trace was found elsewhere
  FtlChoices ftl;
  DriverChoices driver;
  PlatformChoices platform;
  WorkloadChoices workload;
  workloads::GeneratorConfig generator;
  workloads::TraceConfig trace;
  workloads::ArrivalConfig arrival;
  AgeChoices age;
  PowerChoices power;
  std::map<std::string, std::string, std::less<>> where;  ///< see where_of()
  std::string part_where;                                 ///< "FILE:LINE: part: ", for messages about the part file
  std::string host_where;
  std::string core_where;
  std::string scenario_where;
  std::vector<std::string> notes;  ///< one line each: what the user should know although it is no error

  /// "FILE:LINE: KEY: " of a key, for messages about what only the part can decide; of a key that the study does not
  /// give, its table's line.
  [[nodiscard]] std::string where_of(std::string_view key) const;
  [[nodiscard]] bool on_core() const { return platform.processor != ProcessorKind::native; }
  /// Requests are made up, neither those of a trace nor of a scenario.
  [[nodiscard]] bool is_generated() const { return workload.kind != "trace" && workload.kind != "scenario"; }
};

/// A value from the command line; `origin` stands for FILE:LINE in messages.
struct Setting {
  std::string key;
  std::string text;
  std::string origin = "--set";
};

/// "ftl.selection=cat" -> Setting. Throws InputError when there is no '='.
Setting parse_setting(std::string_view key_equals_value, std::string_view example = "ftl.selection=cat");

/// Reads, overrides, validates. Paths in the file are relative to the file, paths in settings to the working directory.
/// Throws InputError, one line.
Study load_study(const std::filesystem::path& path, std::span<const Setting> settings = {});
/// The same from text; `name` stands for the file in messages, paths are relative to its folder.
Study parse_study(std::string_view text, const std::string& name, std::span<const Setting> settings = {});
/// A resolved configuration as text: its lines are nobody's, its paths are as the program can open them, and notes are
/// about settings only.
Study parse_resolved(std::string_view text, const std::string& name, std::span<const Setting> settings);

/// Every key with its value, defaults included, in the order of the parameter table; a study made of it is the same.
nlohmann::ordered_json resolved_config(const Study& study);

}  // namespace ftlab::platform
