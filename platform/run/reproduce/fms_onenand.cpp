// The policies of the Flash Memory Server on a Flex-OneNAND, beside their runs on the NOR card. Nothing is published.
#include <fmt/format.h>

#include "platform/run/reproduce/experiment_json.h"
#include "platform/run/reproduce/flexfs_cells.h"
#include "platform/run/reproduce/fms_cells.h"

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

double number_at(const ordered_json& document, const char* pointer) {
  return document.at(ordered_json::json_pointer(pointer)).get<double>();
}

}  // namespace

ordered_json run_fms_onenand(ExperimentContext& context) {
  const ExperimentFrame frame{
      "fms-onenand",
      "The cleaning policies on NOR and on NAND",
      "beyond the papers",
      "Greedy/M1, cost-benefit/M4 and CAT/M6, 4 KB pages, 90 % full, eight times the capacity written in 4 KB units. "
      "The card runs as in fms-table4 (Pentium 133); the Flex-OneNAND, one die cut down to 128 segments, behind the "
      "OMAP2420.",
      {{"part", "Part"}, {"workload", "Workload"}, {"policy", "Policy"}},
      {{"erasures", "Erasures"},
       {"copies", "Pages copied"},
       {"amplification", "Write amplification", "", 2},
       {"time", "Simulated", "s", 0},
       {"throughput", "Throughput", "bytes/s", 0},
       {"energy", "Energy a MiB", "J", 3},
       {"wear", "Uneven wear", "", 2}}};
  std::vector<RunRequest> requests;
  for (const PartChoice& part : parts()) {
    for (const char* workload : kWorkloadsHere) {
      for (const NamedChoice& policy : kFmsPolicies) {
        // Of settings with one key the later one wins, so the card of fms_settings() gives way.
        const FmsCell cell{part.host, workload, policy.name, part.more};
        for (const std::uint64_t seed : context.seeds) {
          requests.push_back({fmt::format("{} {} {}", part.title, workload, policy.name), fms_settings(cell), seed});
        }
      }
    }
  }
  const auto all = context.bank.run(requests);
  ordered_json rows = ordered_json::array();
  auto next = all.begin();
  for (const PartChoice& part : parts()) {
    for (const char* workload : kWorkloadsHere) {
      for (const NamedChoice& policy : kFmsPolicies) {
        const auto last = next + static_cast<std::ptrdiff_t>(context.seeds.size());
        const std::vector<ordered_json> documents(next, last);
        next = last;
        std::vector<ordered_json> cells;
        const std::pair<const char*, const char*> figures[] = {{"erasures", "/flash/erases"},
                                                               {"copies", "/flash/pages_copied"},
                                                               {"amplification", "/write_amplification"},
                                                               {"time", "/time/simulated_s"},
                                                               {"throughput", "/throughput/write_bytes_per_s"},
                                                               {"energy", "/energy/j_per_host_mib"},
                                                               {"wear", "/wear/data_segments/stddev"}};
        for (const auto& [name, pointer] : figures) {
          const auto ours = each(documents, [p = pointer](const ordered_json& d) { return number_at(d, p); });
          cells.push_back(make_cell(name, std::nullopt, summarize(ours), std::nullopt));
        }
        rows.push_back(make_row(frame, {part.title, workload, policy.title}, cells));
      }
    }
  }
  return experiment_json(
      frame, context.seeds, rows,
      {"Same policies, same code; on NAND a segment has 128 pages instead of 64, no mark can be "
       "changed in place, and a summary page closes each segment.",
       "Times also differ by machine: the card's is a Pentium 133, that of the OneNAND an OMAP2420."});
}

}  // namespace ftlab::platform
