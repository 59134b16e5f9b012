// Nothing is separated: the host's pages lie together, and copies with them or in segments of their own.
#include "firmware/policy/members.h"

namespace ftlab::fms::separate {
namespace {

class None final : public Separation {
 public:
  static constexpr std::uint32_t kClasses = 1;
  static constexpr bool kHasPools = true;
  static constexpr std::uint32_t kCopiesTo = 1;

  explicit None(const PolicySetup& setup) : copies_apart_(setup.copies_apart) {}

  std::uint32_t host_stream(const PageWrite&) override { return 0; }
  std::uint32_t copy_stream(std::uint32_t, std::uint32_t, std::uint32_t) override {
    return copies_of(copies_apart_, kClasses, 0);
  }

 private:
  bool copies_apart_;
};

}  // namespace

constexpr SeparationEntry none = member<None>("none", "all pages together");

}  // namespace ftlab::fms::separate
