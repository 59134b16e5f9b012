// Programs and erases of a run's measured phase from its log of operations, without the cost of rows by column name.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ftlab::platform {

struct OpRow {
  std::string_view device;
  bool erase = false;  ///< else a program
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
  std::string_view cause;
  bool failed = false;
};

inline std::uint64_t whole(std::string_view text) {
  std::uint64_t value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc())
    throw std::runtime_error("no whole number in a log of operations: " + std::string(text));
  return value;
}

/// f(row) for each, in the log's order.
template <class F>
void for_each_change(const std::string& path, F&& f) {
  constexpr std::string_view kHeader = "start_s,device,kind,address,bytes,cause,busy_s,energy_j,failed,phase";
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  if (line != kHeader) throw std::runtime_error(path + " is no log of operations");
  while (std::getline(file, line)) {
    std::array<std::string_view, 10> cells;
    std::string_view rest = line;
    for (std::string_view& cell : cells) {
      cell = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(rest.size(), cell.size() + 1));
    }
    const std::string_view kind = cells[2];
    const bool erase = kind == "erase";
    if (cells[9] != "measure" || (!erase && !kind.ends_with("_program"))) continue;
    f(OpRow{cells[1], erase, whole(cells[3]), static_cast<std::uint32_t>(whole(cells[4])), cells[5], cells[8] == "1"});
  }
}

}  // namespace ftlab::platform
