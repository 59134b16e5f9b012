// A line of text taken apart into named columns; numbers by std::from_chars. Every refusal names the column.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ftlab::workloads {

/// What is wrong with one line, without the place: the reader that knows the place makes an InputError of it.
class BadLine : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Text of a damaged file for a message: one line, printable, at most 40 characters.
std::string excerpt(std::string_view text);

class Columns {
 public:
  enum class Separator : std::uint8_t { comma, blanks };

  /// Views into `line`. A line of more than kMax columns keeps the rest in the last one.
  Columns(std::string_view line, Separator separator);

  [[nodiscard]] std::size_t size() const { return size_; }
  /// Throws BadLine unless there are at least `least` and at most `most` columns. `layout` says what they are.
  void expect(std::size_t least, std::size_t most, std::string_view layout) const;

  /// Throws BadLine unless column i, called `name` in messages, has the asked-for form.
  [[nodiscard]] std::uint64_t whole(std::size_t i, std::string_view name) const;
  [[nodiscard]] std::uint64_t hex(std::size_t i, std::string_view name) const;
  [[nodiscard]] double decimal(std::size_t i, std::string_view name) const;
  [[nodiscard]] std::string_view text(std::size_t i) const { return column_[i]; }
  /// "column 3 (op): "4x" " + what is wrong with it.
  [[noreturn]] void refuse(std::size_t i, std::string_view name, std::string_view what) const;

 private:
  static constexpr std::size_t kMax = 16;
  [[nodiscard]] std::uint64_t integer(std::size_t i, std::string_view name, int base, std::string_view what) const;

  std::array<std::string_view, kMax> column_;
  std::size_t size_ = 0;
};

}  // namespace ftlab::workloads
