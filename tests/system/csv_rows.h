// A log of a run as rows that are read by column name.
#pragma once

#include <fstream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ftlab::platform {

/// Where the cell of a column stands in each row of a file.
using CsvColumns = std::map<std::string, std::size_t, std::less<>>;

class CsvRow {
 public:
  CsvRow(std::shared_ptr<const CsvColumns> columns, std::vector<std::string> cells)
      : columns_(std::move(columns)), cells_(std::move(cells)) {}

  bool contains(std::string_view column) const { return columns_->contains(column); }

  /// A column that the file has not is an exception.
  const std::string& at(std::string_view column) const {
    const auto found = columns_->find(column);
    if (found == columns_->end()) throw std::out_of_range("no column " + std::string(column));
    return cells_[found->second];
  }

  friend bool operator==(const CsvRow& a, const CsvRow& b) {
    return a.cells_ == b.cells_ && (a.columns_ == b.columns_ || *a.columns_ == *b.columns_);
  }

 private:
  std::shared_ptr<const CsvColumns> columns_;
  std::vector<std::string> cells_;
};

inline std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::size_t begin = 0;
  for (std::size_t end = line.find(','); end != std::string::npos; end = line.find(',', begin)) {
    cells.emplace_back(line, begin, end - begin);
    begin = end + 1;
  }
  cells.emplace_back(line, begin);
  return cells;
}

/// A row with another number of cells than the header is an exception.
inline std::vector<CsvRow> csv_rows(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  const auto columns = std::make_shared<CsvColumns>();
  for (const std::string& name : cells_of(line)) columns->emplace(name, columns->size());
  std::vector<CsvRow> rows;
  while (std::getline(file, line)) {
    std::vector<std::string> cells = cells_of(line);
    if (cells.size() != columns->size()) throw std::out_of_range(path + ": " + line);
    rows.emplace_back(columns, std::move(cells));
  }
  return rows;
}

inline double number(const CsvRow& row, std::string_view column) { return std::stod(row.at(column)); }

}  // namespace ftlab::platform
