// One study, frozen: which part, host, FTL, workload and run options. Every field is a row of params.cpp, where its
// key, unit, range, default and help are.
// Knows no file format and opens nothing but the study file.
// Invariant: a Study that load_study() returned is consistent; nobody changes it afterwards.
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

namespace ftlab::platform {

enum class SupplyVoltage : std::uint8_t { v5, v3_3 };
enum class Firmware : std::uint8_t { fms, flexfs };
enum class AgeClock : std::uint8_t { writes, time };
enum class ReadOnlyData : std::uint8_t { apart, mixed };
enum class EraseMode : std::uint8_t { wait, overlap };
enum class DriverWait : std::uint8_t { host, poll, interrupt };
enum class ProgramMode : std::uint8_t { page_buffer, word };
enum class TimingStyle : std::uint8_t { loose, event };
enum class WorkloadKind : std::uint8_t { sequential, uniform, hot_cold, classes, scenario, trace };
enum class Arrival : std::uint8_t { closed, poisson, trace };
enum class TraceFormat : std::uint8_t { automatic, hp_srt, msr, spc, disksim, mqsim, blkparse, cloudphysics, mobile };
enum class AddressMapping : std::uint8_t { compact, compact_scattered, modulo, direct };

/// A what-if value for a part or host file: key and TOML text, checked by the loader of that file.
struct FileOverride {
  std::string key;
  std::string text;
  std::string origin;  ///< "study.toml:12: part_overrides" or "--set: part_overrides", for messages
};

struct FtlChoices {
  Firmware firmware{};
  std::uint64_t page_bytes = 0;
  double utilization = 0;  ///< initial data / usable space
  std::string selection;
  std::string redistribution;
  std::string update;
  std::uint64_t low_water = 0;   ///< segments
  std::uint64_t high_water = 0;  ///< segments
  AgeClock age_clock{};
  ReadOnlyData read_only{};
  std::string wear_leveling;
  double swap_start = 0;          ///< share of the rated erase cycles
  std::uint64_t swap_spread = 0;  ///< erasures
  EraseMode erase{};
  bool idle_cleaning = false;
  std::uint64_t idle_water = 0;  ///< segments; 0 = high_water
  double idle_min_s = 0;
  bool data_checksum = false;
};

/// Names and units as in flexfs_config.h, but in seconds, milliseconds and MiB.
struct FlexFsChoices {
  std::string scheme;
  bool wear_management = false;
  double partition_mib = 0;  ///< 0 = the whole part
  std::uint64_t compulsory_free = 0;
  bool compulsory_paced = false;
  double wait_s = 0;
  double trigger_ms = 0;
  std::string migration_victim;
  std::string free_choice;
  std::uint64_t level_gap = 0;
  std::uint64_t cleaning_free = 0;
  std::uint64_t cleaning_idle_free = 0;
  std::uint64_t cleaning_idle_invalid = 0;
  std::uint64_t window_pages = 0;
  std::uint64_t recent_weight = 0;
  bool idle_beyond_wait = false;
  std::uint64_t hot_files = 0;
  std::uint64_t cold_files = 0;
  std::uint64_t forget_after_pages = 0;
  double lifetime_s = 0;
  double wear_window_s = 0;
  std::uint64_t erase_cycles = 0;
  double energy_budget_mj_per_mib = 0;  ///< 0 = none
};

struct DriverChoices {
  DriverWait wait{};
  ProgramMode program{};
  bool suspend = false;
};

struct PlatformChoices {
  TimingStyle timing{};
  double quantum_us = 0;
  bool store_content = false;
  std::uint64_t self_check_every = 0;  ///< requests; 0 = never
  double sample_s = 0;                 ///< period of the timeline; 0 = none
};

struct WorkloadChoices {
  WorkloadKind kind{};
  std::string scenario;        ///< name, or a path as the program can open it
  double page_cache_hits = 0;  ///< share of the read requests that never reach the device
  double hot_access = 0;
  double hot_data = 0;
  std::vector<double> class_access;  ///< classes: shares of the accesses
  std::vector<double> class_data;    ///< classes: shares of the data, same length
  double total_mib = 0;
  std::uint64_t request_bytes = 0;
  double read_share = 0;
  double read_only_share = 0;
  bool fill = false;
  std::uint64_t queue_depth = 1;  ///< requests in flight
  Arrival arrival{};
  double mean_interarrival_s = 0;
  std::uint64_t idle_every = 0;  ///< requests; 0 = never
  double idle_s = 0;
  std::string path;  ///< as the program can open it; empty = no trace
  TraceFormat format{};
  std::vector<std::string> device;
  std::string action;
  AddressMapping address{};
  double write_scale = 0;
  bool reads = true;                 ///< trace: keep its reads
  std::uint64_t limit_requests = 0;  ///< 0 = all
  std::uint64_t repeat = 0;
};

struct PowerChoices {
  double battery_wh = 0;
  double system_w = 0;
  double write_mib_per_hour = 0;
  double low_power_after_ms = 0;
};

struct Study {
  std::string part;  ///< name, or a path as the program can open it
  std::string host;
  std::uint64_t seed = 0;
  SupplyVoltage voltage{};
  std::string part_profile;  ///< empty: the part's default
  std::vector<FileOverride> part_overrides;
  std::vector<FileOverride> host_overrides;
  std::vector<FileOverride> scenario_overrides;
  FtlChoices ftl;
  FlexFsChoices flexfs;
  DriverChoices driver;
  PlatformChoices platform;
  WorkloadChoices workload;
  PowerChoices power;
  std::map<std::string, std::string, std::less<>> where;  ///< see where_of()
  std::string part_where;                                 ///< "FILE:LINE: part: ", for messages about the part file
  std::string host_where;
  std::string scenario_where;
  std::vector<std::string> notes;  ///< one line each: what the user should know although it is no error

  /// "FILE:LINE: KEY: " of a key, for messages about what only the part can tell; of a key that the study does not
  /// give, its table's line.
  [[nodiscard]] std::string where_of(std::string_view key) const;
};

/// A value from the command line; `origin` stands for FILE:LINE in messages.
struct Setting {
  std::string key;
  std::string text;
  std::string origin = "--set";
};

/// "ftl.selection=cat" -> Setting. Throws InputError when there is no '='.
Setting parse_setting(std::string_view key_equals_value);

/// Reads, overrides, validates. Paths in the file are relative to the file, paths in settings to the working directory.
/// Throws InputError, one line.
Study load_study(const std::filesystem::path& path, std::span<const Setting> settings = {});
/// The same from text; `name` stands for the file in messages, paths are relative to its folder.
Study parse_study(std::string_view text, const std::string& name, std::span<const Setting> settings = {});

/// Every key with its value, defaults included, in the order of the parameter table; a study made of it is the same.
nlohmann::ordered_json resolved_config(const Study& study);

}  // namespace ftlab::platform
