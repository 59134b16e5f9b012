#include "workloads/traces/columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace ftlab::workloads {

std::string excerpt(std::string_view text) {
  constexpr std::size_t kShown = 40;
  std::string shown(text.substr(0, kShown));
  std::ranges::replace_if(
      shown, [](unsigned char c) { return c < 0x20 || c > 0x7e; }, '?');
  return fmt::format("\"{}{}\"", shown, text.size() > kShown ? "..." : "");
}

Columns::Columns(std::string_view line, Separator separator) {
  const auto add = [this, line](std::string_view part) {
    if (size_ == kMax) {
      column_[kMax - 1] = line.substr(static_cast<std::size_t>(column_[kMax - 1].data() - line.data()));
    } else {
      column_[size_++] = part;
    }
  };
  if (separator == Separator::comma) {
    // Not std::views::split: clang 14, whose checks read this file, cannot parse that part of GCC's library.
    for (const char* at = line.begin(); !line.empty();) {
      const char* const stop = std::find(at, line.end(), ',');
      add({at, stop});
      if (stop == line.end()) break;
      at = stop + 1;
    }
    return;
  }
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  for (const char* at = line.begin(); (at = std::find_if_not(at, line.end(), is_blank)) != line.end();) {
    const char* const stop = std::find_if(at, line.end(), is_blank);
    add({at, stop});
    at = stop;
  }
}

void Columns::expect(std::size_t least, std::size_t most, std::string_view layout) const {
  if (size_ >= least && size_ <= most) return;
  throw BadLine(fmt::format("{} column{} instead of {} ({})", size_, size_ == 1 ? "" : "s", least, layout));
}

void Columns::refuse(std::size_t i, std::string_view name, std::string_view what) const {
  throw BadLine(fmt::format("column {} ({}): {} {}", i + 1, name, excerpt(column_[i]), what));
}

std::uint64_t Columns::integer(std::size_t i, std::string_view name, int base, std::string_view what) const {
  std::uint64_t value = 0;
  const std::string_view text = column_[i];
  const auto [stop, failed] = std::from_chars(text.begin(), text.end(), value, base);
  if (failed != std::errc{} || stop != text.end()) refuse(i, name, what);
  return value;
}

std::uint64_t Columns::whole(std::size_t i, std::string_view name) const {
  return integer(i, name, 10, "is not a whole number of 64 bits");
}

std::uint64_t Columns::hex(std::size_t i, std::string_view name) const {
  return integer(i, name, 16, "is not a hexadecimal number");
}

double Columns::decimal(std::size_t i, std::string_view name) const {
  double value = 0;
  const std::string_view text = column_[i];
  const auto [stop, failed] = std::from_chars(text.begin(), text.end(), value);
  if (failed != std::errc{} || stop != text.end() || !std::isfinite(value)) refuse(i, name, "is not a number");
  return value;
}

}  // namespace ftlab::workloads
