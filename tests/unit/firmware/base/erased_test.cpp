// One bit anywhere counts, whatever the length and alignment.
#include "firmware/base/erased.h"

#include <gtest/gtest.h>

#include <array>

namespace ftlab {
namespace {

TEST(AllErased, sees_a_single_zero_bit_at_any_place) {
  std::array<std::byte, 70> bytes{};
  bytes.fill(std::byte{0xFF});
  for (std::size_t from = 0; from < 9; ++from)
    for (std::size_t length = 1; from + length <= bytes.size(); ++length) {
      const std::span<const std::byte> part(bytes.data() + from, length);
      EXPECT_TRUE(all_erased(part));
      for (std::size_t at = 0; at < length; ++at) {
        bytes[from + at] = std::byte{0x7F};
        EXPECT_FALSE(all_erased(part)) << from << " " << length << " " << at;
        bytes[from + at] = std::byte{0xFF};
      }
    }
}

TEST(AllErased, wants_ones_and_not_only_equal_bytes) {
  const std::array<std::byte, 16> zeros{};
  EXPECT_FALSE(all_erased(zeros));
  EXPECT_TRUE(all_erased({}));
}

}  // namespace
}  // namespace ftlab
