// Numbers on flash look the same from every machine.
#include "firmware/base/little_endian.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

namespace ftlab::tests {
namespace {

TEST(LittleEndian, lowest_byte_stands_first_on_any_machine) {
  const struct {
    Le64 wide{0x1122334455667788};
    Le32 word{0xA0B0C0D0};
    Le16 half{0x0102};
    Le16 more{0x0304};
  } fields;
  const std::array<unsigned char, 16> expected{0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11,
                                               0xD0, 0xC0, 0xB0, 0xA0, 0x02, 0x01, 0x04, 0x03};
  static_assert(sizeof fields == expected.size());
  EXPECT_EQ(std::memcmp(&fields, expected.data(), expected.size()), 0);
}

TEST(LittleEndian, reads_back_what_was_assigned) {
  Le32 word = 7;
  word = 0xDEADBEEF;
  EXPECT_EQ(word, 0xDEADBEEFU);
  EXPECT_EQ(Le64(UINT64_MAX - 1), UINT64_MAX - 1);
}

}  // namespace
}  // namespace ftlab::tests
