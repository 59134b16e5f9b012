// Quantities for people, the same everywhere ftlab shows one: three significant digits and the unit that fits; sizes
// and throughput in powers of 1024 (docs/glossary.md). The report package has the same rules in units.py; both are held
// to tests/fixtures/quantity_samples.json.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <string>
#include <string_view>

namespace ftlab {

/// Digits with commas between thousands: 171,624 or 1,234.5.
inline std::string grouped_text(double value, int decimals) {
  std::string digits = fmt::format("{:.{}f}", value, decimals);
  const std::size_t first = digits.starts_with('-') ? 1 : 0;
  const std::size_t point = std::min(digits.find('.'), digits.size());
  for (std::size_t at = point; at > first + 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

inline std::string count_text(double count) { return grouped_text(count, 0); }

/// About `digits` significant digits, never in exponent form between 1e-4 and 1e15.
inline std::string significant_text(double value, int digits = 3) {
  if (value == 0) return "0";
  double magnitude = std::abs(value);
  if (magnitude < 1e-4 || magnitude >= 1e15) return fmt::format("{:.{}e}", value, digits - 1);
  int decimals = digits;
  if (magnitude >= 1) {
    for (double whole = std::floor(magnitude); whole >= 1; whole = std::floor(whole / 10)) --decimals;
  } else {
    for (double next = magnitude * 10; next < 1; next *= 10) ++decimals;
  }
  return grouped_text(value, std::max(0, decimals));
}

namespace detail {

struct UnitScale {
  double divisor;
  std::string_view unit;
  double least = 1;  ///< of the unit; 90 s read better than 1.5 min
};

/// The largest unit of which there is enough; the smallest one when there is enough of none.
inline const UnitScale& fitting(double value, std::span<const UnitScale> scales) {
  const UnitScale* found = scales.data();
  for (const UnitScale& scale : scales) {
    if (std::abs(value) >= scale.divisor * scale.least) found = &scale;
  }
  return *found;
}

inline std::string with_unit(double value, std::span<const UnitScale> scales, std::string_view base) {
  if (value == 0) return fmt::format("0 {}", base);
  const UnitScale& scale = fitting(value, scales);
  return fmt::format("{} {}", significant_text(value / scale.divisor), scale.unit);
}

}  // namespace detail

/// "1.25 h", "24.3 s", "8.50 ms"
inline std::string duration_text(double seconds) {
  static constexpr detail::UnitScale kTime[] = {{1e-9, "ns"},     {1e-6, "µs"},  {1e-3, "ms"},     {1, "s"},
                                                {60, "min", 2.0}, {3600.0, "h"}, {86400, "d", 3.0}};
  return detail::with_unit(seconds, kTime, "s");
}

/// "18.2 J", "340 mJ"
inline std::string energy_text(double joules) {
  static constexpr detail::UnitScale kEnergy[] = {{1e-9, "nJ"}, {1e-6, "µJ"}, {1e-3, "mJ"},
                                                  {1, "J"},     {1e3, "kJ"},  {1e6, "MJ"}};
  return detail::with_unit(joules, kEnergy, "J");
}

/// "24 MiB", "1.46 KiB": whole numbers of a unit have no decimals.
inline std::string size_text(double bytes) {
  static constexpr double kStep = 1024;
  static constexpr detail::UnitScale kSize[] = {{1, "B"},
                                                {kStep, "KiB"},
                                                {kStep * kStep, "MiB"},
                                                {kStep * kStep * kStep, "GiB"},
                                                {kStep * kStep * kStep * kStep, "TiB"}};
  const detail::UnitScale& scale = detail::fitting(bytes, kSize);
  const double number = bytes / scale.divisor;
  return fmt::format("{} {}", std::floor(number) == number ? count_text(number) : significant_text(number), scale.unit);
}

/// "131 KiB/s"
inline std::string rate_text(double bytes_per_s) { return fmt::format("{}/s", size_text(bytes_per_s)); }

/// 0.254 -> "25.4 %"
inline std::string percent_text(double share) { return fmt::format("{} %", grouped_text(share * 100, 1)); }

}  // namespace ftlab
