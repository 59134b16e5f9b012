// Table 1 of the FlexFS paper: page read, page write and erase at the device driver interface.
#include "platform/laboratory/reproduce/experiment_json.h"
#include "platform/laboratory/reproduce/flexfs_cells.h"
#include "platform/machine/driver_timing.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

ordered_json json_of(const OperationTimes& times) {
  return {{"read", times.read_us}, {"write", times.write_us}, {"erase", times.erase_us}};
}

Study driver_study(const std::vector<Setting>& more, std::uint64_t seed) {
  std::vector<Setting> settings{{"part", "flexonenand-4gb", "reproduce"},
                                {"part_profile", "flexfs-calibrated", "reproduce"},
                                {"host", "omap2420-400", "reproduce"},
                                {"seed", std::to_string(seed), "reproduce"}};
  settings.insert(settings.end(), more.begin(), more.end());
  return parse_study("", "reproduce", settings);
}

Job driver_job(const Change& change, std::uint64_t seed) {
  const Study study = driver_study(change.settings, seed);
  return {"Table 1 " + change.label, [study](const ProgressFn&) {
            const DriverTimes times = measure_driver(study);
            return ordered_json{{"slc", json_of(times.slc)},
                                {"mlc_lsb", json_of(times.mlc_lsb)},
                                {"mlc_both", json_of(times.mlc_both)}};
          }};
}

}  // namespace

ordered_json run_flexfs_table1(ExperimentContext& context) {
  const spec::TomlFile paper = flexfs_reference();
  const ExperimentFrame frame{
      "flexfs-table1",
      "Table 1: SLC and MLC programming at the device driver interface",
      paper.get_string("table1.source"),
      "A whole segment written, read and erased through the driver on the register model, mean of its pages: one of "
      "the SLC area, one of the MLC area with its LSB pages alone, the same with all its pages.",
      {{"operation", "Operation"}},
      {{"slc", "SLC", "us", 1}, {"mlc_lsb", "MLC, LSB pages", "us", 1}, {"mlc_both", "MLC, both", "us", 1}}};
  const auto tolerance = context.tolerances.find({"flexfs-table1"}, "time");
  const auto rows_of = [&](const std::vector<ordered_json>& documents) {
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
    return rows;
  };
  const RowsUnder rows_under = [&](ExperimentContext& seeded, const std::vector<Change>& changes) {
    std::vector<Job> jobs;
    for (const Change& change : changes) {
      for (const std::uint64_t seed : seeded.seeds) jobs.push_back(driver_job(change, seed));
    }
    const auto documents = run_jobs(jobs, seeded.bank.options());
    std::vector<ordered_json> rows;
    const auto seeds = static_cast<std::ptrdiff_t>(seeded.seeds.size());
    for (auto from = documents.begin(); from != documents.end(); from += seeds) {
      rows.push_back(rows_of({from, from + seeds}));
    }
    return rows;
  };
  return experiment_json(
      frame, context.seeds, rows_under(context, {Change{}}).front(),
      {"The profile flexfs-calibrated of the part and three costs of the host omap2420-400 were fitted "
       "to this table; the profile datasheet-typ has the times of the public driver."},
      {}, sensitivity_of(context, frame, host_values(driver_study({}, 1)), rows_under));
}

}  // namespace ftlab::platform
