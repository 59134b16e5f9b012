// Rules of the strong index types.
#include "common/ids.h"

#include <concepts>
#include <type_traits>

#include "gtest/gtest.h"

namespace ftlab {
namespace {

using Lpn = Id<struct LpnTag>;
using Ppn = Id<struct PpnTag>;

// What must not compile is asked of the type system, so that a breach is a compile error of this file.
static_assert(!std::convertible_to<std::uint32_t, SegmentId>, "a bare number is not a segment");
static_assert(!std::convertible_to<SegmentId, std::uint32_t>, "a segment does not decay to a number");
static_assert(!std::constructible_from<SegmentId, Ppn>, "a page is not a segment");
static_assert(!std::equality_comparable_with<Lpn, Ppn>, "logical and physical pages are never compared");
static_assert(!std::assignable_from<Lpn&, Ppn>, "a physical page is not stored as a logical one");
static_assert(sizeof(Lpn) == sizeof(std::uint32_t) && std::is_trivially_copyable_v<Lpn>, "an id costs a number");

TEST(Ids, default_is_zero) { EXPECT_EQ(SegmentId{}.value(), 0U); }

TEST(Ids, value_returns_what_the_constructor_took) { EXPECT_EQ(Lpn{0xFFFFFFFFU}.value(), 0xFFFFFFFFU); }

TEST(Ids, order_is_the_order_of_values) {
  EXPECT_LT(Lpn{3}, Lpn{4});
  EXPECT_GT(Lpn{4}, Lpn{3});
  EXPECT_EQ(Lpn{4}, Lpn{4});
  EXPECT_NE(Lpn{4}, Lpn{5});
}

TEST(Ids, increment_walks_to_the_next_and_returns_itself) {
  SegmentId id{7};
  SegmentId& same = ++id;
  EXPECT_EQ(id, SegmentId{8});
  EXPECT_EQ(&same, &id);
}

TEST(Ids, usable_in_constant_expressions) {
  constexpr Ppn kPage{31};
  static_assert(kPage.value() == 31);
  static_assert(Ppn{30} < kPage);
  EXPECT_EQ(kPage, Ppn{31});
}

}  // namespace
}  // namespace ftlab
