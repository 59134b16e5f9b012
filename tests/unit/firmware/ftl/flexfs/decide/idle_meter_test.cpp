#include "firmware/ftl/flexfs/decide/idle_meter.h"

#include <gtest/gtest.h>

namespace ftlab::flexfs {
namespace {

TEST(IdleMeter, a_pause_lasts_from_its_first_idle_moment_to_the_next_request) {
  IdleMeter meter;
  meter.request_at(5, 0);
  meter.idle_at(100);
  meter.idle_at(150);
  EXPECT_TRUE(meter.idle());
  EXPECT_EQ(meter.since_ns(), 100U);
  meter.request_at(400, 0);
  EXPECT_FALSE(meter.idle());
  EXPECT_EQ(meter.take(), 300U);
  EXPECT_EQ(meter.take(), 0U);
}

TEST(IdleMeter, time_inside_requests_does_not_count) {
  IdleMeter meter;
  meter.request_at(100, 0);
  meter.request_at(900, 0);
  EXPECT_EQ(meter.take(), 0U);
}

TEST(IdleMeter, only_the_part_beyond_the_free_time_counts_when_there_is_one) {
  IdleMeter meter;
  meter.idle_at(0);
  meter.request_at(1500, 1000);
  meter.idle_at(2000);
  meter.request_at(2900, 1000);
  EXPECT_EQ(meter.take(), 500U);
}

}  // namespace
}  // namespace ftlab::flexfs
