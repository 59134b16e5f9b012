#include "platform/laboratory/reproduce/fms_cells.h"

#include "firmware/ftl/fms/fms_config.h"
#include "hw/series2plus/spec/spec.h"
#include "platform/files/data_files.h"
#include "platform/files/study_files.h"
#include "platform/machine/firmwares/logical_pages.h"

namespace ftlab::platform {

using nlohmann::ordered_json;

spec::TomlFile fms_reference() { return spec::TomlFile::load((data_folder("reference") / "fms.toml").string()); }

std::uint32_t fms_logical_pages(const Study& study) {
  spec::TomlFile part = open_part(study);
  const hw::CardSpec card = hw::load_card_spec(part, hw::Voltage::v5);
  FlashGeometry geometry;
  geometry.segments = card.segments();
  geometry.segment_bytes = card.segment_bytes;
  return logical_pages_for(study.ftl.utilization, data_segments(geometry), study.fms.low_water,
                           usable_slots(geometry, static_cast<std::uint32_t>(study.ftl.page_bytes)));
}

Sample percent_over(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> values;
  values.reserve(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) values.push_back(100 * (a[i] / b[i] - 1));
  return summarize(values);
}

std::vector<Setting> fms_settings(const FmsCell& cell) {
  std::vector<Setting> settings;
  const auto set = [&settings](const char* key, const std::string& text) {
    settings.push_back({key, text, "reproduce"});
  };
  set("part", "series2plus-24mb");
  set("host", cell.host);
  set("ftl.page_bytes", "4096");
  set("ftl.utilization", "0.9");
  set("ftl.age_clock", "writes");
  set("ftl.selection", cell.policy);
  set("ftl.redistribution",
      cell.policy == "greedy" ? "sequential" : (cell.policy == "cat" ? "fine_grained" : "segment_based"));
  if (cell.workload == "locality") {
    set("workload.kind", "hot_cold");
    set("workload.hot_access", "0.9");
    set("workload.hot_data", "0.1");
  } else {
    set("workload.kind", cell.workload == "random" ? "uniform" : "sequential");
  }
  set("workload.total_mib", "192");
  settings.insert(settings.end(), cell.more.begin(), cell.more.end());
  return settings;
}

std::vector<CellFigures> run_cells(ExperimentContext& context, const std::vector<FmsCell>& cells) {
  std::vector<RunRequest> requests;
  for (const FmsCell& cell : cells) {
    for (const std::uint64_t seed : context.seeds) {
      requests.push_back({cell.host + " " + cell.workload + " " + cell.policy, fms_settings(cell), seed});
    }
  }
  const auto documents = context.bank.run(requests);
  std::vector<CellFigures> figures(cells.size());
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const ordered_json& document = documents[i];
    CellFigures& cell = figures[i / context.seeds.size()];
    cell.erasures.push_back(document.at("flash").at("erases").get<double>());
    cell.blocks_copied.push_back(document.at("flash").at("pages_copied").get<double>());
    cell.throughput.push_back(document.at("throughput").at("write_bytes_per_s").get<double>());
    cell.uneven_wear.push_back(document.at("wear").at("stddev").get<double>());
    const auto& time = document.at("time");
    cell.cleaning_share.push_back(100 * time.at("by_cause_s").at("clean").get<double>() /
                                  time.at("simulated_s").get<double>());
  }
  return figures;
}

}  // namespace ftlab::platform
