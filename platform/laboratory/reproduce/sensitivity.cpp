#include "platform/laboratory/reproduce/sensitivity.h"

#include <fmt/format.h>

#include <algorithm>

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kTogether = 8;

/// A variant of one of the values.
struct Place {
  std::size_t value;
  std::size_t variant;
};

std::vector<Change> changes_of(const std::vector<UnpublishedParameter>& values, const std::vector<Place>& places) {
  std::vector<Change> changes{{}};
  changes.reserve(places.size() + 1);
  for (const Place& place : places) {
    const ParameterVariant& variant = values[place.value].variants[place.variant];
    changes.push_back({fmt::format("{} {}", values[place.value].name, variant.text), variant.settings});
  }
  return changes;
}

/// Rows under all changes, of which only a few are in memory with their documents at a time.
std::vector<ordered_json> rows_of_all(ExperimentContext& context, const std::vector<Change>& changes,
                                      const RowsUnder& rows_under) {
  std::vector<ordered_json> rows;
  rows.reserve(changes.size());
  for (std::size_t from = 0; from < changes.size(); from += kTogether) {
    const auto first = changes.begin() + static_cast<std::ptrdiff_t>(from);
    const auto last = changes.begin() + static_cast<std::ptrdiff_t>(std::min(from + kTogether, changes.size()));
    std::ranges::move(rows_under(context, {first, last}), std::back_inserter(rows));
  }
  return rows;
}

std::string shown(const ordered_json& cell, const ExperimentFrame& frame) {
  const auto quantity = std::ranges::find(frame.quantities, cell.at("quantity").get<std::string>(), &Column::name);
  return fmt::format("{:.{}f}", cell.at("ours").get<double>(), quantity->decimals);
}

/// Both come from one function, so they have the same shape.
bool differs(const ordered_json& rows, const ordered_json& other, const ExperimentFrame& frame) {
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const ordered_json& cells = rows[r].at("cells");
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (shown(cells[c], frame) != shown(other.at(r).at("cells").at(c), frame)) return true;
    }
  }
  return false;
}

/// One record for each figure that some variant of the value moves.
void append_effects(ordered_json& effects, const UnpublishedParameter& value, const ExperimentFrame& frame,
                    const ordered_json& base, const std::vector<std::pair<std::string, ordered_json>>& variants) {
  for (std::size_t r = 0; r < base.size(); ++r) {
    for (std::size_t c = 0; c < base[r].at("cells").size(); ++c) {
      const ordered_json& cell = base[r].at("cells")[c];
      ordered_json record{{"name", value.name},         {"used", value.used},
                          {"keys", base[r].at("keys")}, {"quantity", cell.at("quantity")},
                          {"ours", cell.at("ours")},    {"variants", ordered_json::array()}};
      bool moved = false;
      for (const auto& [text, rows] : variants) {
        const ordered_json& there = rows.at(r).at("cells").at(c);
        moved = moved || shown(there, frame) != shown(cell, frame);
        record["variants"].push_back({{"value", text}, {"ours", there.at("ours")}});
      }
      if (moved) effects.push_back(std::move(record));
    }
  }
}

}  // namespace

ordered_json sensitivity_of(ExperimentContext& context, const ExperimentFrame& frame,
                            const std::vector<UnpublishedParameter>& values, const RowsUnder& rows_under) {
  if (!context.vary) return nullptr;
  std::vector<Place> places;
  for (std::size_t v = 0; v < values.size(); ++v) {
    for (std::size_t i = 0; i < values[v].variants.size(); ++i) places.push_back({v, i});
  }
  ExperimentContext first = context;
  first.seeds.resize(1);
  const std::vector<ordered_json> rows = rows_of_all(first, changes_of(values, places), rows_under);
  // All variants of a value that matters, so that both sides are reported.
  std::vector<bool> matters(values.size(), false);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (differs(rows[0], rows[i + 1], frame)) matters[places[i].value] = true;
  }
  std::vector<ordered_json> kept{rows[0]};
  std::vector<Place> chosen;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!matters[places[i].value]) continue;
    chosen.push_back(places[i]);
    kept.push_back(rows[i + 1]);
  }
  if (context.seeds.size() > 1) kept = rows_of_all(context, changes_of(values, chosen), rows_under);

  ordered_json result{{"effects", ordered_json::array()}, {"without_effect", ordered_json::array()}};
  for (std::size_t v = 0; v < values.size(); ++v) {
    std::vector<std::pair<std::string, ordered_json>> variants;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (chosen[i].value == v) variants.emplace_back(values[v].variants[chosen[i].variant].text, kept[i + 1]);
    }
    const std::size_t before = result["effects"].size();
    append_effects(result["effects"], values[v], frame, kept[0], variants);
    if (result["effects"].size() == before) result["without_effect"].push_back(values[v].name);
  }
  return result;
}

}  // namespace ftlab::platform
