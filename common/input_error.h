// The user's fault: bad file, bad key, bad value. Ends the program with one line and exit code 2.
// Firmware does not use this header (it is built without exceptions).
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace ftlab {

/// Control characters become blanks: a message stays one line and cannot steer the terminal.
inline std::string one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  return text;
}

/// what() is the whole one-line message a person reads: "FILE:LINE: KEY: what is wrong; how to mend it".
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::string message) : std::runtime_error(one_line(std::move(message))) {}
};

}  // namespace ftlab
