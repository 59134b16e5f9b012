// `ftlab show DIR`: the summary of a result that was saved, as `ftlab run` printed it. Knows no figure.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "common/input_error.h"
#include "platform/cli/commands.h"
#include "platform/cli/listing.h"
#include "platform/cli/result_text.h"
#include "platform/study/result_file.h"

namespace ftlab::platform::cli {
namespace {

int show(const std::string& place, Form form) {
  const nlohmann::ordered_json result = read_result(place);
  try {
    fmt::print("{}", result_text(result, form));
  } catch (const nlohmann::json::exception& error) {
    // A result that was shortened, or that an older ftlab wrote, is no fault of the program.
    const std::string text = error.what();
    throw InputError(fmt::format("{}: is no whole result of this ftlab: {}; make it anew with `ftlab run`", place,
                                 text.substr(text.find("] ") + 2)));
  }
  return kOk;
}

}  // namespace

void register_show(CLI::App& app, Action& action) {
  auto place = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("show", "print the summary of a saved result");
  command->footer(
      "Examples:\n"
      "  ftlab show out/study\n"
      "  ftlab show out/study/result.json --csv");
  command->add_option("RESULT", *place, "result.json, or a folder that holds one")->required();
  auto form = std::make_shared<Form>();
  add_form_options(*command, *form, "the whole result as JSON", "its figures as CSV");
  command->callback([&action, place, form] { action = [place, form] { return show(*place, *form); }; });
}

}  // namespace ftlab::platform::cli
