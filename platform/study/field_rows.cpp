#include "platform/study/field_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <cmath>
#include <stdexcept>

#include "common/toml/written_number.h"

namespace ftlab::platform {
namespace {

template <class T>
const T& as(const void* at) {
  return *static_cast<const T*>(at);
}

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

}  // namespace

ParamType param_type(FieldType type) {
  switch (type) {
    case FieldType::boolean:
      return ParamType::boolean;
    case FieldType::u32:
    case FieldType::u64:
      return ParamType::integer;
    case FieldType::scaled:
    case FieldType::number:
      return ParamType::number;
    case FieldType::choice:
    case FieldType::name:
    case FieldType::text_name:
      return ParamType::choice;
    case FieldType::text:
      return ParamType::text;
    case FieldType::path:
      return ParamType::path;
    case FieldType::texts:
      return ParamType::text_list;
    case FieldType::numbers:
      return ParamType::number_list;
  }
  throw std::logic_error("field type outside the enumeration");
}

ParamValue load_field(FieldType type, double scale, const void* at) {
  switch (type) {
    case FieldType::boolean:
      return as<bool>(at);
    case FieldType::u32:
      return std::uint64_t{as<std::uint32_t>(at)};
    case FieldType::u64:
      return as<std::uint64_t>(at);
    case FieldType::scaled:
      return static_cast<double>(as<std::uint64_t>(at)) / scale;
    case FieldType::number:
      return as<double>(at);
    case FieldType::text_name:
    case FieldType::text:
    case FieldType::path:
      return as<std::string>(at);
    case FieldType::texts:
      return as<std::vector<std::string>>(at);
    case FieldType::numbers:
      return as<std::vector<double>>(at);
    case FieldType::choice:
    case FieldType::name:
      break;
  }
  throw std::logic_error("a field that is read by its names");
}

void store_field(FieldType type, double scale, void* at, const ParamValue& value) {
  switch (type) {
    case FieldType::boolean:
      *static_cast<bool*>(at) = std::get<bool>(value);
      return;
    case FieldType::u32:
      *static_cast<std::uint32_t*>(at) = static_cast<std::uint32_t>(std::get<std::uint64_t>(value));
      return;
    case FieldType::u64:
      *static_cast<std::uint64_t*>(at) = std::get<std::uint64_t>(value);
      return;
    case FieldType::scaled:
      *static_cast<std::uint64_t*>(at) = static_cast<std::uint64_t>(std::llround(std::get<double>(value) * scale));
      return;
    case FieldType::number:
      *static_cast<double*>(at) = std::get<double>(value);
      return;
    case FieldType::text_name:
    case FieldType::text:
    case FieldType::path:
      *static_cast<std::string*>(at) = std::get<std::string>(value);
      return;
    case FieldType::texts:
      *static_cast<std::vector<std::string>*>(at) = std::get<std::vector<std::string>>(value);
      return;
    case FieldType::numbers:
      *static_cast<std::vector<double>*>(at) = std::get<std::vector<double>>(value);
      return;
    case FieldType::choice:
    case FieldType::name:
      break;
  }
  throw std::logic_error("a field that is written by its names");
}

std::string bare_key(std::string_view key, std::string_view unit) {
  // Counting words are part of what a key is called.
  if (unit.empty() || spec::spellings_of(unit).size() < 2) return {};
  std::string ending = "_";
  for (const char c : unit)
    ending += c == '/' ? std::string("_per_")
                       : std::string(1, static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
  return key.ends_with(ending) ? std::string(key.substr(0, key.size() - ending.size())) : std::string{};
}

std::string toml_text(const ParamValue& value) {
  struct Text {
    std::string operator()(bool v) const { return v ? "true" : "false"; }
    std::string operator()(std::uint64_t v) const { return fmt::format("{}", v); }
    std::string operator()(double v) const {
      return std::floor(v) == v && std::abs(v) < 1e15 ? fmt::format("{:.0f}", v) : fmt::format("{}", v);
    }
    std::string operator()(const std::string& v) const { return quoted(v); }
    std::string operator()(const std::vector<std::string>& v) const {
      std::vector<std::string> all;
      all.reserve(v.size());
      for (const std::string& text : v) all.push_back(quoted(text));
      return fmt::format("[{}]", fmt::join(all, ", "));
    }
    std::string operator()(const std::vector<double>& v) const { return fmt::format("[{}]", fmt::join(v, ", ")); }
  };
  return std::visit(Text{}, value);
}

}  // namespace ftlab::platform
