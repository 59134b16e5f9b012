#include "platform/measure/utilization.h"

#include <gtest/gtest.h>

namespace ftlab::platform {
namespace {

using Columns = Utilization::Columns;

constexpr Ticks s(std::int64_t n) { return std::chrono::seconds{n}; }

TEST(Utilization, is_that_since_the_last_sample) {
  Utilization utilization;
  utilization.begin(s(10), {{{s(2), s(4)}, {s(1)}, 1}, {{s(3), s(1), s(0)}}});
  EXPECT_EQ(utilization.since_last(s(14), {{{s(4), s(8)}, {s(3)}, 1}, {{s(4), s(5), s(0)}}}),
            (Columns{{"dies_utilization", 0.75},
                     {"channels_utilization", 0.5},
                     {"link_to_device_utilization", 0.25},
                     {"link_to_host_utilization", 1}}));
  EXPECT_EQ(utilization.since_last(s(16), {{{s(4), s(8)}, {s(4)}, 1}, {{s(6), s(5), s(0)}}}),
            (Columns{{"dies_utilization", 0},
                     {"channels_utilization", 0.5},
                     {"link_to_device_utilization", 1},
                     {"link_to_host_utilization", 0}}));
}

TEST(Utilization, of_no_time_is_none_and_of_what_is_not_known_missing) {
  Utilization utilization;
  utilization.begin(s(0), {});
  EXPECT_EQ(utilization.since_last(s(0), {{{s(0)}, {}, 1}, {}}), (Columns{{"dies_utilization", 0}}));
  EXPECT_EQ(utilization.since_last(s(2), {}), Columns{});
}

}  // namespace
}  // namespace ftlab::platform
