// A value that lacks its quotes: the commonest reason why a file is no TOML, and one that the parser does not name.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "common/toml/toml_tree.h"

namespace ftlab::spec {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

/// A word, a path, or a number with a unit, as a quoted text could hold it and nothing else can.
bool lacks_quotes(std::string_view value) {
  constexpr std::string_view kNoText = "\"'[]{}=\\";
  const bool named = std::ranges::any_of(value, [](unsigned char c) { return std::isalpha(c) != 0 || c == '%'; });
  return named && value.find_first_of(kNoText) == std::string_view::npos && value != "true" && value != "false";
}

/// The first of the values, in a list or alone, that lacks its quotes; empty: none does.
std::string_view unquoted_in(std::string_view values) {
  if (!values.starts_with('[')) return lacks_quotes(values) ? values : std::string_view{};
  std::string_view rest = values.substr(1, values.rfind(']') - 1);
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view item = trimmed(rest.substr(0, comma));
    if (lacks_quotes(item)) return item;
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return {};
}

}  // namespace

std::string unquoted_value(std::string_view text, std::uint32_t line) {
  std::string_view table;
  std::string_view here;
  for (std::uint32_t n = 1; n <= line; ++n) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    here = trimmed(text.substr(0, std::min(end, text.find('#'))));
    if (n < line && here.starts_with('[') && here.ends_with(']')) table = trimmed(here.substr(1, here.size() - 2));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  const std::size_t equals = here.find('=');
  if (equals == std::string_view::npos) return {};
  const std::string_view value = unquoted_in(trimmed(here.substr(equals + 1)));
  if (value.empty()) return {};
  return fmt::format("{}: {} is text; put it in quotes: \"{}\"", join_key(table, trimmed(here.substr(0, equals))),
                     value, value);
}

}  // namespace ftlab::spec
