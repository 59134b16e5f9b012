// Tables of the usual exponent are computed by the compiler in double precision; the target only multiplies, adds and
// shifts, for the tables of another exponent, too.
#include "firmware/policy/fixed_point.h"

#include <array>
#include <bit>
#include <cstddef>

namespace ftlab::fms {
namespace {

constexpr double kUsual = static_cast<double>(kUsualExponent) / static_cast<double>(kExponentSteps);
constexpr unsigned kTableBits = 8;
constexpr std::size_t kTableSize = std::size_t{1} << kTableBits;
constexpr double kLn2 = 0.693147180559945309417;

// Natural logarithm for 1 <= x <= 2, by the series of atanh.
constexpr double ln(double x) {
  const double y = (x - 1.0) / (x + 1.0);
  double term = y;
  double sum = 0.0;
  for (int k = 1; k < 60; k += 2, term *= y * y) sum += term / k;
  return 2.0 * sum;
}

constexpr double exp(double x) {
  double halvings = 1.0;
  while (x < -0.5) {
    x += kLn2;
    halvings *= 0.5;
  }
  double term = 1.0;
  double sum = 1.0;
  for (int k = 1; k < 30; ++k) {
    term *= x / k;
    sum += term;
  }
  return sum * halvings;
}

struct LogCell {
  std::int64_t log2 = 0;         // of the cell's centre, Q32
  std::uint32_t reciprocal = 0;  // of the cell's centre, Q32
};

constexpr auto kLog = [] {
  std::array<LogCell, kTableSize> cells{};
  for (std::size_t i = 0; i < kTableSize; ++i) {
    const double centre = 1.0 + (static_cast<double>(i) + 0.5) / kTableSize;
    // log2 of the rounded reciprocal, not of the centre itself: the correction below is then exact in it.
    cells[i].reciprocal = static_cast<std::uint32_t>(4294967296.0 / centre);
    cells[i].log2 = static_cast<std::int64_t>(ln(4294967296.0 / cells[i].reciprocal) / kLn2 * 4294967296.0 + 0.5);
  }
  return cells;
}();

// x^-0.3 at the cell borders of 1 <= x <= 2, Q31.
constexpr auto kPower = [] {
  std::array<std::uint32_t, kTableSize + 1> values{};
  for (std::size_t i = 0; i <= kTableSize; ++i)
    values[i] =
        static_cast<std::uint32_t>(exp(-kUsual * ln(1.0 + static_cast<double>(i) / kTableSize)) * 2147483648.0 + 0.5);
  return values;
}();

// 2^(-0.3 e), Q31.
constexpr std::size_t kOctaves = 64;
constexpr auto kOctave = [] {
  std::array<std::uint32_t, kOctaves> values{};
  for (std::size_t e = 0; e < kOctaves; ++e)
    values[e] = static_cast<std::uint32_t>(exp(-kUsual * kLn2 * static_cast<double>(e)) * 2147483648.0 + 0.5);
  return values;
}();

/// 2^-x in 1/2^31, x in 1/2^32. Error below 2^-27 of the result, and half a step.
std::uint32_t exp2_of_minus_q32(std::uint64_t x) {
  constexpr std::uint64_t kLn2Q32 = 2977044472;
  const std::uint64_t z = ((x & 0xFFFFFFFFU) * kLn2Q32) >> 32;  // exp(-z), z below ln 2
  std::uint64_t term = std::uint64_t{1} << 32;
  std::uint64_t even = 0;
  std::uint64_t odd = 0;
  for (std::uint64_t k = 1; term != 0; ++k) {
    (k % 2 == 1 ? even : odd) += term;
    term = ((term * z) >> 32) / k;
  }
  const std::uint64_t q32 = even - odd;
  const std::uint64_t shift = (x >> 32) + 1;  // to Q31, and down to the octave
  return shift > 32 ? 0 : static_cast<std::uint32_t>((q32 + (std::uint64_t{1} << (shift - 1))) >> shift);
}

inline std::uint32_t inverse_power(const std::uint32_t* power, const std::uint32_t* octave, std::uint64_t age) {
  const unsigned shift = static_cast<unsigned>(std::countl_zero(age | 1U));
  const std::uint64_t fraction = (age << shift) << 1;  // bits below the leading one, left-aligned
  const std::size_t cell = fraction >> (64 - kTableBits);
  const std::uint64_t within = (fraction >> (32 - kTableBits)) & 0xFFFFFFFFU;
  const std::uint64_t drop = (std::uint64_t{power[cell] - power[cell + 1]} * within) >> 32;
  return static_cast<std::uint32_t>(((power[cell] - drop) * std::uint64_t{octave[63 - shift]}) >> 31);
}

}  // namespace

std::int64_t log2_q32(std::uint64_t x) {
  if (x <= 1) return 0;
  const unsigned shift = static_cast<unsigned>(std::countl_zero(x));
  const std::uint64_t mantissa = (x << shift) >> 32;  // Q31, in [1, 2)
  const LogCell& cell = kLog[(mantissa >> (31 - kTableBits)) & (kTableSize - 1)];
  // r = mantissa / centre - 1, |r| <= 2^-9, Q32 (Q31 * Q32 >> 31).
  const std::int64_t r = static_cast<std::int64_t>((mantissa * cell.reciprocal) >> 31) - (std::int64_t{1} << 32);
  const std::int64_t r2 = (r * r) >> 32;
  const std::int64_t r3 = (r2 * r) >> 32;
  const std::int64_t natural = r - r2 / 2 + r3 / 3;
  constexpr std::int64_t kInverseLn2Q30 = 1549082005;
  return ((std::int64_t{63} - shift) << 32) + cell.log2 + ((natural * kInverseLn2Q30) >> 30);
}

std::uint64_t log_factor_q32(std::uint64_t age, std::uint64_t unit, bool whole) {
  constexpr std::uint64_t kOne = std::uint64_t{1} << 32;
  // Of the quotient rounded down: its logarithm has the same whole part.
  if (whole) return static_cast<std::uint64_t>(std::bit_width((unit + age) / unit)) * kOne;
  const std::int64_t log = log2_q32(unit + age) - log2_q32(unit);
  return kOne + (log > 0 ? static_cast<std::uint64_t>(log) : 0);
}

InverseAge::InverseAge() : power_(kPower.data()), octave_(kOctave.data()) {}

void InverseAge::layout(Arena& arena, const SharedParams& shared) {
  function_ = shared.hot_function;
  unit_ = shared.age_unit;
  if (function_ == AgeFunction::log || function_ == AgeFunction::step) return;
  const std::uint64_t exponent = function_ == AgeFunction::identity ? kExponentSteps : shared.age_exponent;
  if (exponent == kUsualExponent) return;
  const std::span<std::uint32_t> power = arena.take<std::uint32_t>(kTableSize + 1);
  const std::span<std::uint32_t> octave = arena.take<std::uint32_t>(kOctaves);
  if (power.empty() || octave.empty()) return;
  for (std::size_t i = 0; i <= kTableSize; ++i) {
    const std::int64_t log = log2_q32(kTableSize + i) - log2_q32(kTableSize);
    power[i] = exp2_of_minus_q32(static_cast<std::uint64_t>(log) * exponent / kExponentSteps);
  }
  for (std::size_t e = 0; e < kOctaves; ++e)
    octave[e] = exp2_of_minus_q32((static_cast<std::uint64_t>(e) << 32) * exponent / kExponentSteps);
  power_ = power.data();
  octave_ = octave.data();
}

std::uint32_t InverseAge::by_log_q31(std::uint64_t age) const {
  return static_cast<std::uint32_t>((std::uint64_t{1} << 63) /
                                    log_factor_q32(age, unit_, function_ == AgeFunction::step));
}

std::uint32_t InverseAge::of_q31(std::uint64_t age) const {
  const bool by_log = function_ == AgeFunction::log || function_ == AgeFunction::step;
  return by_log ? by_log_q31(age) : inverse_power(power_, octave_, age);
}

}  // namespace ftlab::fms
