#include "platform/laboratory/main_study.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstdlib>

#include "common/toml/toml_file.h"
#include "platform/files/data_files.h"
#include "platform/laboratory/reproduce/reproduce.h"
#include "platform/measure/battery_estimate.h"
#include "platform/run/runner.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

struct Contender {
  const char* label;
  const char* folder;
  const char* selection;
  const char* redistribution;
};

constexpr std::array<Contender, 3> kContenders{{
    {"Greedy / M1", "greedy-m1", "greedy", "sequential"},
    {"Cost-benefit / M4", "cost-benefit-m4", "cost_benefit", "segment_based"},
    {"CAT / M6", "cat-m6", "cat", "fine_grained"},
}};
constexpr std::array<const char*, 2> kVoltages{"5V", "3.3V"};

// Device 0x08000008 is the root file system; the papers left out the swap sections.
constexpr const char* kRootFileSystem = "0x08000008";
constexpr const char* kWhereToGetIt =
    "The trace is hplajw (Ruemmler and Wilkes, USENIX Winter 1993); one week of it comes with the disk simulator "
    "DiskSim 4.0 (Carnegie Mellon University, Parallel Data Laboratory, https://www.pdl.cmu.edu/DiskSim) as "
    "valid/ajw.1week.srt. Give it with --trace FILE.";

std::string find_trace(const std::string& given) {
  if (!given.empty()) return given;
  if (const char* folder = std::getenv("FTLAB_TRACE_DIR")) {
    const std::filesystem::path path = std::filesystem::path(folder) / "hplajw-1week.srt.gz";
    if (std::filesystem::exists(path)) return path.string();
  }
  return {};
}

std::string list_text(const std::vector<double>& numbers) { return fmt::format("[{}]", fmt::join(numbers, ", ")); }

std::vector<Setting> settings_for(const Contender& contender, const char* voltage, const std::string& trace,
                                  std::uint64_t seed, const spec::TomlFile& facts) {
  std::vector<Setting> settings;
  const auto set = [&settings](const char* key, const std::string& text) {
    settings.push_back({key, text, "main study"});
  };
  set("part", "series2plus-24mb");
  set("host", "pentium-133");
  set("seed", std::to_string(seed));
  set("voltage", voltage);
  set("ftl.page_bytes", "1024");
  set("ftl.utilization", "0.85");
  set("ftl.selection", contender.selection);
  set("ftl.redistribution", contender.redistribution);
  if (trace.empty()) {
    set("workload.kind", "classes");
    set("workload.class_access", list_text(facts.get_numbers("stand_in.class_access", 0, 1)));
    set("workload.class_data", list_text(facts.get_numbers("stand_in.class_data", 0, 1)));
    set("workload.request_bytes", "1024");
    set("workload.total_mib", fmt::format("{}", facts.get_quantity("stand_in.total").value));
  } else {
    set("workload.kind", "trace");
    set("workload.path", "\"" + trace + "\"");
    set("workload.device", std::string("[\"") + kRootFileSystem + "\"]");
    // On the 334 MB disk the hot blocks lay among cold ones; packed in order of first use they would lie together.
    set("workload.address", "compact_scattered");
    // Blocks that are only read would need 22.8 MB of the 19.4 MB offered; the papers look at writes.
    set("workload.reads", "false");
    set("workload.repeat", std::to_string(facts.get_integer("trace.passes", 1, 1000)));
  }
  return settings;
}

std::string percent_fewer(const ordered_json& ours, const ordered_json& base, const char* group, const char* key) {
  const double a = ours.at(group).at(key).get<double>();
  const double b = base.at(group).at(key).get<double>();
  return b > 0 ? fmt::format("{:.0f} %", 100 * (1 - a / b)) : "-";
}

ordered_json study_document(const MainStudyResult& result, bool real_trace, const spec::TomlFile& facts) {
  const auto erasures = facts.get_numbers("claims.erasures", 0, 100);
  const auto copies = facts.get_numbers("claims.blocks_copied", 0, 100);
  const ordered_json& greedy = result.results[0].second;
  const ordered_json& cat = result.results[2].second;
  ordered_json study;
  study["schema"] = "ftlab-study";
  study["version"] = 1;
  study["title"] = "Cleaning policies on a 24 MB Series 2+ card";
  study["summary"] = fmt::format(
      "Three cleaning policies of the Flash Memory Server under {}, 1 KB blocks, 85 % full. CAT with fine-grained "
      "redistribution erases {} fewer segments than greedy and copies {} fewer blocks.",
      real_trace ? "the writes of a real workstation (hplajw, root file system, one week seven times)"
                 : "a generated workload with the locality of a real workstation",
      percent_fewer(cat, greedy, "flash", "erases"), percent_fewer(cat, greedy, "flash", "pages_copied"));
  study["notes"] = ordered_json::array();
  if (!real_trace) {
    study["notes"].push_back(
        {{"level", "warning"},
         {"text", std::string("The HP trace was not found, so a generated workload of the same locality stands in. ") +
                      kWhereToGetIt}});
  }
  study["notes"].push_back(
      {{"level", "info"},
       {"text",
        fmt::format("The papers ran about two months of this trace and report {} to {} % fewer erasures and {} to {} % "
                    "fewer copies when hot and cold data are separated in cleaning ({}). How they mapped the 334 MB "
                    "disk onto the card is not published; here the blocks written are scattered over it at random, so "
                    "each write is one block and latencies are those of single blocks.",
                    erasures.at(0), erasures.at(1), copies.at(0), copies.at(1), facts.get_string("claims.source"))}});
  study["baseline"] = kContenders[0].label;
  study["runs"] = ordered_json::array();
  for (std::size_t i = 0; i < kContenders.size(); ++i) {
    study["runs"].push_back({{"label", kContenders[i].label}, {"result", result.results[i].first + "/result.json"}});
  }
  study["energy_per_mib"] = ordered_json::array();
  ordered_json battery_rows = ordered_json::array();
  std::size_t i = 0;
  for ([[maybe_unused]] const char* voltage : kVoltages) {
    for (const Contender& contender : kContenders) {
      const ordered_json& run = result.results[i++].second;
      study["energy_per_mib"].push_back(energy_per_mib(contender.label, run));
      battery_rows.push_back(battery_row(contender.label, run));
    }
  }
  study["battery"] = battery_section(result.results[0].second, battery_rows);
  return study;
}

}  // namespace

MainStudyResult run_main_study(const MainStudyOptions& options) {
  const std::string trace = find_trace(options.trace);
  const auto facts = spec::TomlFile::load((data_folder("reference") / "main_study.toml").string());
  std::vector<Job> jobs;
  std::vector<std::string> folders;
  for (const char* voltage : kVoltages) {
    for (const Contender& contender : kContenders) {
      const Study study = parse_study("", "main study", settings_for(contender, voltage, trace, options.seed, facts));
      jobs.push_back({std::string(contender.label) + ", " + voltage, [study](const ProgressFn& progress) {
                        return run_study(study, {.ops_log = {}, .progress = progress});
                      }});
      folders.push_back(std::string(contender.folder) + (std::string(voltage) == "5V" ? "-5v" : "-3v3"));
    }
  }
  MainStudyResult result;
  // The trace runs and the nine cells of Table 4 cost about the same; each half of the bar is one of them.
  ProcessPoolOptions first = options.pool;
  ProcessPoolOptions second = options.pool;
  if (options.pool.progress) {
    first.progress = [&](double share, const std::string& label) { options.pool.progress(share / 2, label); };
    second.progress = [&](double share, const std::string& label) { options.pool.progress(0.5 + share / 2, label); };
  }
  const auto documents = run_jobs(jobs, first);
  for (std::size_t i = 0; i < documents.size(); ++i) result.results.emplace_back(folders[i], documents[i]);
  ReproduceOptions table4;
  table4.names = {"fms-table4"};
  table4.hosts = {"pentium-133"};
  table4.seeds = {options.seed};
  table4.pool = second;
  result.reproduce = run_reproduce(table4);
  result.study = study_document(result, !trace.empty(), facts);
  return result;
}

}  // namespace ftlab::platform
