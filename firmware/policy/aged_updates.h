// The updates of all pages by the age of their last host write, up to date with every write, so that a sum over all
// pages of updates / f(age) takes some hundred steps, however many pages there are.
// Ages are counted in steps of at most 1/64 of themselves: buckets of one tick for the youngest, each level of them
// twice as wide as the one before. The hot degree of a page is defined by the age of its bucket, and then the sum is
// exact.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/map/page_watcher.h"

namespace ftlab::fms {

class AgedUpdates {
 public:
  /// The same code measures and lays out.
  void layout(Arena& arena) { sums_ = arena.take<std::uint64_t>(std::size_t{kLevels} * kBuckets); }
  void clear();
  /// Time goes on; going back is ignored.
  void advance(std::uint64_t now);
  void on_page(PageHistory before, PageHistory after);

  /// Ticks, at least one: what counts as the age of a page at `now`, whose last host write was at `stamp`.
  [[nodiscard]] static std::uint64_t age_of(std::uint64_t stamp, std::uint64_t now) {
    if (stamp >= now) return 1;
    const std::uint32_t level = level_of(stamp, now);
    return now - centre(stamp >> level, level);
  }
  /// Calls f(age, updates) for each age that pages have, at the time of the last advance(); how many buckets it looks
  /// at for that.
  template <class F>
  std::uint32_t for_each_age(F&& f) const {
    std::uint32_t looked_at = 0;
    for (std::uint32_t level = 0; level < kLevels; ++level) {
      if (occupied_[level] == 0) continue;
      const std::uint64_t newest = now_ >> level;
      for (std::uint64_t back = 0; back < kBuckets && back <= newest; ++back, ++looked_at) {
        const std::uint64_t sum = sums_[place(newest - back, level)];
        if (sum != 0) f(age_of((newest - back) << level, now_), sum);
      }
    }
    return looked_at;
  }
  [[nodiscard]] std::uint64_t now() const { return now_; }

 private:
  static constexpr std::uint32_t kBuckets = 128;         ///< of a level
  static constexpr std::uint32_t kPairs = kBuckets / 2;  ///< that a level keeps, before they join in the next
  static constexpr std::uint32_t kBucketBits = std::bit_width(kBuckets);
  static constexpr std::uint32_t kLevels = 64 - std::bit_width(kPairs - 1);  ///< then a pair spans all time

  [[nodiscard]] static std::size_t place(std::uint64_t bucket, std::uint32_t level) {
    return std::size_t{level} * kBuckets + bucket % kBuckets;
  }
  [[nodiscard]] static std::uint64_t centre(std::uint64_t bucket, std::uint32_t level) {
    return (bucket << level) + ((std::uint64_t{1} << level) >> 1);
  }
  /// The finest level that keeps the pair of buckets with the stamp; stamp <= now.
  [[nodiscard]] static std::uint32_t level_of(std::uint64_t stamp, std::uint64_t now) {
    const auto bits = static_cast<std::uint32_t>(std::bit_width(now - stamp));
    std::uint32_t level = bits > kBucketBits ? bits - kBucketBits : 0;
    while ((now >> (level + 1)) - (stamp >> (level + 1)) >= kPairs) ++level;
    return level;
  }
  void add(std::uint64_t stamp, std::uint64_t updates, std::uint64_t now);
  void take(std::uint64_t bucket, std::uint32_t level, std::uint64_t updates);
  void release_pair(std::uint64_t pair, std::uint32_t level, std::uint64_t now);

  std::span<std::uint64_t> sums_;
  std::uint32_t occupied_[kLevels] = {};  ///< buckets that are not 0
  std::uint64_t now_ = 0;
};

}  // namespace ftlab::fms
