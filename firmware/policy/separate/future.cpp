// By when a page will be written again, told by a host that knows its future: what knowing lifespans brings, to measure
// others by. No device can do it. Class 5 is what lives on for an overwrite of the device or more, 4 for a quarter of
// one, 3 for a sixteenth, and so on.
#include <algorithm>
#include <span>

#include "firmware/policy/members.h"

namespace ftlab::fms::separate {
namespace {

class Future final : public Separation {
 public:
  static constexpr std::uint32_t kClasses = 6;  ///< as many open segments as sepbit has
  static constexpr bool kHasPools = false;
  static constexpr std::uint32_t kCopiesTo = kClasses;

  void layout(Arena& arena, const PolicySetup& setup) override {
    dies_at_ = arena.take<std::uint32_t>(setup.logical_pages);
  }
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
    for (std::uint32_t end = static_cast<std::uint32_t>(dies_at_.size()); which > 0 && left < end; end /= kStep)
      --which;
    return which;
  }

  std::span<std::uint32_t> dies_at_;  ///< of each page: count of the host's pages with which it is written again
};

}  // namespace

constexpr SeparationEntry future =
    member<Future>("future", "by when pages will be written again, which only a simulation knows");

}  // namespace ftlab::fms::separate
