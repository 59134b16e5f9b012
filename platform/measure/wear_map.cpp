#include "platform/measure/wear_map.h"

#include <algorithm>

namespace ftlab::platform {
namespace {

constexpr std::size_t kMaxRows = 120;
constexpr std::size_t kMaxCells = 256;

}  // namespace

void WearMap::take(Ticks since_start, const std::vector<std::uint32_t>& erase_counts) {
  segments_per_cell_ = (erase_counts.size() + kMaxCells - 1) / kMaxCells;
  last_ = {to_seconds(since_start), {}};
  for (std::size_t from = 0; from < erase_counts.size(); from += segments_per_cell_) {
    const std::size_t to = std::min(from + segments_per_cell_, erase_counts.size());
    double sum = 0;
    for (std::size_t s = from; s < to; ++s) sum += erase_counts[s];
    last_.cells.push_back(sum / static_cast<double>(to - from));
  }
  if (taken_++ % stride_ != 0) return;
  if (rows_.size() == kMaxRows) {
    // The first stays where it is: moved onto itself it would be empty.
    for (std::size_t i = 1; 2 * i < rows_.size(); ++i) rows_[i] = std::move(rows_[2 * i]);
    rows_.resize(kMaxRows / 2);
    stride_ *= 2;
    if ((taken_ - 1) % stride_ != 0) return;
  }
  rows_.push_back(last_);
}

nlohmann::ordered_json WearMap::json() const {
  if (taken_ == 0) return nullptr;
  nlohmann::ordered_json times = nlohmann::ordered_json::array();
  nlohmann::ordered_json erases = nlohmann::ordered_json::array();
  const auto add = [&](const Row& row) {
    times.push_back(row.time_s);
    erases.push_back(row.cells);
  };
  for (const Row& row : rows_) add(row);
  if (rows_.back().time_s != last_.time_s) add(last_);
  return {{"time_s", times}, {"segments_per_cell", segments_per_cell_}, {"erases", erases}};
}

}  // namespace ftlab::platform
