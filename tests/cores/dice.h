// Random numbers that are the same everywhere for a seed.
#pragma once

#include <array>
#include <cstdint>
#include <random>

namespace ftlab::tests {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}

  std::uint32_t bits() { return static_cast<std::uint32_t>(engine_() >> 32); }
  /// 0 to n - 1.
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(std::uint64_t{bits()} * n >> 32); }
  bool one_in(std::uint32_t n) { return below(n) == 0; }
  template <class T, std::size_t kCount>
  T one_of(const std::array<T, kCount>& choices) {
    return choices[below(kCount)];
  }
  /// A number that instructions may treat specially more often than not.
  std::uint32_t operand() {
    constexpr std::array<std::uint32_t, 12> kEdges = {0,      1,      2,          0x7f,       0x80,       0xff,
                                                      0x7fff, 0x8000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
    switch (below(4)) {
      case 0:
        return bits();
      case 1:
        return below(64) - 32;
      case 2:
        return 1U << below(32);
      default:
        return one_of(kEdges);
    }
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace ftlab::tests
