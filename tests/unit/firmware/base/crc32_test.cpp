// The fast way must be the plain way, for every length and alignment.
#include "firmware/base/crc32.h"

#include <gtest/gtest.h>

#include <array>
#include <string_view>

namespace ftlab {
namespace {

std::uint32_t bit_by_bit(const unsigned char* data, std::size_t bytes) {
  std::uint32_t c = 0xFFFFFFFFU;
  for (std::size_t i = 0; i < bytes; ++i) {
    c ^= data[i];
    for (int bit = 0; bit < 8; ++bit) c = (c & 1U) != 0 ? (c >> 1) ^ 0x82F63B78U : c >> 1;
  }
  return ~c;
}

TEST(Crc32c, has_the_published_check_value) {
  constexpr std::string_view kDigits = "123456789";
  EXPECT_EQ(crc32c(kDigits.data(), kDigits.size()), 0xE3069283U);
}

TEST(Crc32c, is_the_same_bit_by_bit_for_every_length_and_alignment) {
  std::array<unsigned char, 80> data{};
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<unsigned char>(i * 73 + 5);
  for (std::size_t from = 0; from < 9; ++from)
    for (std::size_t bytes = 0; from + bytes <= data.size(); ++bytes)
      EXPECT_EQ(crc32c(data.data() + from, bytes), bit_by_bit(data.data() + from, bytes)) << from << " " << bytes;
}

TEST(Crc32c, goes_on_from_the_result_for_the_bytes_before) {
  constexpr std::string_view kText = "erased, programmed, erased again";
  for (std::size_t split = 0; split <= kText.size(); ++split)
    EXPECT_EQ(crc32c(kText.data() + split, kText.size() - split, crc32c(kText.data(), split)),
              crc32c(kText.data(), kText.size()));
}

}  // namespace
}  // namespace ftlab
