// Random numbers for policies that choose by chance. Each choice has a stream of its own, which follows from the seed,
// who draws, and how often segments of data have been erased so far: no generator is kept that a mount would set back.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/base/random.h"
#include "firmware/map/segment_view.h"

namespace ftlab::fms {

class Draws {
 public:
  enum class Consumer : std::uint8_t { linux_shuffle, d_choices, random, ban };

  Draws(Consumer consumer, std::uint64_t seed) : consumer_(consumer), seed_(seed) {}
  void layout(Arena& arena, std::uint32_t segments) { seen_ = arena.take<std::uint32_t>(segments); }
  void clear() {
    std::ranges::fill(seen_, 0);
    erases_ = 0;
  }
  /// After every erase and every change of a state: a mount passes on the latter alone.
  void see(const SegmentView& segments, std::uint32_t segment) {
    if (segments.row(segment).state == SegmentState::fixed) return;
    const std::uint32_t count = segments.row(segment).erase_count;
    erases_ += count - std::uint64_t{seen_[segment]};
    seen_[segment] = count;
  }
  /// The same until a segment is erased.
  [[nodiscard]] Random stream() const {
    return Random(mixed(seed_ + mixed(erases_ * kConsumers + static_cast<std::uint64_t>(consumer_))));
  }
  [[nodiscard]] const char* self_check(const SegmentView& segments) const {
    for (std::uint32_t id = 0; id < segments.segments(); ++id)
      if (segments.row(id).state != SegmentState::fixed && seen_[id] != segments.row(id).erase_count)
        return "an erase was not seen by the policy's random numbers";
    return nullptr;
  }

 private:
  static constexpr std::uint64_t kConsumers = 16;
  /// Neighbouring numbers give streams without likeness: the finaliser of SplitMix64 (Steele and others, OOPSLA 2014).
  static std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31);
  }

  Consumer consumer_;
  std::uint64_t seed_;
  std::span<std::uint32_t> seen_;  ///< erase counts
  std::uint64_t erases_ = 0;       ///< their sum
};

}  // namespace ftlab::fms
