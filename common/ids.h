// Strong index types: a segment where a bare number or another index is meant does not compile.
#pragma once

#include <compare>
#include <cstdint>

namespace ftlab {

/// An index that only its own kind can be compared with. value() is the way out, the constructor the way in.
template <class Tag, class Rep = std::uint32_t>
class Id {
 public:
  using rep = Rep;
  constexpr Id() = default;
  constexpr explicit Id(Rep value) : value_(value) {}
  [[nodiscard]] constexpr Rep value() const { return value_; }
  constexpr Id& operator++() {
    ++value_;
    return *this;
  }
  friend constexpr auto operator<=>(Id, Id) = default;

 private:
  Rep value_ = 0;
};

/// Smallest erasable region of the device, counted over the whole device.
using SegmentId = Id<struct SegmentTag>;

}  // namespace ftlab
