// Table 1 of the FlexFS paper: page read, page write and erase at the device driver interface.
#include "platform/run/driver_timing.h"
#include "platform/run/reproduce/experiment_json.h"
#include "platform/run/reproduce/flexfs_cells.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

ordered_json json_of(const OperationTimes& times) {
  return {{"read", times.read_us}, {"write", times.write_us}, {"erase", times.erase_us}};
}

}  // namespace

ordered_json run_flexfs_table1(ExperimentContext& context) {
  const spec::TomlFile paper = flexfs_reference();
  const ExperimentFrame frame{
      "flexfs-table1",
      "Table 1: SLC and MLC programming at the device driver interface",
      paper.get_string("table1.source"),
      "A whole segment written, read and erased through the driver on the register model, mean of its pages: one of "
      "the "
      "SLC area, one of the MLC area with its LSB pages alone, the same with all its pages.",
      {{"operation", "Operation"}},
      {{"slc", "SLC", "us", 1}, {"mlc_lsb", "MLC, LSB pages", "us", 1}, {"mlc_both", "MLC, both", "us", 1}}};
  std::vector<Job> jobs;
  for (const std::uint64_t seed : context.seeds) {
    const std::vector<Setting> settings{{"part", "flexonenand-4gb", "reproduce"},
                                        {"part_profile", "flexfs-calibrated", "reproduce"},
                                        {"host", "omap2420-400", "reproduce"},
                                        {"seed", std::to_string(seed), "reproduce"}};
    const Study study = parse_study("", "reproduce", settings);
    jobs.push_back({"Table 1", [study](const ProgressFn&) {
                      const DriverTimes times = measure_driver(study);
                      return ordered_json{{"slc", json_of(times.slc)},
                                          {"mlc_lsb", json_of(times.mlc_lsb)},
                                          {"mlc_both", json_of(times.mlc_both)}};
                    }});
  }
  const auto documents = run_jobs(jobs, context.bank.options());
  const auto tolerance = context.tolerances.find({"flexfs-table1"}, "time");
  ordered_json rows = ordered_json::array();
  for (const char* operation : {"read", "write", "erase"}) {
    std::vector<ordered_json> cells;
    for (const Column& column : frame.quantities) {
      const auto ours =
          each(documents, [&](const ordered_json& d) { return d.at(column.name).at(operation).get<double>(); });
      cells.push_back(make_cell(column.name,
                                paper.get_number("table1." + std::string(operation) + "." + column.name, 0, 1e6),
                                summarize(ours), tolerance));
    }
    rows.push_back(make_row(frame, {operation}, cells));
  }
  return experiment_json(
      frame, context.seeds, rows,
      {"The profile flexfs-calibrated of the part and three prices of the host omap2420-400 were fitted "
       "to this table; the profile datasheet-typ has the times of the public driver."});
}

}  // namespace ftlab::platform
