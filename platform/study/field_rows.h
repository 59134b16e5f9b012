// Rows of fields, which lie beside the structs they describe, as parameters of a study. Knows no key.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/fields.h"
#include "platform/study/params.h"

namespace ftlab::platform {

/// The value at `at`, a member of the given type.
ParamValue load_field(FieldType type, double scale, const void* at);
void store_field(FieldType type, double scale, void* at, const ParamValue& value);
ParamType param_type(FieldType type);
/// The value as a study file would say it.
std::string toml_text(const ParamValue& value);

/// The key without the unit that its name ends in: "workload.total" of total_mib; empty where it ends in none.
std::string bare_key(std::string_view key, std::string_view unit);

/// Where rows of one struct go: the table of their keys ("" is the top level), and when all of them count.
struct RowGroup {
  std::string table;
  std::vector<Condition> counts_with;
  std::string family;
};

/// Picks a configuration that lies in Study::configs.
template <class Config>
struct InConfigs {
  const Config& operator()(const Study& study) const { return study.configs.get<Config>(); }
  Config& operator()(Study& study) const { return study.configs.edit<Config>(); }
};

/// `pick` gives the struct inside a Study, and the constant one inside a constant Study.
template <class Config, class Pick>
void append_rows(std::vector<Param>& out, const RowGroup& group, std::span<const Field<Config>> fields, Pick pick) {
  // Rows know members by their addresses, for reading, too.
  const auto at = [](const Field<Config>& field, const Config& config) {
    return field.at(const_cast<Config&>(config));
  };
  for (const Field<Config>& field : fields) {
    Param p;
    const std::string prefix = group.table.empty() ? "" : group.table + ".";
    p.key = prefix + std::string(field.name);
    p.type = param_type(field.type);
    p.unit = field.unit;
    p.bare = bare_key(p.key, field.unit);
    p.min = field.min;
    p.max = field.max;
    p.help = std::string(field.help);
    if (field.on_arrays) p.help += "; on arrays " + std::string(field.names(*field.on_arrays)) + " unless given";
    if (field.unpublished) p.help += " (unpublished)";
    p.unpublished = field.unpublished;
    p.counts_with = group.counts_with;
    if (!field.counts_with.key.empty()) {
      const std::string other(field.counts_with.key);
      const bool dotted = other.find('.') != std::string::npos;  // of another table
      p.counts_with.push_back({dotted ? other : prefix + other, std::string(field.counts_with.values)});
    }
    if (!field.former.empty()) {
      const bool dotted = field.former.find('.') != std::string_view::npos;
      p.formerly.push_back({dotted ? std::string(field.former) : prefix + std::string(field.former), ""});
    }
    p.table = group.table;
    p.family = group.family;
    if (field.names != nullptr) {
      for (std::size_t i = 0; !field.names(i).empty(); ++i) p.choices.emplace_back(field.names(i));
    }
    if (field.type == FieldType::choice) {
      p.read = [field, pick](const Study& s) { return ParamValue(std::string(field.names(field.get(pick(s))))); };
      p.write = [field, pick](Study& s, const ParamValue& v) {
        const auto& name = std::get<std::string>(v);
        for (std::size_t i = 0; !field.names(i).empty(); ++i) {
          if (field.names(i) == name) field.set(pick(s), i);
        }
      };
    } else if (field.type == FieldType::name) {
      // The member is a view: it must see the table's name, which outlives every study.
      p.read = [field, pick, at](const Study& s) {
        return ParamValue(std::string(*static_cast<const std::string_view*>(at(field, pick(s)))));
      };
      p.write = [field, pick](Study& s, const ParamValue& v) {
        const auto& name = std::get<std::string>(v);
        for (std::size_t i = 0; !field.names(i).empty(); ++i) {
          if (field.names(i) == name) *static_cast<std::string_view*>(field.at(pick(s))) = field.names(i);
        }
      };
    } else if (!field.word.empty()) {
      p.choices = {std::string(field.word)};
      p.read = [field, pick, at](const Study& s) {
        const double number = *static_cast<const double*>(at(field, pick(s)));
        return number == field.word_value ? ParamValue(std::string(field.word)) : ParamValue(number);
      };
      p.write = [field, pick](Study& s, const ParamValue& v) {
        *static_cast<double*>(field.at(pick(s))) =
            std::holds_alternative<double>(v) ? std::get<double>(v) : field.word_value;
      };
    } else {
      p.read = [field, pick, at](const Study& s) { return load_field(field.type, field.scale, at(field, pick(s))); };
      p.write = [field, pick](Study& s, const ParamValue& v) {
        store_field(field.type, field.scale, field.at(pick(s)), v);
      };
    }
    p.fallback = toml_text(p.read(Study{}));
    out.push_back(std::move(p));
  }
}

}  // namespace ftlab::platform
