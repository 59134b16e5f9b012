// Flattens both documents and walks the union of their keys in the order of the first.
#include "platform/cli/compare.h"

#include <fmt/format.h>

#include <fstream>
#include <map>

#include "common/input_error.h"

namespace ftlab::platform::cli {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr int kVersion = 1;  // of ftlab-result, docs/results.md

struct Flat {
  std::vector<std::string> order;
  std::map<std::string, ordered_json> values;
};

/// Lists of shares in a configuration are one value; lists in results (histograms, wear per segment) are for plots.
void flatten(const ordered_json& node, const std::string& key, bool lists, Flat& flat) {
  if (node.is_object()) {
    for (const auto& [name, child] : node.items()) flatten(child, key.empty() ? name : key + "." + name, lists, flat);
  } else if (!node.is_array() || lists) {
    if (flat.values.emplace(key, node).second) flat.order.push_back(key);
  }
}

std::string unit_of(std::string_view key) {
  constexpr std::pair<std::string_view, std::string_view> kUnits[] = {{"_bytes_per_s", "B/s"},
                                                                      {"_per_cpu_s", "1/s"},
                                                                      {"_bytes", "B"},
                                                                      {"_s", "s"},
                                                                      {"_j", "J"},
                                                                      {"_v", "V"},
                                                                      {"_w", "W"}};
  if (key.ends_with("j_per_host_mib")) return "J/MiB";
  // A table such as time.by_cause_s carries the unit of everything in it.
  for (std::string_view part = key; !part.empty();) {
    for (const auto& [suffix, unit] : kUnits) {
      if (part.ends_with(suffix)) return std::string(unit);
    }
    if (part.ends_with("bytes_written") || part.ends_with("bytes_read")) return "B";
    const std::size_t dot = part.rfind('.');
    part = dot == std::string_view::npos ? std::string_view{} : part.substr(0, dot);
  }
  return "";
}

std::string shown(const ordered_json* value) {
  if (value == nullptr) return "-";
  if (value->is_number_float()) return fmt::format("{:.6g}", value->get<double>());
  if (value->is_string()) return value->get<std::string>();
  return value->dump();
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
    if (only_different && va != nullptr && vb != nullptr && *va == *vb) continue;
    rows.push_back({key, shown(va), shown(vb), unit_of(key), ratio_of(va, vb)});
  }
  return rows;
}

Flat section(const ordered_json& document, bool config) {
  Flat flat;
  for (const auto& [name, child] : document.items()) {
    if (name == "schema" || name == "version" || name == "run") continue;
    if (config == (name == "config" || name == "seed")) flatten(child, name == "config" ? "" : name, config, flat);
  }
  return flat;
}

}  // namespace

ordered_json read_result(const fs::path& place) {
  if (place.empty()) throw InputError("the name of a result must not be empty; give a result.json or its folder");
  std::error_code ignored;
  const fs::path path = fs::is_directory(place, ignored) ? place / "result.json" : place;
  if (!fs::exists(path, ignored)) {
    throw InputError(fmt::format("{}: no such file; give a result.json or a folder that holds one", path.string()));
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError(fmt::format("{}: cannot be opened; check its permissions", path.string()));
  ordered_json document;
  try {
    document = ordered_json::parse(in);
  } catch (const ordered_json::parse_error& error) {
    throw InputError(fmt::format("{}: not valid JSON at byte {}; is the file complete?", path.string(), error.byte));
  }
  if (!document.is_object() || document.value("schema", ordered_json()) != "ftlab-result") {
    throw InputError(fmt::format("{}: not a result of ftlab (\"schema\" is not \"ftlab-result\")", path.string()));
  }
  const ordered_json version = document.value("version", ordered_json());
  if (version != kVersion) {
    throw InputError(fmt::format("{}: has version {} of ftlab-result, and this ftlab reads version {}; {}",
                                 path.string(), version.is_null() ? "(none)" : version.dump(), kVersion,
                                 "make it anew with `ftlab run`, or use the ftlab that wrote it"));
  }
  return document;
}

Comparison compare_results(const ordered_json& a, const ordered_json& b) {
  return {side_by_side(section(a, true), section(b, true), true),
          side_by_side(section(a, false), section(b, false), false)};
}

}  // namespace ftlab::platform::cli
