// By when a page will be written again, told by a host that knows its future: what knowing lifespans brings, to measure
// others by. No device can do it. Class 5 is what lives on for an overwrite of the device or more, 4 for a quarter of
// one, 3 for a sixteenth, and so on.
#pragma once

#include <algorithm>
#include <span>

#include "firmware/volume/clean/separation.h"

namespace ftlab::volume {

class Future final : public Separation {
 public:
  static constexpr std::uint32_t kClasses = 6;  ///< as many open segments as sepbit has

  explicit Future(const VolumeConfig& config) : config_(config) {}
  void layout(Arena& arena) { dies_at_ = arena.take<std::uint32_t>(config_.logical_pages); }
  void clear() override { std::ranges::fill(dies_at_, kNever); }

  void set_rewrite_distance(std::uint32_t lpn, std::uint32_t rewritten_in, std::uint32_t now) override {
    dies_at_[lpn] = rewritten_in == 0 ? kNever : std::max<std::uint32_t>(kNever + 1, now + rewritten_in);
  }
  std::uint32_t host_stream(const PageWrite& write) override { return class_of(write.lpn, write.now); }
  std::uint32_t copy_stream(std::uint32_t lpn, std::uint32_t, std::uint32_t now) override { return class_of(lpn, now); }

 private:
  static constexpr std::uint32_t kNever = 0;
  static constexpr std::uint32_t kStep = 4;

  [[nodiscard]] std::uint32_t class_of(std::uint32_t lpn, std::uint32_t now) const {
    std::uint32_t which = kClasses - 1;
    if (dies_at_[lpn] == kNever) return which;
    const std::uint32_t left = dies_at_[lpn] - now;
    for (std::uint32_t end = config_.logical_pages; which > 0 && left < end; end /= kStep) --which;
    return which;
  }

  const VolumeConfig& config_;
  std::span<std::uint32_t> dies_at_;  ///< of each page: count of the host's pages with which it is written again
};

}  // namespace ftlab::volume
