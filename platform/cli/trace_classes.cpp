#include "platform/cli/trace_classes.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "common/input_error.h"
#include "common/quantity_text.h"
#include "platform/cli/table.h"

namespace ftlab::platform::cli {
namespace {

using workloads::AccessClass;

constexpr int kTraceClassesVersion = 1;  // of ftlab-trace-classes

/// A model asked about so many quantiles of the writes; 0: as many as are wanted.
struct Question {
  const char* model;
  std::uint32_t quantiles;
};
constexpr Question kQuestions[] = {{"lru", 1},          {"lru_hotcold", 2},    {"lru_classes", 0},
                                   {"greedy", 1},       {"greedy_hotcold", 2}, {"optimal_split", 2},
                                   {"optimal_split", 0}};

double share(std::uint64_t part, std::uint64_t whole) { return static_cast<double>(part) / static_cast<double>(whole); }

/// Pages that are never written are one class more; of hot and cold data they are cold.
std::vector<AccessClass> classes_of(const TraceClasses& found, std::uint32_t quantiles) {
  std::vector<AccessClass> classes = workloads::access_classes(found.info.writes_of_pages, quantiles);
  const std::uint64_t never = found.data_pages - found.info.pages_written;
  if (never == 0) return classes;
  if (quantiles > 2) {
    classes.push_back({never, 0});
  } else {
    classes.back().pages += never;
  }
  return classes;
}

Prediction answer(const Question& question, const TraceClasses& found, std::uint32_t quantiles) {
  Prediction prediction{.model = question.model};
  analytic::Inputs inputs = found.inputs;
  for (const AccessClass& one : classes_of(found, quantiles)) {
    inputs.access.push_back(share(one.writes, found.info.page_writes));
    inputs.data.push_back(share(one.pages, found.data_pages));
  }
  prediction.classes = inputs.data.size();
  try {
    prediction.value = analytic::evaluate(*analytic::find_model(question.model), inputs).value;
  } catch (const InputError& error) {
    prediction.refused = error.what();
  }
  return prediction;
}

}  // namespace

TraceClasses predict(workloads::TraceInfo info, std::uint32_t quantiles, std::uint64_t data_pages,
                     const analytic::Inputs& inputs) {
  TraceClasses found{std::move(info), data_pages, inputs, {}, {}};
  found.classes = classes_of(found, quantiles);
  for (const Question& question : kQuestions) {
    found.predictions.push_back(answer(question, found, question.quantiles == 0 ? quantiles : question.quantiles));
  }
  return found;
}

std::string trace_classes_text(const TraceClasses& found) {
  Table classes({{"class", Align::right},
                 {"pages", Align::right},
                 {"of the data", Align::right},
                 {"page writes", Align::right},
                 {"of the writes", Align::right},
                 {"writes a page", Align::right}});
  for (const AccessClass& one : found.classes) {
    classes.add_row({fmt::to_string(classes.rows().size() + 1), count_text(static_cast<double>(one.pages)),
                     percent_text(share(one.pages, found.data_pages)), count_text(static_cast<double>(one.writes)),
                     percent_text(share(one.writes, found.info.page_writes)),
                     significant_text(share(one.writes, one.pages))});
  }
  Table models({{"model"}, {"classes", Align::right}, {"write amplification", Align::right}, {"why not"}});
  for (const Prediction& one : found.predictions) {
    models.add_row(
        {one.model, fmt::to_string(one.classes), one.value ? significant_text(*one.value, 4) : "-", one.refused});
  }
  return fmt::format("{}: {} page writes to {} pages of {} bytes\n\n{}\nspare factor {}, {} pages per segment\n\n{}",
                     found.info.path, count_text(static_cast<double>(found.info.page_writes)),
                     count_text(static_cast<double>(found.info.pages_written)), found.info.page_bytes,
                     classes.text(colours_wanted(), terminal_width()), found.inputs.spare_factor,
                     found.inputs.pages_per_segment, models.text(colours_wanted(), terminal_width()));
}

std::string trace_classes_json(const TraceClasses& found) {
  nlohmann::ordered_json json = {{"schema", "ftlab-trace-classes"},
                                 {"version", kTraceClassesVersion},
                                 {"path", found.info.path},
                                 {"format", found.info.format},
                                 {"wanted_devices", found.info.wanted_devices},
                                 {"page_bytes", found.info.page_bytes},
                                 {"pages_written", found.info.pages_written},
                                 {"page_writes", found.info.page_writes},
                                 {"data_pages", found.data_pages},
                                 {"spare_factor", found.inputs.spare_factor},
                                 {"pages_per_segment", found.inputs.pages_per_segment}};
  for (const AccessClass& one : found.classes) {
    json["classes"].push_back({{"pages", one.pages},
                               {"writes", one.writes},
                               {"data", share(one.pages, found.data_pages)},
                               {"access", share(one.writes, found.info.page_writes)}});
  }
  for (const Prediction& one : found.predictions) {
    nlohmann::ordered_json row = {{"model", one.model}, {"classes", one.classes}};
    if (one.value) {
      row["value"] = *one.value;
    } else {
      row["refused"] = one.refused;
    }
    json["predictions"].push_back(std::move(row));
  }
  // A path may hold bytes that are no UTF-8; they are replaced rather than refused.
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace ftlab::platform::cli
