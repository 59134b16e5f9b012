// Size byte of the DEVICE tuple.
#include "hw/series2plus/spec/cis.h"

#include <gtest/gtest.h>

namespace ftlab::hw {
namespace {

TEST(DeviceSizeByte, counts_the_largest_unit_that_divides_the_capacity) {
  EXPECT_EQ(device_size_byte(4ULL << 20), 0x0E);
  EXPECT_EQ(device_size_byte(24ULL << 20), 0x5E);
  EXPECT_EQ(device_size_byte(64ULL << 20), 0xFE);
  EXPECT_EQ(device_size_byte(1ULL << 20), 0x0D) << "two units of 512 KiB";
  EXPECT_EQ(device_size_byte(512), 0x00);
}

TEST(DeviceSizeByte, refuses_what_no_unit_can_say) {
  EXPECT_EQ(device_size_byte(66ULL << 20), std::nullopt);
  EXPECT_EQ(device_size_byte(17ULL << 20), std::nullopt);
  EXPECT_EQ(device_size_byte(100), std::nullopt);
  EXPECT_EQ(device_size_byte(0), std::nullopt);
}

}  // namespace
}  // namespace ftlab::hw
