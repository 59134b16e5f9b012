// The policies of the Flash Memory Server on a Flex-OneNAND, beside their runs on the NOR card. Nothing is published.
#include <fmt/format.h>

#include "platform/laboratory/reproduce/experiment_json.h"
#include "platform/laboratory/reproduce/flexfs_cells.h"
#include "platform/laboratory/reproduce/fms_cells.h"
#include "platform/laboratory/reproduce/sensitivity.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

constexpr const char* kWorkloadsHere[] = {"random", "locality"};
// A die of 64 MiB is as full of segments (128) as policies need and quick to write eight times over, as Table 4 does.
constexpr int kSegments = 128;
constexpr int kBadReserve = 4;  // 26 of 1024, rounded up
constexpr int kVolumeMib = 8 * kSegments / 2;

struct PartChoice {
  const char* title;
  const char* host;
  std::vector<Setting> more;
};

std::vector<PartChoice> parts() {
  const auto set = [](const char* key, const std::string& text) { return Setting{key, text, "reproduce"}; };
  return {{"Series 2+ card, 24 MB", "pentium-133", {}},
          {"Flex-OneNAND, 64 MiB",
           "omap2420-400",
           {set("part", "flexonenand-4gb"), set("part_profile", "flexfs-calibrated"),
            set("part_overrides.segments_per_die", fmt::format("{}", kSegments)),
            set("part_overrides.bad_segments.reserve", fmt::format("{}", kBadReserve)),
            set("workload.total_mib", fmt::format("{}", kVolumeMib))}}};
}

/// A row of the table.
struct PolicyOnPart {
  PartChoice part;
  const char* workload;
  NamedChoice policy;
};

std::vector<Setting> settings_of(const PolicyOnPart& wanted) {
  // Of settings with one key the later one wins, so the card of fms_settings() gives way.
  return fms_settings(FmsCell{wanted.part.host, wanted.workload, wanted.policy.name, wanted.part.more});
}

std::vector<ordered_json> figures_of(const std::vector<ordered_json>& documents) {
  const std::pair<const char*, const char*> figures[] = {{"erasures", "/flash/erases"},
                                                         {"copies", "/flash/pages_copied"},
                                                         {"amplification", "/write_amplification"},
                                                         {"time", "/time/simulated_s"},
                                                         {"throughput", "/throughput/write_bytes_per_s"},
                                                         {"energy", "/energy/j_per_host_mib"},
                                                         {"wear", "/wear/data_segments/stddev"}};
  std::vector<ordered_json> cells;
  for (const auto& [name, pointer] : figures) {
    const ordered_json::json_pointer at(pointer);
    const auto ours = each(documents, [&at](const ordered_json& d) { return d.at(at).get<double>(); });
    cells.push_back(make_cell(name, std::nullopt, summarize(ours), std::nullopt));
  }
  return cells;
}

/// Rows of the table under each of the changes.
std::vector<ordered_json> rows_under(ExperimentContext& context, const ExperimentFrame& frame,
                                     const std::vector<PolicyOnPart>& wanted, const std::vector<Change>& changes,
                                     Keep keep) {
  std::vector<RunRequest> requests;
  for (const Change& change : changes) {
    for (const PolicyOnPart& cell : wanted) {
      std::vector<Setting> settings = settings_of(cell);
      if (keep == Keep::no) settings.push_back(kNoContent);
      settings.insert(settings.end(), change.settings.begin(), change.settings.end());
      const std::string label =
          fmt::format("{} {} {} {}", cell.part.title, cell.workload, cell.policy.name, change.label);
      for (const std::uint64_t seed : context.seeds) requests.push_back({label, settings, seed});
    }
  }
  const auto documents = context.bank.run(requests, keep);
  const auto seeds = static_cast<std::ptrdiff_t>(context.seeds.size());
  auto next = documents.begin();
  std::vector<ordered_json> tables;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    ordered_json rows = ordered_json::array();
    for (const PolicyOnPart& cell : wanted) {
      rows.push_back(
          make_row(frame, {cell.part.title, cell.workload, cell.policy.title}, figures_of({next, next + seeds})));
      next += seeds;
    }
    tables.push_back(std::move(rows));
  }
  return tables;
}

/// The reserve of segments, which the papers do not give, and the machine's judged costs.
std::vector<UnpublishedParameter> open_values_of(const PolicyOnPart& cell) {
  const Study base = parse_study("", "reproduce", settings_of(cell));
  const auto reserve = [](std::uint64_t segments) {
    const std::string text = fmt::format("{}", segments);
    return ParameterVariant{text + " segments",
                            {{"ftl.high_water", text, "reproduce"}, {"ftl.low_water", text, "reproduce"}}};
  };
  const UnpublishedParameter water{
      "ftl.low_water, ftl.high_water",
      fmt::format("{} segments", base.fms.low_water),
      {reserve(base.fms.low_water + 1)}};  // CAT writes to three segments at once: no fewer
  return joined({{water}, host_values(base)});
}

}  // namespace

ordered_json run_fms_onenand(ExperimentContext& context) {
  const ExperimentFrame frame{
      "fms-onenand",
      "The cleaning policies on NOR and on NAND",
      "beyond the papers",
      "Greedy/M1, cost-benefit/M4 and CAT/M6, 4 KB pages, 90 % full, eight times the capacity written in 4 KB units. "
      "The card runs as in fms-table4 (Pentium 133); the Flex-OneNAND, one die of 128 segments, behind the "
      "OMAP2420.",
      {{"part", "Part"}, {"workload", "Workload"}, {"policy", "Policy"}},
      {{"erasures", "Erasures"},
       {"copies", "Pages copied"},
       {"amplification", "Write amplification", "", 2},
       {"time", "Simulated", "s", 0},
       {"throughput", "Throughput", "bytes/s", 0},
       {"energy", "Energy a MiB", "J", 3},
       {"wear", "Uneven wear", "", 2}}};
  std::vector<PolicyOnPart> cells;
  for (const PartChoice& part : parts()) {
    for (const char* workload : kWorkloadsHere) {
      for (const NamedChoice& policy : kFmsPolicies) cells.push_back({part, workload, policy});
    }
  }
  const ordered_json rows = rows_under(context, frame, cells, {Change{}}, Keep::yes).front();
  // CAT under locality has all that costs: cleaning, ages and hot degrees.
  const PolicyOnPart& varied = cells.back();
  return experiment_json(
      frame, context.seeds, rows,
      {"Same policies, same code; on NAND a segment has 128 pages instead of 64, no mark can be "
       "changed in place, and a summary page closes each segment.",
       "Times also differ by machine: the card's is a Pentium 133, that of the OneNAND an OMAP2420."},
      {}, sensitivity_of(context, frame, open_values_of(varied), [&](ExperimentContext& seeded, const auto& changes) {
        return rows_under(seeded, frame, {varied}, changes, Keep::no);
      }));
}

}  // namespace ftlab::platform
