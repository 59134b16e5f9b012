#include "firmware/policy/policy_choice.h"

#include <algorithm>

namespace ftlab::fms {

std::uint32_t PolicyChoice::streams() const {
  std::uint32_t streams = separated_streams;
  for_each_that_places([&](const PolicyEntry& entry) { streams += entry.streams_with(params.of(entry), shared); });
  return std::max<std::uint32_t>(streams, 1);
}

std::uint32_t PolicyChoice::copy_streams() const {
  std::uint32_t segments = separated_copies;
  for_each_that_places([&](const PolicyEntry& entry) {
    segments = std::max(segments, entry.copy_streams_with(params.of(entry), shared));
  });
  return std::max<std::uint32_t>(segments, 1);
}

}  // namespace ftlab::fms
