// Random numbers that are the same on every target: xorshift64* (Vigna, ACM TOMS 42, 2016). No floating point.
#pragma once

#include <cstdint>

namespace ftlab {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ULL + 0x2545F4914F6CDD1DULL) {
    if (state_ == 0) state_ = 1;
  }

  std::uint32_t next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return static_cast<std::uint32_t>(state_ * 0x2545F4914F6CDD1DULL >> 32);
  }
  /// 0 .. bound - 1; each as likely as the others to 1 in 2^32 / bound.
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(std::uint64_t{next()} * bound >> 32); }

 private:
  std::uint64_t state_;
};

}  // namespace ftlab
