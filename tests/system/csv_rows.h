// A log of a run as rows that are read by column name.
#pragma once

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace ftlab::platform {

using CsvRow = std::map<std::string, std::string>;

inline std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::stringstream row(line);
  for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
  return cells;
}

/// A row with another number of cells than the header is an exception.
inline std::vector<CsvRow> csv_rows(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> header = cells_of(line);
  std::vector<CsvRow> rows;
  while (std::getline(file, line)) {
    const std::vector<std::string> cells = cells_of(line);
    CsvRow& row = rows.emplace_back();
    for (std::size_t i = 0; i < std::max(header.size(), cells.size()); ++i) row[header.at(i)] = cells.at(i);
  }
  return rows;
}

inline double number(const CsvRow& row, const std::string& column) { return std::stod(row.at(column)); }

}  // namespace ftlab::platform
