// The lists on which the FMS keeps its segments: one active segment each. Policies of cleaning count their streams from
// kHot on without a gap; the read-only one, of the placement, stands among them.
#pragma once

#include <cstdint>

namespace ftlab {

/// List a segment belongs to; what the numbers mean is the translation layer's business.
using StreamId = std::uint8_t;

}  // namespace ftlab

namespace ftlab::fms {

inline constexpr StreamId kHot = 0;
inline constexpr StreamId kCold = 1;
inline constexpr StreamId kReadOnly = 2;  ///< of the placement
inline constexpr std::uint32_t kStreams = 32;
inline constexpr std::uint32_t kCleaningStreams = kStreams - 1;

/// The stream that a redistribution counts as `number`, and back.
[[nodiscard]] constexpr StreamId cleaning_stream(std::uint32_t number) {
  return static_cast<StreamId>(number < kReadOnly ? number : number + 1);
}
[[nodiscard]] constexpr std::uint32_t cleaning_number(StreamId stream) {
  return stream < kReadOnly ? stream : stream - 1U;
}

}  // namespace ftlab::fms
