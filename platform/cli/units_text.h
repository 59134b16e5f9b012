// Quantities for people: a number with a fitting unit.
#pragma once

#include <string>

namespace ftlab::platform::cli {

std::string duration_text(double seconds);  ///< "1 h 12 min", "24.3 s", "8.5 ms"
std::string rate_text(double bytes_per_s);  ///< "134.4 kB/s" (decimal, as the papers count)
std::string energy_text(double joules);     ///< "18.2 J", "340 mJ"
std::string size_text(double bytes);        ///< "24 MiB"
std::string count_text(double count);       ///< 171,624
std::string percent_text(double share);     ///< 0.254 -> "25.4 %"

}  // namespace ftlab::platform::cli
