// Inside of params.cpp: makers of rows, one for each kind of parameter. `field` picks the member of a Study.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "platform/study/params.h"

namespace ftlab::platform {

template <class Field>
Param plain_row(ParamType type, std::string key, std::string fallback, std::string help, Field field) {
  using T = std::remove_reference_t<decltype(field(std::declval<Study&>()))>;
  Param p;
  p.key = std::move(key);
  p.type = type;
  p.fallback = std::move(fallback);
  p.help = std::move(help);
  p.write = [field](Study& s, const ParamValue& v) { field(s) = std::get<T>(v); };
  p.read = [field](const Study& s) { return ParamValue(field(s)); };
  return p;
}

template <class Field>
Param integer_row(std::string key, std::string unit, double min, double max, std::string fallback, std::string help,
                  Field field) {
  Param p = plain_row(ParamType::integer, std::move(key), std::move(fallback), std::move(help), field);
  p.unit = std::move(unit);
  p.min = min;
  p.max = max;
  return p;
}

template <class Field>
Param number_row(std::string key, std::string unit, double min, double max, std::string fallback, std::string help,
                 Field field) {
  Param p = plain_row(ParamType::number, std::move(key), std::move(fallback), std::move(help), field);
  p.unit = std::move(unit);
  p.min = min;
  p.max = max;
  return p;
}

template <class Field>
Param bool_row(std::string key, std::string fallback, std::string help, Field field) {
  return plain_row(ParamType::boolean, std::move(key), std::move(fallback), std::move(help), field);
}

template <class Field>
Param path_row(std::string key, std::string fallback, std::string help, Field field) {
  return plain_row(ParamType::path, std::move(key), std::move(fallback), std::move(help), field);
}

template <class Field>
Param list_row(std::string key, std::string fallback, std::string help, Field field) {
  return plain_row(ParamType::text_list, std::move(key), std::move(fallback), std::move(help), field);
}

template <class Field>
Param numbers_row(std::string key, double min, double max, std::string fallback, std::string help, Field field) {
  Param p = plain_row(ParamType::number_list, std::move(key), std::move(fallback), std::move(help), field);
  p.min = min;
  p.max = max;
  return p;
}

/// A file that need not be named: an absent key leaves the field empty and out of the resolved configuration.
template <class Field>
Param trace_path_row(std::string key, std::string help, Field field) {
  return plain_row(ParamType::path, std::move(key), "", std::move(help), field);
}

/// One of a table of names; the field keeps the name.
template <class Field>
Param name_row(std::string key, std::vector<std::string> names, std::string fallback, std::string help, Field field) {
  Param p = plain_row(ParamType::choice, std::move(key), std::move(fallback), std::move(help), field);
  p.choices = std::move(names);
  return p;
}

/// One of an enumeration whose members are in the order of `names`.
template <class Field>
Param choice_row(std::string key, std::vector<std::string> names, std::string fallback, std::string help, Field field) {
  using E = std::remove_reference_t<decltype(field(std::declval<Study&>()))>;
  Param p;
  p.key = std::move(key);
  p.type = ParamType::choice;
  p.fallback = std::move(fallback);
  p.help = std::move(help);
  p.choices = names;
  p.read = [field, names](const Study& s) { return ParamValue(names.at(static_cast<std::size_t>(field(s)))); };
  p.write = [field, names = std::move(names)](Study& s, const ParamValue& v) {
    const auto& name = std::get<std::string>(v);
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == name) field(s) = static_cast<E>(i);
    }
  };
  return p;
}

/// A value that the papers leave open.
inline Param unpublished(Param row) {
  row.unpublished = true;
  row.help += " (free: not published)";
  return row;
}

/// Another way to give a field that has a row of its own: optional, and not in the resolved configuration.
template <class Write>
Param alternative_row(std::string key, double min, double max, std::string help, Write write) {
  Param p;
  p.key = std::move(key);
  p.type = ParamType::number;
  p.min = min;
  p.max = max;
  p.help = std::move(help);
  p.write = [write](Study& s, const ParamValue& v) { write(s, std::get<double>(v)); };
  return p;
}

}  // namespace ftlab::platform
