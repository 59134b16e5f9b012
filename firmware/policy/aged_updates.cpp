#include "firmware/policy/aged_updates.h"

#include <algorithm>

namespace ftlab::fms {

void AgedUpdates::clear() {
  std::ranges::fill(sums_, 0);
  std::ranges::fill(occupied_, 0);
  now_ = 0;
}

void AgedUpdates::add(std::uint64_t stamp, std::uint64_t updates, std::uint64_t now) {
  const std::uint32_t level = level_of(stamp, now);
  std::uint64_t& sum = sums_[place(stamp >> level, level)];
  if (sum == 0) ++occupied_[level];
  sum += updates;
}

void AgedUpdates::take(std::uint64_t bucket, std::uint32_t level, std::uint64_t updates) {
  std::uint64_t& sum = sums_[place(bucket, level)];
  sum -= updates;
  if (sum == 0) --occupied_[level];
}

void AgedUpdates::on_page(PageHistory before, PageHistory after) {
  if (before.updates != 0) {
    const std::uint32_t level = level_of(before.stamp, now_);
    take(before.stamp >> level, level, before.updates);
  }
  if (after.updates == 0) return;
  advance(after.stamp);
  add(after.stamp, after.updates, now_);
}

void AgedUpdates::advance(std::uint64_t now) {
  if (now <= now_) return;
  // No pair of a level whose pairs are still counted the same has become too old. Coarse levels first: what they hold
  // in the place of a bucket that comes from a finer one must have gone.
  const auto changed = static_cast<std::uint32_t>(std::bit_width(now ^ now_));
  for (std::uint32_t level = std::min(changed - 1, kLevels - 1); level-- > 0;) {
    if ((now >> (level + 1)) < kPairs) continue;
    const std::uint64_t newest = now_ >> (level + 1);
    const std::uint64_t last = std::min(newest, (now >> (level + 1)) - kPairs);
    const std::uint64_t first = newest < kPairs ? 0 : newest - (kPairs - 1);
    for (std::uint64_t pair = first; pair <= last && occupied_[level] > 0; ++pair) release_pair(pair, level, now);
  }
  now_ = now;
}

void AgedUpdates::release_pair(std::uint64_t pair, std::uint32_t level, std::uint64_t now) {
  for (const std::uint64_t bucket : {2 * pair, 2 * pair + 1}) {
    const std::uint64_t updates = sums_[place(bucket, level)];
    if (updates == 0) continue;
    take(bucket, level, updates);
    add(bucket << level, updates, now);
  }
}

}  // namespace ftlab::fms
