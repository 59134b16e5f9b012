// `ftlab driver [STUDY]`: what a page read, a page write and an erase take at the device driver interface.
// Knows the names of what was timed; the timing itself is in platform/machine/driver_timing.h.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "common/input_error.h"
#include "platform/cli/commands.h"
#include "platform/cli/listing.h"
#include "platform/cli/study_options.h"
#include "platform/machine/driver_timing.h"
#include "platform/study/firmware_row.h"

namespace ftlab::platform::cli {
namespace {

constexpr int kVersion = 1;  // of ftlab-driver

struct DriverFlags {
  StudyOptions study;
  Form form = Form::table;
};

nlohmann::ordered_json json_of(const OperationTimes& times) {
  return {{"read", times.read_us}, {"write", times.write_us}, {"erase", times.erase_us}};
}

std::string json_of(const DriverTimes& times) {
  const nlohmann::ordered_json json{
      {"schema", "ftlab-driver"},
      {"version", kVersion},
      {"driver",
       {{"slc", json_of(times.slc)}, {"mlc_lsb", json_of(times.mlc_lsb)}, {"mlc_both", json_of(times.mlc_both)}}}};
  return json.dump(2) + "\n";
}

Table table_of(const DriverTimes& times, Form form) {
  Table table({{"operation"}, {"SLC", Align::right}, {"MLC LSB pages", Align::right}, {"MLC both", Align::right}});
  const auto text = [form](double us) {
    return form == Form::table ? fmt::format("{:.1f}", us) : fmt::format("{}", us);
  };
  const auto add = [&](const char* operation, double OperationTimes::*time) {
    table.add_row({operation, text(times.slc.*time), text(times.mlc_lsb.*time), text(times.mlc_both.*time)});
  };
  add("read", &OperationTimes::read_us);
  add("write", &OperationTimes::write_us);
  add("erase", &OperationTimes::erase_us);
  return table;
}

int driver(const DriverFlags& flags) {
  const Study study = load_study(flags.study);
  if (study.platform.processor != ProcessorKind::native)
    throw InputError(study.where_of(firmware_of(study).program != nullptr ? "firmware.elf" : "platform.processor") +
                     "the driver that is timed runs on the host, and not on a simulated core; leave the key out");
  const DriverTimes times = measure_driver(study);
  if (flags.form == Form::json) {
    fmt::print("{}", json_of(times));
    return kOk;
  }
  if (flags.form == Form::table) fmt::print("{} on {}, mean times in us\n\n", study.part, study.host);
  print(table_of(times, flags.form), flags.form);
  return kOk;
}

}  // namespace

void register_driver(CLI::App& app, Action& action) {
  auto flags = std::make_shared<DriverFlags>();
  // Those of FlexFS' Table 1: the default part has no SLC and MLC to compare.
  flags->study.default_study = "part = \"flexonenand-4gb\"\nhost = \"omap2420-400\"";
  CLI::App* command = app.add_subcommand(
      "driver", "time a page read, a page write and an erase at the device driver interface of a Flex-OneNAND");
  command->footer(
      "Without a STUDY the part is flexonenand-4gb, and the host omap2420-400.\n\n"
      "Examples:\n"
      "  ftlab driver\n"
      "  ftlab driver study.toml --set part_profile=flexfs-calibrated\n"
      "  ftlab driver study.toml --json");
  add_study_options(*command, flags->study, StudyFile::optional);
  add_form_options(*command, flags->form, "as one JSON object");
  command->callback([&action, flags] { action = [flags] { return driver(*flags); }; });
}

}  // namespace ftlab::platform::cli
