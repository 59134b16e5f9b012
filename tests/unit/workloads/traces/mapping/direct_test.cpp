#include "workloads/traces/mapping/direct.h"

#include <gtest/gtest.h>

#include "tests/unit/workloads/traces/mapping/map_support.h"

namespace ftlab::workloads {
namespace {

using test::misfit;
using test::pieces;
using test::text;

TEST(Direct, keeps_every_byte_where_it_is) {
  const auto map = test::make_map({.address = "direct"}, 10'000);
  EXPECT_EQ(text(pieces(*map, {.offset = 5000, .length = 5000})), "5000+5000");
}

TEST(Direct, address_beyond_the_device_is_refused_with_the_numbers) {
  const auto map = test::make_map({.address = "direct"}, 10'000);
  EXPECT_EQ(
      misfit(*map, {.offset = 5000, .length = 5001}),
      "byte 5000 + 5001 lies beyond the device of 10000 bytes; set workload.address to compact or modulo, or use a "
      "larger part");
}

TEST(Direct, second_device_is_refused_because_addresses_overlap) {
  const auto map = test::make_map({.address = "direct"}, 10'000);
  pieces(*map, {.length = 512, .device = 1});
  EXPECT_EQ(misfit(*map, {.length = 512, .device = 2}),
            "the trace has several devices whose addresses overlap; choose one with workload.device, or set "
            "workload.address to compact");
}

}  // namespace
}  // namespace ftlab::workloads
