// Segments of several erase units: nothing but the erases is otherwise than on a part with segments of that size.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "tests/fixtures/emulated_nand.h"
#include "tests/fixtures/fms_fixture.h"
#include "tests/fixtures/random_host.h"

namespace ftlab::tests {
namespace {

constexpr std::uint32_t kUnits = 4;

/// 13 segments of 8 KiB.
EmulatedFlashOptions whole_part() {
  EmulatedFlashOptions options = small_part();
  options.geometry.segment_bytes = 8192;
  options.capabilities.background_erase = false;
  return options;
}
/// The same bytes in erase units of 2 KiB.
EmulatedFlashOptions divided_part() {
  EmulatedFlashOptions options = whole_part();
  options.geometry.segments *= kUnits;
  options.geometry.segment_bytes /= kUnits;
  return options;
}

FmsVolume config_of(std::uint32_t units) {
  FmsVolume config = small_config();
  config.logical_pages = 200;
  config.segment_units = units;
  return config;
}

TEST(FmsSegmentUnits, leave_the_bytes_and_counters_of_a_part_with_segments_of_that_size) {
  EmulatedFlash whole(whole_part());
  EmulatedFlash divided(divided_part());
  FmsSession on_whole(whole, config_of(1));
  FmsSession on_divided(divided, config_of(kUnits));
  for (FmsSession* session : {&on_whole, &on_divided}) {
    ASSERT_EQ((*session)->config_error(), nullptr);
    ASSERT_EQ((*session)->format(0), FtlStatus::ok);
    PageOracle oracle(config_of(1).logical_pages, (*session)->page_bytes(), {});
    RandomHost host(5);
    for (int i = 0; i < 2000; ++i) ASSERT_EQ(host.step(**session, oracle), FtlStatus::ok);
    ASSERT_EQ(oracle.check_live(**session), "");
  }
  EXPECT_GT(on_whole->stats().erases, 50U);
  EXPECT_EQ(on_divided->stats().erases, on_whole->stats().erases);
  EXPECT_EQ(on_divided->stats().pages_copied, on_whole->stats().pages_copied);
  EXPECT_EQ(on_divided->segments(), on_whole->segments());
  const std::uint32_t bytes = divided.geometry().segment_bytes;
  for (std::uint32_t unit = 0; unit < divided.geometry().segments; ++unit) {
    EXPECT_EQ(divided.erase_count(unit), whole.erase_count(unit / kUnits)) << "unit " << unit;
    EXPECT_TRUE(std::equal(divided.bytes(unit), divided.bytes(unit) + bytes,
                           whole.bytes(unit / kUnits) + unit % kUnits * bytes))
        << "unit " << unit;
  }
}

TEST(FmsSegmentUnits, that_cannot_work_are_refused_with_the_reason) {
  const auto reason = [](const FmsVolume& config, PartPort& flash) {
    const char* refused = refusal(config, flash);
    return std::string(refused != nullptr ? refused : "");
  };
  EmulatedFlash divided(divided_part());
  EXPECT_EQ(reason(config_of(kUnits), divided), "");
  EXPECT_NE(reason(config_of(3), divided).find("must divide"), std::string::npos);
  EXPECT_NE(reason(config_of(0), divided).find("at least 1"), std::string::npos);
  EXPECT_NE(reason(config_of(65), divided).find("at most 64"), std::string::npos);
  FmsVolume large = config_of(kUnits);
  large.page_bytes = 4096;
  EXPECT_NE(reason(large, divided).find("page_bytes must divide each unit"), std::string::npos);
  FmsVolume many = config_of(kUnits);
  many.page_bytes = 64;
  EXPECT_NE(reason(many, divided).find("do not fit half of their first erase unit"), std::string::npos);
  EmulatedFlashOptions overlaps = divided_part();
  overlaps.capabilities.background_erase = true;
  EmulatedFlash overlapped(overlaps);
  EXPECT_NE(reason(config_of(kUnits), overlapped).find("needs erase = \"wait\""), std::string::npos);
  EmulatedNand nand{EmulatedNandOptions{}};
  FmsVolume on_nand = config_of(2);
  on_nand.page_bytes = EmulatedNandOptions{}.page_bytes;
  EXPECT_NE(reason(on_nand, nand).find("is for NOR parts"), std::string::npos);
}

}  // namespace
}  // namespace ftlab::tests
