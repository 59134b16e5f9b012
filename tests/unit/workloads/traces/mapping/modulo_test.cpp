#include "workloads/traces/mapping/modulo.h"

#include <gtest/gtest.h>

#include "tests/unit/workloads/traces/mapping/map_support.h"

namespace ftlab::workloads {
namespace {

using test::pieces;
using test::text;

// 10,000 bytes hold two whole pages of 4,096.
constexpr std::uint64_t kModuloDevice = 10'000;

TEST(Modulo, wraps_at_the_last_whole_page) {
  const auto map = test::make_map({.address = "modulo"}, kModuloDevice);
  EXPECT_EQ(text(pieces(*map, {.offset = 100, .length = 50})), "100+50");
  EXPECT_EQ(text(pieces(*map, {.offset = 8192 + 100, .length = 50})), "100+50");
  EXPECT_EQ(text(pieces(*map, {.offset = 8000, .length = 500})), "8000+192 0+308");
}

TEST(Modulo, long_writes_go_round_and_long_trims_cover_the_device_once) {
  const auto map = test::make_map({.address = "modulo"}, kModuloDevice);
  EXPECT_EQ(text(pieces(*map, {.offset = 0, .length = 20'000})), "0+8192 0+8192 0+3616");
  EXPECT_EQ(text(pieces(*map, {.offset = 4096, .length = 1ULL << 50, .kind = RequestKind::trim})), "4096+4096 0+4096");
}

}  // namespace
}  // namespace ftlab::workloads
