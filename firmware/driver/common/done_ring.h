// Operations that a driver has finished and the firmware has not fetched yet, oldest first.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/driver/common/part_port.h"

namespace ftlab {

class DoneRing {
 public:
  static constexpr std::uint32_t kDepth = 64;

  void clear() { first_ = count_ = 0; }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  /// There must be room: a driver accepts no more operations than kDepth less those not fetched.
  void push(const PartDone& done) {
    slots_[(first_ + count_) % kDepth] = done;
    ++count_;
  }
  /// Fetches as many as fit; how many.
  std::size_t take(std::span<PartDone> into) {
    std::size_t taken = 0;
    for (; taken < into.size() && count_ != 0; ++taken) {
      into[taken] = slots_[first_];
      first_ = (first_ + 1) % kDepth;
      --count_;
    }
    return taken;
  }

 private:
  std::array<PartDone, kDepth> slots_{};
  std::uint32_t first_ = 0;
  std::uint32_t count_ = 0;
};

}  // namespace ftlab
