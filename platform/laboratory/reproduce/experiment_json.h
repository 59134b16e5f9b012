// The frame of an experiment's part of reproduce.json: everything around its rows. Knows no figure.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "platform/laboratory/reproduce/experiment.h"

namespace ftlab::platform {

/// A quantity (column of figures) or, without unit and decimals, a key (column that names the row).
struct Column {
  std::string name{};
  std::string title{};
  std::string unit{};
  int decimals = 0;
};

/// What an experiment says about itself.
struct ExperimentFrame {
  std::string name{};
  std::string title{};
  std::string paper_source;
  std::string about;
  std::vector<Column> keys;
  std::vector<Column> quantities;
};

/// Row of an experiment: its keys in the frame's order, and its cells (make_cell).
nlohmann::ordered_json make_row(const ExperimentFrame& frame, const std::vector<std::string>& keys,
                                const std::vector<nlohmann::ordered_json>& cells);

/// Drops the cells of all other quantities.
void keep_quantities(nlohmann::ordered_json& row, std::initializer_list<std::string_view> quantities);

/// The whole part; its verdict is that of the rows. `notes`, plots and `sensitivity` (sensitivity_of) may be empty.
nlohmann::ordered_json experiment_json(const ExperimentFrame& frame, const std::vector<std::uint64_t>& seeds,
                                       const nlohmann::ordered_json& rows, const std::vector<std::string>& notes = {},
                                       const std::vector<nlohmann::ordered_json>& plots = {},
                                       const nlohmann::ordered_json& sensitivity = nullptr);

}  // namespace ftlab::platform
