// Hot and cold by recency (Desnoyers, section 6). R is a moving average of how many pages the host writes between two
// writes of a page. A cold page becomes hot when it is written twice in a row within 0.7 R; a hot one becomes cold when
// it is copied and was not written for 1.4 R. The first write of a page says nothing.
#include <algorithm>
#include <span>

#include "firmware/policy/members.h"

namespace ftlab::fms::separate {
namespace {

class Recency final : public Separation {
 public:
  struct Params {
    std::uint32_t recency_memory = 1000;
  };
  static constexpr Field<Params> kFields[] = {
      integer_field<&Params::recency_memory>("recency_memory", "intervals", 1, 1e9,
                                             "recency: how many intervals the moving average R remembers")
          .not_published()};
  static constexpr std::uint32_t kClasses = 2;
  static constexpr bool kHasPools = true;
  static constexpr std::uint32_t kCopiesTo = 2;

  Recency(const Params& params, const PolicySetup& setup) : params_(params), copies_apart_(setup.copies_apart) {}
  void layout(Arena& arena, const PolicySetup& setup) override {
    written_ = arena.take<std::uint32_t>(setup.logical_pages);
  }
  void clear() override {
    std::ranges::fill(written_, 0);
    mean_ = 0;
  }

  std::uint32_t host_stream(const PageWrite& write) override {
    std::uint32_t& last = written_[write.lpn];
    const std::uint32_t before = last;
    const std::uint32_t now = write.now & kTime;
    last = now | kSeen;
    if ((before & kSeen) == 0) return kCold;
    const std::uint32_t interval = (now - before) & kTime;
    const bool is_short = std::uint64_t{interval} * 10 * kOne < mean_ * 7;
    mean_ += (static_cast<std::int64_t>(std::uint64_t{interval} * kOne) - static_cast<std::int64_t>(mean_)) /
             static_cast<std::int64_t>(params_.recency_memory);
    if (write.was_mapped && write.old_stream % kClasses == kHot) return kHot;
    if (!is_short) return kCold;
    last |= kShort;
    return (before & kShort) != 0 ? kHot : kCold;
  }
  std::uint32_t copy_stream(std::uint32_t lpn, std::uint32_t from_stream, std::uint32_t now) override {
    std::uint32_t pool = from_stream % kClasses;
    const std::uint64_t age = (now - written_[lpn]) & kTime;
    if (pool == kHot && age * 10 * kOne > mean_ * 14) {
      pool = kCold;
      written_[lpn] &= ~kShort;
    }
    return copies_of(copies_apart_, kClasses, pool);
  }

 private:
  static constexpr std::uint32_t kHot = 0;
  static constexpr std::uint32_t kCold = 1;
  static constexpr std::uint32_t kTime = 0x3FFFFFFF;
  static constexpr std::uint32_t kSeen = 0x80000000;   ///< was written by the host
  static constexpr std::uint32_t kShort = 0x40000000;  ///< and the last time soon after the time before
  static constexpr std::uint64_t kOne = 1 << 16;

  Params params_;
  bool copies_apart_;
  std::span<std::uint32_t> written_;
  std::uint64_t mean_ = 0;  ///< R in 1 / kOne
};

}  // namespace

constexpr SeparationEntry recency = member<Recency>("recency", "hot and cold by how soon pages are written again");

}  // namespace ftlab::fms::separate
