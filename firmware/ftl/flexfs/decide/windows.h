// The latest windows of a measured quantity and their mean, the newest ones with more weight if wished.
// Knows nothing of what is measured or when a window ends.
// Invariant: at most `Depth` values, oldest forgotten first.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ftlab::flexfs {

template <std::size_t Depth>
class Windows {
 public:
  void push(std::uint64_t value) {
    values_[next_] = value;
    next_ = (next_ + 1) % Depth;
    if (count_ < Depth) ++count_;
  }
  void clear() { next_ = count_ = 0; }
  [[nodiscard]] std::size_t count() const { return count_; }

  /// Sum of weight * value over sum of weights: the `recent` newest weigh `weight`, the others 1. 0 while empty.
  [[nodiscard]] std::uint64_t mean(std::size_t recent = 0, std::uint32_t weight = 1) const {
    std::uint64_t sum = 0;
    std::uint64_t weights = 0;
    for (std::size_t age = 0; age < count_; ++age) {
      const std::uint64_t w = age < recent ? weight : 1;
      sum += w * values_[(next_ + Depth - 1 - age) % Depth];
      weights += w;
    }
    return weights == 0 ? 0 : sum / weights;
  }

 private:
  std::array<std::uint64_t, Depth> values_{};
  std::size_t next_ = 0;
  std::size_t count_ = 0;
};

}  // namespace ftlab::flexfs
