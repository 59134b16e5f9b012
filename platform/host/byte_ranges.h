// Byte ranges that are in use, so that the usual answer, that a new one touches none of them, costs no look at each.
#pragma once

#include <cstdint>
#include <vector>

namespace ftlab::platform {

class ByteRanges {
 public:
  void add(std::uint64_t offset, std::uint64_t length) {
    for_each_cell(offset, length, [](Cell& cell) { ++cell; });
  }
  void remove(std::uint64_t offset, std::uint64_t length) {
    for_each_cell(offset, length, [](Cell& cell) { --cell; });
  }
  /// False: it touches none. True: it may.
  [[nodiscard]] bool may_touch(std::uint64_t offset, std::uint64_t length) {
    bool used = false;
    for_each_cell(offset, length, [&used](Cell& cell) { used = used || cell != 0; });
    return used;
  }

  /// One that begins there is asked for soon.
  void expect(std::uint64_t offset) const { __builtin_prefetch(&cells_[(offset >> kShift) % kCells], 1); }

 private:
  using Cell = std::uint16_t;  ///< a host has no more requests in flight
  static constexpr std::uint32_t kCells = 1 << 14;
  static constexpr unsigned kShift = 12;  // 4 KiB to a cell

  template <class F>
  void for_each_cell(std::uint64_t offset, std::uint64_t length, F&& f) {
    if (length == 0) return;
    const std::uint64_t last = (offset + length - 1) >> kShift;
    std::uint64_t cell = offset >> kShift;
    // A range longer than all cells together uses each once.
    for (std::uint32_t n = 0; cell <= last && n < kCells; ++cell, ++n) f(cells_[cell % kCells]);
  }

  /// Not inside: a host may lie on a small stack.
  std::vector<Cell> cells_ = std::vector<Cell>(kCells);
};

}  // namespace ftlab::platform
