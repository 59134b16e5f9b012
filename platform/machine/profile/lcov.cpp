#include "platform/machine/profile/lcov.h"

#include <fmt/format.h>

#include <algorithm>

namespace ftlab::platform {

void Lcov::add_line(const SourcePlace& place, std::uint64_t count) {
  std::uint64_t& most = files_[place.file].lines[place.line];
  most = std::max(most, count);
}

void Lcov::add_function(const std::string& name, const SourcePlace& begins, std::uint64_t count) {
  Function& function = files_[begins.file].functions[name];
  // Variants of one function, such as the two constructors of a class, are one to its source.
  function.line = function.line == 0 ? begins.line : std::min(function.line, begins.line);
  function.count += count;
}

std::string Lcov::text() const {
  std::string text = "TN:\n";
  for (const auto& [name, file] : files_) {
    text += fmt::format("SF:{}\n", name);
    std::size_t hit = 0;
    for (const auto& [function, at] : file.functions) text += fmt::format("FN:{},{}\n", at.line, function);
    for (const auto& [function, at] : file.functions) {
      text += fmt::format("FNDA:{},{}\n", at.count, function);
      if (at.count > 0) ++hit;
    }
    text += fmt::format("FNF:{}\nFNH:{}\n", file.functions.size(), hit);
    hit = 0;
    for (const auto& [line, count] : file.lines) {
      text += fmt::format("DA:{},{}\n", line, count);
      if (count > 0) ++hit;
    }
    text += fmt::format("LF:{}\nLH:{}\nend_of_record\n", file.lines.size(), hit);
  }
  return text;
}

}  // namespace ftlab::platform
