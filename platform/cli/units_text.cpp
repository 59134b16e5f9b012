#include "platform/cli/units_text.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace ftlab::platform::cli {

std::string duration_text(double seconds) {
  if (seconds >= 48 * 3600) return fmt::format("{:.1f} d", seconds / 86400);
  if (seconds >= 3600) {
    const long minutes = std::lround(seconds / 60);
    return fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
  }
  if (seconds >= 120) {
    const long whole = std::lround(seconds);
    return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  }
  if (seconds >= 1 || seconds == 0) return fmt::format("{:.3g} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.3g} us", seconds * 1e6);
}

std::string rate_text(double bytes_per_s) {
  if (bytes_per_s >= 1e6) return fmt::format("{:.2f} MB/s", bytes_per_s / 1e6);
  if (bytes_per_s >= 1e3) return fmt::format("{:.1f} kB/s", bytes_per_s / 1e3);
  return fmt::format("{:.0f} B/s", bytes_per_s);
}

std::string energy_text(double joules) {
  if (joules >= 1e3) return fmt::format("{:.2f} kJ", joules / 1e3);
  if (joules >= 1 || joules == 0) return fmt::format("{:.3g} J", joules);
  return fmt::format("{:.3g} mJ", joules * 1e3);
}

std::string size_text(double bytes) {
  static constexpr std::array<const char*, 4> kNames{"B", "KiB", "MiB", "GiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < kNames.size()) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{:.4g} {}", bytes, kNames[unit]);
}

std::string count_text(double count) {
  std::string digits = fmt::format("{:.0f}", count);
  const std::size_t first = digits.starts_with('-') ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string percent_text(double share) { return fmt::format("{:.1f} %", share * 100); }

}  // namespace ftlab::platform::cli
