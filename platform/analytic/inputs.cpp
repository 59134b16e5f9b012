#include "platform/analytic/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "common/input_error.h"

namespace ftlab::analytic {
namespace {

constexpr const InputRow* kRows[] = {&kSpareFactor, &kPagesPerSegment, &kAccess, &kData, &kSplit, &kD, &kDataSegments};

/// Shares are typed with a few digits; thirds of seven digits still pass.
constexpr double kRounding = 1e-6;

template <class T>
T& member(const InputRow& row, Inputs& inputs) {
  return *static_cast<T*>(row.at(inputs));
}

[[noreturn]] void refuse(const InputRow& row, const std::string& reason) {
  throw InputError(fmt::format("{}: {}", row.name, reason));
}

void check_number(const InputRow& row, double value) {
  if (std::isnan(value)) refuse(row, fmt::format("is missing; give a number {}", range_text(row)));
  if (!(value > row.min && value < row.max))
    refuse(row, fmt::format("{} is out of range; give a number {}", value, range_text(row)));
}

void check_integer(const InputRow& row, std::uint64_t value) {
  if (value == 0) refuse(row, fmt::format("is missing; give a whole number {}", range_text(row)));
  if (static_cast<double>(value) > row.max)
    refuse(row, fmt::format("{} is out of range; give a whole number {}", value, range_text(row)));
}

void complete(const InputRow& row, std::vector<double>& shares) {
  if (shares.empty()) refuse(row, fmt::format("is missing; give a share {} for each class", range_text(row)));
  for (const double share : shares) {
    if (!(share >= row.min && share <= row.max))
      refuse(row, fmt::format("{} is out of range; give shares {}", share, range_text(row)));
  }
  if (shares.size() == 1 && shares.front() < 1) shares.push_back(1 - shares.front());
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  if (std::abs(sum - 1) > kRounding) refuse(row, fmt::format("the shares sum to {:.7g}; they must sum to 1", sum));
  for (double& share : shares) share /= sum;
}

/// No class without data: its writes would go nowhere.
void check_data(const std::vector<double>& data) {
  const auto empty = std::ranges::find(data, 0.0);
  if (empty != data.end())
    refuse(kData, fmt::format("class {} has no data; give every class a share above 0", empty - data.begin() + 1));
}

}  // namespace

std::span<const InputRow* const> input_rows() { return kRows; }

Inputs checked(Inputs inputs, std::span<const InputRow* const> needs) {
  const InputRow* lists = nullptr;
  for (const InputRow* row : needs) {
    if (row->type == FieldType::number) {
      check_number(*row, member<double>(*row, inputs));
    } else if (row->type == FieldType::u64) {
      check_integer(*row, member<std::uint64_t>(*row, inputs));
    } else {
      auto& shares = member<std::vector<double>>(*row, inputs);
      complete(*row, shares);
      if (lists == nullptr) lists = row;
      const auto classes = member<std::vector<double>>(*lists, inputs).size();
      if (shares.size() != classes)
        refuse(*row, fmt::format("the number of classes is {}, but {} in {}; give a share for each class in both",
                                 shares.size(), classes, lists->name));
    }
    if (row == &kData) check_data(inputs.data);
  }
  return inputs;
}

std::string range_text(const InputRow& row) {
  if (row.type == FieldType::number) return fmt::format("above {} and below {}", row.min, row.max);
  return fmt::format("from {:.0f} to {:.0f}", row.min, row.max);
}

}  // namespace ftlab::analytic
