// Flattens both documents and walks the union of their keys in the order of the first.
#include "platform/cli/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "common/quantity_text.h"
#include "platform/measure/figures.h"

namespace ftlab::platform::cli {
namespace {

using nlohmann::ordered_json;

struct Flat {
  std::vector<std::string> order;
  std::map<std::string, ordered_json> values;
};

constexpr const char* kDocuments[] = {"part", "host", "scenario"};

bool is_quantity(const ordered_json& node) {
  return node.is_object() && node.contains("value") && node.contains("unit");
}

/// A number of a part, host or scenario; where it came from makes no difference.
std::string quantity_text(const ordered_json& node) {
  const ordered_json& unit = node.at("unit");
  const std::string number = node.at("value").is_number() ? fmt::format("{:g}", node.at("value").get<double>()) : "?";
  return unit == "1" || !unit.is_string() ? number : fmt::format("{} {}", number, unit.get<std::string>());
}

/// Lists of shares in a configuration are one value; lists in results (histograms, wear per segment) are for plots.
void flatten(const ordered_json& node, const std::string& key, bool lists, Flat& flat) {
  if (is_quantity(node)) {
    if (flat.values.emplace(key, quantity_text(node)).second) flat.order.push_back(key);
  } else if (node.is_object()) {
    for (const auto& [name, child] : node.items()) flatten(child, key.empty() ? name : key + "." + name, lists, flat);
  } else if (!node.is_array() || lists) {
    if (flat.values.emplace(key, node).second) flat.order.push_back(key);
  }
}

std::string unit_of(std::string_view key) {
  const Figure* figure = find_figure(key);
  if (figure != nullptr && (!figure->unit.empty() || figure->type == FigureType::number)) return figure->unit;
  // Inside an object each number has its unit at the end of its name.
  constexpr std::pair<std::string_view, std::string_view> kUnits[] = {{"_bytes", "B"}, {"_s", "s"}, {"_j", "J"}};
  for (const auto& [suffix, unit] : kUnits) {
    if (key.ends_with(suffix)) return std::string(unit);
  }
  return "";
}

/// Of a long list the values from the `from`-th on, and how many it has.
std::string list_text(const ordered_json& list, std::size_t from) {
  constexpr std::size_t kMax = 4;
  if (list.size() <= kMax) return list.dump();
  from = std::min(from, list.size() - 1);
  const std::size_t end = std::min(from + kMax - 1, list.size());
  std::string text;
  for (std::size_t i = from; i < end; ++i) text += (i > from ? "," : "") + list[i].dump();
  return fmt::format("[{}{}{}] of {}", from > 0 ? "..., " : "", text, end < list.size() ? ", ..." : "", list.size());
}

std::size_t first_difference(const ordered_json& a, const ordered_json& b) {
  std::size_t at = 0;
  while (at < a.size() && at < b.size() && a[at] == b[at]) ++at;
  return at;
}

/// A value of the configuration, as a study would say it.
std::string plain(const ordered_json* value, std::size_t from = 0) {
  if (value == nullptr) return "-";
  if (value->is_array()) return list_text(*value, from);
  if (value->is_string()) return value->get<std::string>().empty() ? "\"\"" : value->get<std::string>();
  if (value->is_number_float()) return fmt::format("{:.6g}", value->get<double>());
  return value->dump();
}

/// A figure, in the units of the console.
std::string shown(const ordered_json* value, std::string_view unit) {
  if (value != nullptr && value->is_number()) {
    const auto number = value->get<double>();
    if (unit == "B") return size_text(number);
    if (unit == "B/s") return rate_text(number);
    if (unit == "s") return duration_text(number);
    if (unit == "J") return energy_text(number);
    if (unit == "J/MiB") return energy_text(number) + "/MiB";
    if (value->is_number_integer()) return count_text(number);
    return fmt::format("{:.6g}{}{}", number, unit.empty() ? "" : " ", unit);
  }
  return plain(value);
}

std::string ratio_of(const ordered_json* a, const ordered_json* b) {
  if (a == nullptr || b == nullptr || !a->is_number() || !b->is_number()) return "";
  const double from = a->get<double>();
  const double to = b->get<double>();
  if (from == to) return "1";
  return from == 0 ? "" : fmt::format("{:.4g}", to / from);
}

std::vector<Difference> side_by_side(const Flat& a, const Flat& b, bool only_different) {
  std::vector<std::string> order = a.order;
  for (const std::string& key : b.order) {
    if (!a.values.contains(key)) order.push_back(key);
  }
  std::vector<Difference> rows;
  for (const std::string& key : order) {
    const auto ia = a.values.find(key);
    const auto ib = b.values.find(key);
    const ordered_json* va = ia == a.values.end() ? nullptr : &ia->second;
    const ordered_json* vb = ib == b.values.end() ? nullptr : &ib->second;
    const bool same = va != nullptr && vb != nullptr && *va == *vb;
    if (only_different) {
      const bool lists = va != nullptr && vb != nullptr && va->is_array() && vb->is_array();
      const std::size_t from = lists ? first_difference(*va, *vb) : 0;
      if (!same) rows.push_back({key, plain(va, from), plain(vb, from), false, ""});
      continue;
    }
    const std::string unit = unit_of(key);
    rows.push_back({key, shown(va, unit), shown(vb, unit), same, ratio_of(va, vb)});
  }
  return rows;
}

/// The document of a part, host or scenario in a result; null when it has none.
ordered_json document_in(const ordered_json& result, const char* name) {
  const auto config = result.find("config");
  if (config == result.end() || !config->is_object() || !config->contains("documents")) return nullptr;
  const ordered_json& documents = config->at("documents");
  return documents.is_object() && documents.contains(name) ? documents.at(name) : nullptr;
}

/// Two files of one kind number by number; of another kind there is nothing to hold against each other.
bool comparable(const ordered_json& a, const ordered_json& b) {
  if (!a.is_object() || !b.is_object()) return false;
  for (const char* kind : {"family", "shape"}) {
    if (a.value(kind, ordered_json()) != b.value(kind, ordered_json())) return false;
  }
  return true;
}

/// A configuration without the documents, and without the overrides of those that are compared number by number.
ordered_json keys_of(const ordered_json& result, const std::vector<std::string>& compared) {
  ordered_json config = result.value("config", ordered_json::object());
  if (!config.is_object()) return config;
  config.erase("documents");
  for (const std::string& name : compared) config.erase(name + "_overrides");
  return config;
}

/// The figures: everything but what was asked for.
Flat section(const ordered_json& document) {
  Flat flat;
  for (const auto& [name, child] : document.items()) {
    if (name == "schema" || name == "version" || name == "run" || name == "config" || name == "seed") continue;
    if (name != "summary") flatten(child, name, false, flat);
  }
  return flat;
}

}  // namespace

Comparison compare_results(const ordered_json& a, const ordered_json& b) {
  std::vector<std::string> compared;
  for (const char* name : kDocuments) {
    if (comparable(document_in(a, name), document_in(b, name))) compared.emplace_back(name);
  }
  const auto configuration = [&compared](const ordered_json& result) {
    Flat flat;
    flatten(keys_of(result, compared), "", true, flat);
    flatten(result.value("seed", ordered_json()), "seed", true, flat);
    for (const std::string& name : compared) flatten(document_in(result, name.c_str()), name, true, flat);
    return flat;
  };
  return {side_by_side(configuration(a), configuration(b), true), side_by_side(section(a), section(b), false)};
}

}  // namespace ftlab::platform::cli
