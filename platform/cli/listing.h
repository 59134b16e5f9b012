// A listing as people read it, or as programs do: the rows of a table as JSON or CSV.
#pragma once

#include <string>
#include <string_view>

#include "platform/cli/table.h"

namespace CLI {
class App;
}

namespace ftlab::platform::cli {

enum class Form : char { table, json, csv };

/// Adds --json and --csv to a command that lists; `form` outlives the parsing.
void add_form_options(CLI::App& command, Form& form, const std::string& json_help = "as JSON: an object for each row",
                      const std::string& csv_help = "as CSV");

/// JSON: an array with an object for each row, by the titles of the columns; values are texts. CSV: RFC 4180 with the
/// titles in front. Rules across the table are left out of both.
std::string listing_text(const Table& table, Form form);
/// The text has the word in it, letter case ignored; every text has the empty one.
bool mentions(std::string_view text, std::string_view word);

/// The rows of which a cell mentions the word, without rules; with no word the table as it is. Throws InputError when
/// there is none; `command` lists all.
Table mentioning(const Table& table, const std::string& word, std::string_view command);

/// To standard output; a table as print() does.
void print(const Table& table, Form form);

}  // namespace ftlab::platform::cli
