#include "workloads/traces/mapping/scaled.h"

#include <gtest/gtest.h>

#include "tests/unit/workloads/support.h"
#include "tests/unit/workloads/traces/mapping/map_support.h"

namespace ftlab::workloads {
namespace {

using test::misfit;
using test::pieces;
using test::text;

// Four pages of 1,024 bytes stand for sixteen; the bytes behind them make no page.
constexpr std::uint64_t kScaledDevice = 4'500;
const TraceConfig kFourToOne{.address = "scaled", .page_bytes = 1024, .traced_bytes = 16'384};

TEST(Scaled, neighbours_fall_on_one_page_and_every_write_stays_one) {
  const auto map = test::make_map(kFourToOne, kScaledDevice);
  EXPECT_EQ(text(pieces(*map, {.offset = 4096, .length = 4096})), "1024+1024 1024+1024 1024+1024 1024+1024");
  EXPECT_EQ(text(pieces(*map, {.offset = 15 * 1024, .length = 1024})), "3072+1024");
}

TEST(Scaled, bytes_keep_their_place_in_the_page) {
  const auto map = test::make_map(kFourToOne, kScaledDevice);
  EXPECT_EQ(text(pieces(*map, {.offset = 5 * 1024 + 100, .length = 50})), "1124+50");
  EXPECT_EQ(text(pieces(*map, {.offset = 3 * 1024 + 1000, .length = 124})), "1000+124") << "runs on to the next page";
}

TEST(Scaled, a_device_of_the_same_size_keeps_addresses_and_a_larger_one_spreads_them) {
  const auto same = test::make_map(kFourToOne, 16'384);
  EXPECT_EQ(text(pieces(*same, {.offset = 100, .length = 5000})), "100+5000");
  const auto larger = test::make_map(kFourToOne, 32'768);
  EXPECT_EQ(text(pieces(*larger, {.offset = 1024, .length = 2048})), "2048+1024 4096+1024");
}

TEST(Scaled, pages_of_a_huge_traced_device_do_not_overflow) {
  const auto map = test::make_map({.address = "scaled", .page_bytes = 1, .traced_bytes = 1ULL << 56}, 1ULL << 20);
  EXPECT_EQ(text(pieces(*map, {.offset = (1ULL << 56) - 1, .length = 1})), "1048575+1");
}

TEST(Scaled, what_lies_beyond_the_traced_device_is_refused) {
  const auto map = test::make_map(kFourToOne, kScaledDevice);
  EXPECT_EQ(misfit(*map, {.offset = 16'384, .length = 1}),
            "byte 16384 + 1 lies beyond the traced device of 16384 bytes; raise workload.traced_mib, or choose one "
            "device with workload.device");
  EXPECT_EQ(misfit(*map, {.offset = 16'383, .length = 1}), "fits");
}

TEST(Scaled, the_size_of_the_traced_device_is_needed) {
  EXPECT_EQ(test::refusal([] { test::make_map({.address = "scaled"}, 8192); }),
            "workload.traced_mib: address = \"scaled\" needs the size of the traced device; give it in MiB, "
            "`ftlab trace info` prints the last address");
}

}  // namespace
}  // namespace ftlab::workloads
