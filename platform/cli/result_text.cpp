#include "platform/cli/result_text.h"

#include "platform/cli/summary.h"
#include "platform/measure/figures.h"
#include "platform/study/json_pointer.h"

namespace ftlab::platform::cli {
namespace {

using nlohmann::ordered_json;

std::string value_text(const ordered_json& value) {
  return value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump();
}

Table figures_of(const ordered_json& result) {
  Table table({{"figure"}, {"value"}, {"unit"}});
  for (const Figure& figure : figures()) {
    const auto at = pointer_to(figure.path);
    if (!result.contains(at)) continue;
    const ordered_json& value = result.at(at);
    if (figure.type == FigureType::numbers_by_name && value.is_object()) {
      for (const auto& [name, one] : value.items())
        table.add_row({figure.path + "." + name, value_text(one), figure.unit});
    } else if (!value.is_structured()) {
      table.add_row({figure.path, value_text(value), figure.unit});
    }
  }
  return table;
}

}  // namespace

std::string result_text(const ordered_json& result, Form form) {
  switch (form) {
    case Form::json:
      return result.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
    case Form::csv:
      return listing_text(figures_of(result), form);
    case Form::table:
      break;
  }
  return summary_text(result);
}

}  // namespace ftlab::platform::cli
