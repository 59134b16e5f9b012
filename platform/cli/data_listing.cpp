// The same two tables serve every kind of data file.
#include "platform/cli/data_listing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/input_error.h"
#include "common/toml/toml_file.h"
#include "platform/files/data_files.h"
#include "platform/files/derived_file.h"

namespace ftlab::platform::cli {
namespace {

spec::TomlFile open_file(std::string_view kind, const std::string& name) {
  return load_data_file(kind, data_file(kind, name, {}, ""));
}

std::string title_of(const spec::TomlFile& file) { return file.has("title") ? file.get_string("title") : ""; }

std::string mark(const spec::Quantity& quantity) {
  if (quantity.fitted) return "fitted";
  return quantity.estimate ? "estimate" : "";
}

}  // namespace

void print_data_files(std::string_view kind, Form form) {
  Table table({{"name"}, {"title"}, {"numbers", Align::right}, {"estimates", Align::right}, {"fitted", Align::right}});
  const auto add = [&table, kind](const std::string& name) {
    const spec::TomlFile file = open_file(kind, name);
    int numbers = 0;
    int estimates = 0;
    int fitted = 0;
    for (const auto& [key, quantity] : file.quantities()) {
      ++numbers;
      if (quantity.fitted) {
        ++fitted;
      } else if (quantity.estimate) {
        ++estimates;
      }
    }
    table.add_row({name, title_of(file), fmt::to_string(numbers), fmt::to_string(estimates), fmt::to_string(fitted)});
  };
  // One bad file of the user's must not hide the others.
  for (const std::string& name : data_names(kind)) {
    try {
      add(name);
    } catch (const InputError& error) {
      table.add_row({name, fmt::format("cannot be used: {}", error.what()), "-", "-", "-"});
    }
  }
  print(table, form);
}

void print_data_file(std::string_view kind, const std::string& name, Form form) {
  const spec::TomlFile file = open_file(kind, name);
  if (file.quantities().empty()) {
    throw InputError(fmt::format("{}: holds no number with unit and source, as the {} do that `ftlab {}` lists",
                                 file.path(), kind, kind));
  }
  if (form == Form::table) fmt::print("{}{}\n\n", paragraph(title_of(file), terminal_width()), file.path());
  Table table({{"key"}, {"value", Align::right}, {"unit"}, {"mark"}, {"source"}});
  for (const auto& [key, quantity] : file.quantities()) {
    table.add_row({key, form == Form::table ? fmt::format("{:g}", quantity.value) : fmt::format("{}", quantity.value),
                   quantity.unit, mark(quantity), quantity.source});
  }
  if (form != Form::table) {
    for (const auto& [key, list] : file.lists()) table.add_row({key, list_text(list), "", "", list.source});
    print(table, form);
    return;
  }
  print(table, form);
  print_lists(file);
}

std::string list_text(const spec::NumberList& list) { return fmt::format("{}", fmt::join(list.values, " ")); }

void print_lists(const spec::TomlFile& file) {
  const auto lists = file.lists();
  if (lists.empty()) return;
  // Apart from single numbers, whose column they would make too wide.
  Table table({{"key"}, {"values"}, {"source"}});
  for (const auto& [key, list] : lists) table.add_row({key, list_text(list), list.source});
  fmt::print("\n");
  print(table, Form::table);
}

}  // namespace ftlab::platform::cli
