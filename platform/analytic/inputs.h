// What a model is asked with. One row per input: name, range, one sentence, member. Knows no model and no file syntax.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "common/fields.h"

namespace ftlab::analytic {

/// T: segments of the device; U: segments that the data fills, both counted in whole segments' worth of pages.
/// A number that is NaN or 0 and a list that is empty are not given. Lists have an element for each class of data.
struct Inputs {
  double spare_factor = std::numeric_limits<double>::quiet_NaN();
  std::uint64_t pages_per_segment = 0;
  std::vector<double> access{};
  std::vector<double> data{};
  std::vector<double> split{};
  std::uint64_t d = 0;
  std::uint64_t data_segments = 100'000;
};

using InputRow = Field<Inputs>;

inline constexpr InputRow kSpareFactor =
    number_field<&Inputs::spare_factor>("spare_factor", "", 0, 1, "S_f = (T - U) / T, spare segments of all segments");
inline constexpr InputRow kPagesPerSegment =
    integer_field<&Inputs::pages_per_segment>("pages_per_segment", "pages", 1, 1e6, "N_p, pages of a segment");
inline constexpr InputRow kAccess = other_field<&Inputs::access>(
    "access", FieldType::numbers, 0, 1, "r_i, share of the writes that go to each class; they sum to 1");
inline constexpr InputRow kData = other_field<&Inputs::data>(
    "data", FieldType::numbers, 0, 1, "f_i, share of the data that each class is; they sum to 1");
inline constexpr InputRow kSplit = other_field<&Inputs::split>(
    "split", FieldType::numbers, 0, 1, "p_i, share of the spare space T - U given to each class; they sum to 1");
inline constexpr InputRow kD = integer_field<&Inputs::d>(
    "d", "segments", 1, 1e9, "how many segments are drawn, of which the one with the fewest valid pages is cleaned");
inline constexpr InputRow kDataSegments = integer_field<&Inputs::data_segments>(
    "data_segments", "segments", 1, 1e15, "U, segments that the data fills: ages are counted in segments written");

/// All rows, in the order of listings.
std::span<const InputRow* const> input_rows();

/// With lists completed: one number below 1 names the first of two classes, the other one takes the rest. Throws
/// InputError "KEY: ..." when an input of `needs` is missing or out of range, or when the lists do not fit each other.
Inputs checked(Inputs inputs, std::span<const InputRow* const> needs);

/// "above 0 and below 1", for people.
std::string range_text(const InputRow& row);

}  // namespace ftlab::analytic
