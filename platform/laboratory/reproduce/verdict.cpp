#include "platform/laboratory/reproduce/verdict.h"

#include <cmath>

#include "platform/files/data_files.h"

namespace ftlab::platform {

using nlohmann::ordered_json;

Tolerances::Tolerances() : file_(spec::TomlFile::load((data_folder("reference") / "tolerances.toml").string())) {}

std::optional<Tolerance> Tolerances::find(std::initializer_list<std::string> tables,
                                          const std::string& quantity) const {
  for (const std::string& table : tables) {
    const std::string key = table + "." + quantity;
    if (file_.has(key + ".relative")) return Tolerance{true, file_.get_number(key + ".relative", 0, 10)};
    if (file_.has(key + ".absolute")) return Tolerance{false, file_.get_number(key + ".absolute", 0, 1e12)};
  }
  return std::nullopt;
}

ordered_json make_cell(const std::string& quantity, std::optional<double> paper, const Sample& ours,
                       std::optional<Tolerance> tolerance, bool relative_deviation, const std::string& note) {
  // A published zero has no relative deviation.
  const bool relative = (tolerance ? tolerance->relative : relative_deviation) && paper.value_or(0) != 0;
  ordered_json cell;
  cell["quantity"] = quantity;
  cell["paper"] = paper ? ordered_json(*paper) : ordered_json(nullptr);
  cell["ours"] = ours.mean;
  cell["standard_error"] = ours.n > 1 ? ordered_json(ours.standard_error) : ordered_json(nullptr);
  double deviation = 0;
  double error = ours.standard_error;
  if (paper) {
    deviation = relative ? ours.mean / *paper - 1 : ours.mean - *paper;
    if (relative) error /= std::abs(*paper);
  }
  cell["deviation"] = paper ? ordered_json(deviation) : ordered_json(nullptr);
  cell["deviation_kind"] = relative ? "relative" : "absolute";
  cell["tolerance"] = tolerance ? ordered_json(tolerance->value) : ordered_json(nullptr);
  const double allowed = tolerance ? tolerance->value + 2 * error : 0;
  cell["allowed"] = tolerance ? ordered_json(allowed) : ordered_json(nullptr);
  const bool judged = paper && tolerance;
  cell["verdict"] = !judged ? "reported" : (std::abs(deviation) <= allowed ? "pass" : "fail");
  if (!note.empty()) cell["note"] = note;
  return cell;
}

std::string overall_verdict(const ordered_json& rows) {
  bool judged = false;
  for (const auto& row : rows) {
    for (const auto& cell : row.at("cells")) {
      if (cell.at("verdict") == "fail") return "fail";
      judged = judged || cell.at("verdict") == "pass";
    }
  }
  return judged ? "pass" : "reported";
}

}  // namespace ftlab::platform
