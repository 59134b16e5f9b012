// The user's fault: bad file, bad key, bad value. Ends the program with one line and exit code 2.
// Firmware does not use this header (it is built without exceptions).
#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace ftlab {

/// Bytes of the control character that the text (UTF-8) begins with; 0: it begins with none.
inline std::size_t control_length(std::string_view text) {
  const auto byte = [text](std::size_t place) {
    return place < text.size() ? static_cast<unsigned char>(text[place]) : 0;
  };
  if (!text.empty() && (byte(0) < 0x20 || byte(0) == 0x7f)) return 1;
  return byte(0) == 0xc2 && byte(1) >= 0x80 && byte(1) < 0xa0 ? 2 : 0;
}

/// Control characters become blanks: a message stays one line and cannot steer the terminal.
inline std::string one_line(std::string text) {
  for (std::size_t place = 0; place < text.size(); ++place) {
    const std::size_t length = control_length(std::string_view(text).substr(place));
    if (length > 0) text.replace(place, length, " ");
  }
  return text;
}

/// The first `head` bytes, "...", and the last `tail` bytes; no character is cut in two.
inline std::string without_middle(std::string_view text, std::size_t head, std::size_t tail) {
  const auto inside = [text](std::size_t place) { return (static_cast<unsigned char>(text[place]) & 0xc0U) == 0x80; };
  std::size_t rest = text.size() - tail;
  while (head > 0 && inside(head)) --head;
  while (rest < text.size() && inside(rest)) ++rest;
  return std::string(text.substr(0, head)) + "..." + std::string(text.substr(rest));
}

/// A wrong value may be a whole file: a message shows the ends of what is too long for a person to read.
inline std::string readable_length(const std::string& text) {
  constexpr std::size_t kWord = 400;  // paths stay whole
  constexpr std::size_t kLine = 2000;
  std::string shown;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t length = std::min(rest.find(' '), rest.size() - 1) + 1;
    const std::string_view word = rest.substr(0, length);
    shown += word.size() > kWord ? without_middle(word, 100, 40) : std::string(word);
    rest.remove_prefix(length);
  }
  return shown.size() > kLine ? without_middle(shown, kLine / 2, kLine / 4) : shown;
}

/// The text could steer a terminal. Line ends and tabs do not.
inline bool has_control(std::string_view text) {
  for (; !text.empty(); text.remove_prefix(1)) {
    if (text.front() != '\n' && text.front() != '\t' && control_length(text) > 0) return true;
  }
  return false;
}

/// what() is the whole one-line message a person reads: "FILE:LINE: KEY: what is wrong; how to mend it".
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::string message) : std::runtime_error(readable_length(one_line(std::move(message)))) {}
};

}  // namespace ftlab
