// The unit table. Counting words are all one dimension: they only say what is counted.
#include "common/toml/unit_table.h"

namespace ftlab::spec {
namespace {

constexpr UnitInfo kUnits[] = {
    {"ps", "time", 1e-12},      {"ns", "time", 1e-9},      {"us", "time", 1e-6},
    {"ms", "time", 1e-3},       {"s", "time", 1},          {"min", "time", 60},
    {"h", "time", 3600},        {"days", "time", 86400},   {"nA", "current", 1e-9},
    {"uA", "current", 1e-6},    {"mA", "current", 1e-3},   {"A", "current", 1},
    {"mV", "voltage", 1e-3},    {"V", "voltage", 1},       {"pJ", "energy", 1e-12},
    {"nJ", "energy", 1e-9},     {"uJ", "energy", 1e-6},    {"mJ", "energy", 1e-3},
    {"J", "energy", 1},         {"Wh", "energy", 3600},    {"eV", "energy", 1.602176634e-19},
    {"degC", "temperature", 1}, {"nW", "power", 1e-9},     {"uW", "power", 1e-6},
    {"mW", "power", 1e-3},      {"W", "power", 1},         {"Hz", "frequency", 1},
    {"kHz", "frequency", 1e3},  {"MHz", "frequency", 1e6}, {"B/s", "rate", 1},
    {"MB/s", "rate", 1e6},      {"B", "size", 1},          {"bytes", "size", 1},
    {"KiB", "size", 1024},      {"MiB", "size", 1048576},  {"GiB", "size", 1073741824},
    {"1", "count", 1},          {"cycles", "count", 1},    {"components", "count", 1},
    {"pairs", "count", 1},      {"devices", "count", 1},   {"dies", "count", 1},
    {"planes", "count", 1},     {"segments", "count", 1},  {"pages", "count", 1},
    {"words", "count", 1},      {"bits", "count", 1},      {"operations", "count", 1},
    {"%", "count", 0.01},
};

}  // namespace

const UnitInfo* find_unit(std::string_view name) {
  for (const UnitInfo& unit : kUnits) {
    if (unit.name == name) return &unit;
  }
  return nullptr;
}

std::string units_of(std::string_view dimension) {
  std::string list;
  for (const UnitInfo& unit : kUnits) {
    if (unit.dimension != dimension) continue;
    if (!list.empty()) list += ", ";
    list += unit.name;
  }
  return list;
}

std::optional<double> convert(double value, std::string_view from, std::string_view to) {
  const UnitInfo* a = find_unit(from);
  const UnitInfo* b = find_unit(to);
  if (a == nullptr || b == nullptr || a->dimension != b->dimension) return std::nullopt;
  if (a == b) return value;
  // Dividing by the inverse keeps 0.6 s -> 600 ms exact where multiplying by 1000.0000000000001 would not.
  const double ratio = a->factor / b->factor;
  return ratio < 1 ? value / (b->factor / a->factor) : value * ratio;
}

}  // namespace ftlab::spec
