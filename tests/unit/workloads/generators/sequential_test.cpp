#include "workloads/generators/sequential.h"

#include <gmock/gmock.h>

namespace ftlab::workloads {
namespace {

TEST(Sequential, goes_through_the_slots_in_order_and_starts_again_after_the_last) {
  const SlotSet slots{3, {}};
  const auto pattern = make_sequential(slots, {}, 0, 0);
  std::array<std::uint32_t, 7> drawn{};
  pattern->draw(drawn);
  EXPECT_THAT(drawn, testing::ElementsAre(0, 1, 2, 0, 1, 2, 0));
}

TEST(Sequential, keeps_to_a_listed_set) {
  const SlotSet slots{2, {5, 9}};
  const auto pattern = make_sequential(slots, {}, 0, 0);
  std::array<std::uint32_t, 3> drawn{};
  pattern->draw(drawn);
  EXPECT_THAT(drawn, testing::ElementsAre(5, 9, 5));
}

}  // namespace
}  // namespace ftlab::workloads
