// By the time that a page will probably live (SepBIT: Wang, Lee and others, FAST 2022). l is the mean lifespan of the
// last 16 segments of class 0 that were cleaned. The host's page goes to class 0 when the version that it replaces
// lived shorter than l, else to 1; a copy out of class 0 goes to 2, others by their age to 3 (below 4 l), 4 (below 16
// l) or 5.
#include <algorithm>
#include <array>
#include <span>

#include "firmware/policy/members.h"

namespace ftlab::fms::separate {
namespace {

class SepBit final : public Separation {
 public:
  static constexpr std::uint32_t kClasses = 6;
  static constexpr bool kHasPools = false;
  static constexpr std::uint32_t kCopiesTo = 4;

  void layout(Arena& arena, const PolicySetup& setup) override {
    written_ = arena.take<std::uint32_t>(setup.logical_pages);
  }
  void clear() override {
    std::ranges::fill(written_, 0);
    lifespans_.fill(0);
    next_ = known_ = 0;
    mean_ = kForever;
  }

  std::uint32_t host_stream(const PageWrite& write) override {
    const std::uint32_t lived = write.now - written_[write.lpn];
    written_[write.lpn] = write.now;
    return write.was_mapped && lived < mean_ ? 0 : 1;
  }
  std::uint32_t copy_stream(std::uint32_t lpn, std::uint32_t from_stream, std::uint32_t now) override {
    if (from_stream == 0) return 2;
    const std::uint64_t age = now - written_[lpn];
    return age < 4 * mean_ ? 3 : age < 16 * mean_ ? 4 : 5;
  }
  void collected(std::uint32_t stream, std::uint32_t lifespan) override {
    if (stream != 0) return;
    lifespans_[next_] = lifespan;
    next_ = (next_ + 1) % kRemembered;
    known_ = std::min(known_ + 1, kRemembered);
    std::uint64_t sum = 0;
    for (const std::uint32_t one : lifespans_) sum += one;
    if (known_ == kRemembered) mean_ = sum / kRemembered;
  }

 private:
  static constexpr std::uint32_t kRemembered = 16;
  static constexpr std::uint64_t kForever = std::uint64_t{1} << 40;  ///< before 16 are known

  std::span<std::uint32_t> written_;
  std::array<std::uint32_t, kRemembered> lifespans_{};
  std::uint32_t next_ = 0;
  std::uint32_t known_ = 0;
  std::uint64_t mean_ = kForever;
};

}  // namespace

constexpr SeparationEntry sepbit = member<SepBit>("sepbit", "six classes by the time that pages will probably live");

}  // namespace ftlab::fms::separate
