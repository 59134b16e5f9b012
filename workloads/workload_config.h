// What a workload is, as plain data: the [workload] table of a study after reading, before anything is drawn or opened.
// Knows no file syntax; make_source() in workloads/workloads.h checks the values against the device.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/fields.h"
#include "common/units.h"
#include "workloads/scenarios/scenario_config.h"

namespace ftlab::workloads {

/// The kinds that GeneratorConfig describes.
inline constexpr std::string_view kGenerated = "sequential|uniform|hot_cold|classes";

/// Where the hot set of hot_cold lies; no paper says.
enum class HotPlace : std::uint8_t {
  scattered,   ///< at random
  contiguous,  ///< the first pages
};

struct GeneratorConfig {
  std::uint32_t page_bytes = 4096;             ///< mapping unit of the FTL; every request starts on a page; > 0
  std::uint64_t pages = 0;                     ///< U, the pages that hold data; 0 = all pages of the device
  std::uint32_t request_bytes = 4096;          ///< length of one request; 0 = one page
  std::uint64_t total_bytes = 192 * kMiB;      ///< bytes requested in all, reads included
  double overwrites = 0;                       ///< of U; above 0: in place of total_bytes
  std::uint64_t warm_up_bytes = 0;             ///< written before total_bytes begin to count; reads come on top
  double hot_access = 0.9;                     ///< hot_cold: share of accesses that go to the hot set; 0 to 1
  double hot_data = 0.1;                       ///< hot_cold: size of the hot set as share of U; above 0, below 1
  HotPlace hot_place = HotPlace::scattered;    ///< hot_cold: which pages the hot set is
  double read_share = 0;                       ///< share of the requests that read; 0 to 1
  std::vector<double> class_access{0.9, 0.1};  ///< classes: share of the accesses per class; they sum to 1
  std::vector<double> class_data{0.1, 0.9};    ///< classes: share of U per class; what is left is never accessed
  std::uint32_t client = 0;                    ///< which of several that share the data: each draws for itself
  double read_only_share = 0;  ///< share of U that is written once, by the fill, and then only read; 0 to 1
};

inline constexpr EnumName<HotPlace> kHotPlaces[] = {{"scattered", HotPlace::scattered},
                                                    {"contiguous", HotPlace::contiguous}};

/// The keys of [workload] that set it.
inline const Field<GeneratorConfig> kGeneratorFields[] = {
    number_field<&GeneratorConfig::hot_access>("hot_access", "", 0.001, 0.999,
                                               "hot_cold: share of the accesses that go to hot data")
        .with("kind", "hot_cold"),
    number_field<&GeneratorConfig::hot_data>("hot_data", "", 0.001, 0.999, "hot_cold: share of the data that is hot")
        .with("kind", "hot_cold"),
    choice_field<&GeneratorConfig::hot_place, kHotPlaces>(
        "hot_place", "hot_cold: whether hot data lies scattered at random or side by side")
        .with("kind", "hot_cold")
        .not_published(),
    other_field<&GeneratorConfig::class_access>(
        "class_access", FieldType::numbers, 0, 1,
        "classes: share of the accesses that goes to each class of data; they sum to 1")
        .with("kind", "classes"),
    other_field<&GeneratorConfig::class_data>(
        "class_data", FieldType::numbers, 0, 1,
        "classes: share of the data in each class; what is left of the data is never rewritten")
        .with("kind", "classes"),
    scaled_field<&GeneratorConfig::total_bytes>("total_mib", "MiB", 1048576, 0.001, 1e9,
                                                "bytes requested in all (generated workloads)")
        .with("kind", kGenerated),
    number_field<&GeneratorConfig::overwrites>(
        "overwrites", "", 0, 1e6,
        "bytes requested in all, in units of the logical size; above 0 it takes the place of total_mib; with "
        "ftl.firmware = "
        "\"page\" or \"fms\" on a NAND array 1, where neither this nor total_mib nor warm_up_overwrites is given "
        "(generated "
        "workloads)")
        .with("kind", kGenerated),
    integer_field<&GeneratorConfig::request_bytes>("request_bytes", "bytes", 1, 4194304,
                                                   "size of one request; with ftl.firmware = \"page\", or \"fms\" on a "
                                                   "NAND array, a page of the array unless given (generated workloads)")
        .with("kind", kGenerated),
    number_field<&GeneratorConfig::read_share>("read_share", "", 0, 1,
                                               "share of the requests that are reads (generated workloads)")
        .with("kind", kGenerated),
    number_field<&GeneratorConfig::read_only_share>("read_only_share", "", 0, 0.99,
                                                    "share of the initial data that is never rewritten"),
};

/// TraceConfig::write_scale that stands for the largest at which the trace fits.
inline constexpr double kFitScale = 0;

/// How a trace is brought onto the device. docs/workloads.md says what each option does to locality.
struct TraceConfig {
  std::string path{};                  ///< file; gzip, bzip2, xz or zstd is unpacked on the way; - is standard input
  std::string format = "auto";         ///< name in the table of formats; empty or "auto" = detect from the content
  std::vector<std::string> devices{};  ///< only these devices or sections ("0x08000008", "hm.0", "8,16"); empty = all
  std::string address = "compact";     ///< name in the table of address mappings
  std::uint32_t page_bytes = 4096;     ///< granularity of the mapping; the FTL's page fits best; > 0
  double write_scale = 1;              ///< volume as a multiple of the trace's own: above 1 replays it on, below 1
                           ///< keeps that share of its pages; > 0, or kFitScale, which fitting_scale() resolves
  bool reads = true;                 ///< false: reads are left out, and pages only read take no place
  std::uint64_t limit_requests = 0;  ///< records taken from each pass; 0 = all
  std::uint32_t repeat = 1;          ///< passes over the trace; at least 1
  std::uint64_t traced_bytes = 0;    ///< scaled: size of the traced device; 0 = not given
  std::uint64_t pass_shift = 0;      ///< pages by which each pass lies further on than the one before, round the end
  char action = 'D';  ///< blkparse: the event that stands for a request (Q queued, D issued, C completed)
  std::uint32_t reorder_window = 4096;  ///< records held back to sort lines logged by several CPUs; 0 = none
};

inline constexpr EnumName<char> kTraceActions[] = {{"Q", 'Q'}, {"G", 'G'}, {"I", 'I'}, {"D", 'D'}, {"C", 'C'}};

/// Of the table of formats, and of that of address mappings: the i-th; empty behind the last one.
std::string_view trace_format_name(std::size_t i);
std::string_view address_map_name(std::size_t i);

/// The keys of [workload] that set it.
inline const Field<TraceConfig> kTraceFields[] = {
    name_field<&TraceConfig::format>("format", trace_format_name, "trace: format of the file; auto: detected")
        .with("kind", "trace"),
    other_field<&TraceConfig::devices>("device", FieldType::texts, 0, 0,
                                       "trace: keep only these devices or sections; empty: all")
        .with("kind", "trace"),
    choice_field<&TraceConfig::action, kTraceActions>(
        "action", "trace: the blkparse event that stands for a request; D issued, Q queued, C completed")
        .with("kind", "trace"),
    name_field<&TraceConfig::address>(
        "address", address_map_name,
        "trace: compact numbers touched pages in order of first use; compact_scattered spreads them at random; "
        "modulo wraps; scaled shrinks the traced device; direct keeps addresses")
        .with("kind", "trace"),
    number_field<&TraceConfig::write_scale>("write_scale", "", 1e-6, 1e6,
                                            "trace: writes to replay, as a multiple of the trace's own; below 1 keeps "
                                            "a share of its pages; fit: the largest "
                                            "share that the device holds")
        .or_word("fit", kFitScale)
        .with("kind", "trace"),
    bool_field<&TraceConfig::reads>(
        "reads", "trace: keep its reads; false: pages that are only read take no place on the device")
        .with("kind", "trace"),
    integer_field<&TraceConfig::limit_requests>("limit_requests", "requests", 0, 9e15,
                                                "trace: stop after so many requests; 0: all")
        .with("kind", "trace"),
    integer_field<&TraceConfig::repeat>("repeat", "", 1, 1e6, "trace: how often it is replayed").with("kind", "trace"),
    scaled_field<&TraceConfig::traced_bytes>("traced_mib", "MiB", 1048576, 0, 7e10,
                                             "trace: size of the traced device, for address = \"scaled\"")
        .with("address", "scaled"),
    integer_field<&TraceConfig::pass_shift>(
        "pass_shift", "pages", 0, 1e15,
        "trace: each pass lies so many pages further on than the one before, round the end of the device")
        .with("kind", "trace"),
};

enum class Arrival : std::uint8_t {
  closed_loop,  ///< the next request follows as soon as the last one is done; arrival times are 0
  poisson,      ///< exponential gaps of a given mean
  trace,        ///< the times of the trace or scenario, from 0
};

inline constexpr double kLongestMeanGap = 1e6;  ///< s

struct ArrivalConfig {
  Arrival kind = Arrival::closed_loop;
  double mean_interarrival_s = 24.6;  ///< poisson: mean gap in seconds; > 0
};

inline constexpr EnumName<Arrival> kArrivals[] = {
    {"closed", Arrival::closed_loop}, {"poisson", Arrival::poisson}, {"trace", Arrival::trace}};

/// The keys of [workload] that set it.
inline constexpr Field<ArrivalConfig> kArrivalFields[] = {
    choice_field<&ArrivalConfig::kind, kArrivals>(
        "arrival",
        "closed: the next request follows at once; poisson: random gaps; trace: the times of the trace or scenario "
        "(a scenario keeps them unless this says otherwise)"),
    number_field<&ArrivalConfig::mean_interarrival_s>("mean_interarrival_s", "s", 1e-9, kLongestMeanGap,
                                                      "poisson: mean gap between requests")
        .with("arrival", "poisson"),
};

struct WorkloadConfig {
  std::string kind = "uniform";  ///< name in the table of workload kinds
  GeneratorConfig generator{};
  TraceConfig trace{};
  ScenarioConfig scenario{};
  ArrivalConfig arrival{};
};

}  // namespace ftlab::workloads
