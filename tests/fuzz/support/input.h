// The bytes of one fuzz input, taken from the front as choices and numbers. Past the end every choice is 0, so that
// each prefix of an input is an input of its own. Knows nothing of what is chosen.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace ftlab::fuzz {

class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : left_(data, size) {}

  [[nodiscard]] bool empty() const { return left_.empty(); }

  /// The byte that so many others come before, left where it is; 0 past the end.
  [[nodiscard]] std::uint8_t peek(std::size_t at) const { return at < left_.size() ? left_[at] : 0; }

  std::uint8_t byte() { return number<std::uint8_t>(); }
  std::uint16_t word() { return number<std::uint16_t>(); }
  std::uint32_t dword() { return number<std::uint32_t>(); }
  std::uint64_t qword() { return number<std::uint64_t>(); }

  /// In [0, n), n >= 1: one byte up to 256 choices, else four.
  std::uint32_t below(std::uint32_t n) { return (n <= 256 ? byte() : dword()) % n; }
  /// In [from, to].
  std::uint32_t between(std::uint32_t from, std::uint32_t to) { return from + below(to - from + 1); }
  bool one_in(std::uint32_t n) { return below(n) == n - 1; }

  /// Up to `n` bytes as they stand.
  std::span<const std::uint8_t> take(std::size_t n) {
    const auto taken = left_.first(std::min(n, left_.size()));
    left_ = left_.subspan(taken.size());
    return taken;
  }
  std::span<const std::uint8_t> rest() { return take(left_.size()); }

 private:
  template <class Number>
  Number number() {
    Number value = 0;
    const auto bytes = take(sizeof value);
    std::memcpy(&value, bytes.data(), bytes.size());
    return value;
  }

  std::span<const std::uint8_t> left_;
};

}  // namespace ftlab::fuzz
