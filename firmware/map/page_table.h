// The translation table of the papers, with what the policies remember of each page. Knows no segment.
// A page that is not mapped has no updates and no stamp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "common/ids.h"
#include "firmware/base/arena.h"

namespace ftlab {

inline constexpr std::uint32_t kUnmapped = 0xFFFFFFFF;

class PageTable {
 public:
  void layout(Arena& arena, std::uint32_t pages) {
    ppn_ = arena.take<std::uint32_t>(pages);
    updates_ = arena.take<std::uint32_t>(pages);
    stamps_ = arena.take<std::uint64_t>(pages);
  }
  void clear() {
    std::fill(ppn_.begin(), ppn_.end(), kUnmapped);
    std::fill(updates_.begin(), updates_.end(), 0);
    std::fill(stamps_.begin(), stamps_.end(), 0);
    mapped_ = 0;
    updates_sum_ = 0;
  }
  void map(Lpn lpn, Ppn ppn, std::uint32_t updates, std::uint64_t stamp) {
    const std::uint32_t page = lpn.value();
    if (ppn_[page] == kUnmapped) ++mapped_;
    ppn_[page] = ppn.value();
    updates_sum_ += updates - std::uint64_t{updates_[page]};
    updates_[page] = updates;
    stamps_[page] = stamp;
  }
  /// Copied by cleaning: updates and stamp stay.
  void move(Lpn lpn, Ppn ppn) { ppn_[lpn.value()] = ppn.value(); }
  void unmap(std::uint32_t lpn) {
    ppn_[lpn] = kUnmapped;
    updates_sum_ -= updates_[lpn];
    updates_[lpn] = 0;
    stamps_[lpn] = 0;
    --mapped_;
  }

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(ppn_.size()); }
  [[nodiscard]] std::uint32_t mapped() const { return mapped_; }
  [[nodiscard]] std::uint32_t ppn(std::uint32_t lpn) const { return ppn_[lpn]; }
  [[nodiscard]] std::uint32_t updates(std::uint32_t lpn) const { return updates_[lpn]; }
  /// Of its next version; the last number stays.
  [[nodiscard]] std::uint32_t next_updates(std::uint32_t lpn) const {
    constexpr std::uint32_t kLast = 0xFFFFFFFF;
    return updates_[lpn] < kLast ? updates_[lpn] + 1 : kLast;
  }
  /// Of all pages.
  [[nodiscard]] std::uint64_t updates_sum() const { return updates_sum_; }
  [[nodiscard]] std::uint64_t stamp(std::uint32_t lpn) const { return stamps_[lpn]; }
  [[nodiscard]] std::span<const std::uint32_t> all_updates() const { return updates_; }
  [[nodiscard]] std::span<const std::uint64_t> all_stamps() const { return stamps_; }

 private:
  std::span<std::uint32_t> ppn_;
  std::span<std::uint32_t> updates_;
  std::span<std::uint64_t> stamps_;
  std::uint32_t mapped_ = 0;
  std::uint64_t updates_sum_ = 0;
};

}  // namespace ftlab
