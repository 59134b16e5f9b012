// What goes into 32 spare bytes comes out again, or not at all.
#include "firmware/volume/nand/page_metadata.h"

#include <gtest/gtest.h>

namespace ftlab::tests {
namespace {

using namespace nand;

PageMetadata example() {
  PageMetadata metadata;
  metadata.lpn = 0x12345678;
  metadata.updates = 65535;
  metadata.sequence = kMax40;
  metadata.stamp = 0x000000CDEF012345;
  metadata.file = 77;
  metadata.erase_count = 10'000;
  metadata.before = 0x654321;
  metadata.distance = 41;
  metadata.region = 3;
  metadata.mode = PageMode::lsb_only;
  return metadata;
}

TEST(PageMetadata, comes_back_as_it_was_written) {
  PageMetadata got;
  ASSERT_TRUE(decode(encode(example(), 5), 5, got));
  EXPECT_EQ(got.lpn, example().lpn);
  EXPECT_EQ(got.updates, example().updates);
  EXPECT_EQ(got.sequence, example().sequence);
  EXPECT_EQ(got.stamp, example().stamp);
  EXPECT_EQ(got.file, example().file);
  EXPECT_EQ(got.erase_count, example().erase_count);
  EXPECT_EQ(got.before, example().before);
  EXPECT_EQ(got.distance, example().distance);
  EXPECT_EQ(got.region, example().region);
  EXPECT_EQ(got.kind, PageKind::data);
  EXPECT_EQ(got.mode, PageMode::lsb_only);
}

TEST(PageMetadata, holds_every_stream) {
  for (unsigned stream = 0; stream < 32U; ++stream) {
    PageMetadata metadata = example();
    metadata.region = static_cast<std::uint8_t>(stream);
    PageMetadata got;
    ASSERT_TRUE(decode(encode(metadata, 5), 5, got));
    EXPECT_EQ(got.region, stream);
    EXPECT_EQ(got.mode, PageMode::lsb_only);
    EXPECT_EQ(got.distance, example().distance);
  }
}

TEST(PageMetadata, of_another_volume_is_not_intact) {
  PageMetadata got;
  EXPECT_FALSE(decode(encode(example(), 5), 6, got));
}

TEST(PageMetadata, with_any_bit_changed_is_not_intact) {
  for (std::size_t bit = 0; bit < 8 * sizeof(OobTag); ++bit) {
    OobTag spare = encode(example(), 5);
    reinterpret_cast<unsigned char*>(&spare)[bit / 8] ^= static_cast<unsigned char>(1U << (bit % 8));
    PageMetadata got;
    EXPECT_FALSE(decode(spare, 5, got)) << bit;
  }
}

TEST(PageMetadata, of_erased_bytes_is_blank_and_not_intact) {
  OobTag spare;
  std::memset(&spare, 0xFF, sizeof spare);
  PageMetadata got;
  EXPECT_TRUE(blank(spare));
  EXPECT_FALSE(decode(spare, 0, got));
  EXPECT_FALSE(blank(encode(example(), 5)));
}

TEST(PageMetadata, update_count_stays_at_its_largest_value) {
  EXPECT_EQ(saturated(65'534), 65'534);
  EXPECT_EQ(saturated(65'536), 65'535);
  EXPECT_EQ(saturated(0xFFFFFFFF), 65'535);
}

}  // namespace
}  // namespace ftlab::tests
