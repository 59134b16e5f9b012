// Tuples of all cards, odd ones, and chains that are broken.
#include "firmware/driver/series2plus/cis_reader.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/firmware/driver/script_port.h"

namespace ftlab {
namespace {

CardInformation parse(const std::vector<std::uint8_t>& bytes) {
  test::ScriptPort port;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    port.cells[static_cast<std::uint32_t>(2 * i)] = {static_cast<std::uint16_t>(0xFF00U | bytes[i])};
  }
  return read_card_information(port);
}

std::vector<std::uint8_t> card(std::uint8_t size) {
  return {0x01, 0x03, 0x53, size, 0xFF, 0x1E, 0x06, 0x02, 0x11, 0x01, 0x01, 0x01, 0x01, 0x18, 0x02, 0x89, 0xA0, 0xFF};
}

TEST(CisReader, size_byte_of_every_card_gives_its_capacity) {
  const std::vector<std::pair<std::uint8_t, std::uint64_t>> sizes = {
      {0x0E, 4}, {0x1E, 8}, {0x4E, 20}, {0x5E, 24}, {0x9E, 40}};
  for (const auto& [size, mib] : sizes) {
    const CardInformation found = parse(card(size));
    EXPECT_EQ(found.capacity_bytes, mib << 20);
    EXPECT_EQ(found.segment_bytes, 128U << 10);
    EXPECT_EQ(found.manufacturer_code, 0x89);
    EXPECT_EQ(found.device_code, 0xA0);
  }
}

TEST(CisReader, interleave_multiplies_the_segment) {
  std::vector<std::uint8_t> bytes = card(0x5E);
  bytes[8] = 0x10;   // half the erase size
  bytes[12] = 0x03;  // four times interleaved
  EXPECT_EQ(parse(bytes).segment_bytes, 256U << 10);
}

TEST(CisReader, regions_add_up_and_holes_do_not_count) {
  // 8 MiB flash, 2 MiB hole, 512 KiB of flash with an extended speed byte
  const std::vector<std::uint8_t> bytes = {0x01, 0x08, 0x53, 0x1E, 0x03, 0x06, 0x57, 0x2A, 0x05, 0xFF, 0xFF};
  EXPECT_EQ(parse(bytes).capacity_bytes, (8U << 20) + (512U << 10));
}

TEST(CisReader, null_tuples_are_stepped_over) {
  std::vector<std::uint8_t> bytes = card(0x0E);
  bytes.insert(bytes.begin(), {0x00, 0x00});
  EXPECT_EQ(parse(bytes).capacity_bytes, 4U << 20);
}

TEST(CisReader, empty_attribute_memory_gives_nothing) {
  const CardInformation none = parse({});
  EXPECT_EQ(none.capacity_bytes, 0U);
  EXPECT_EQ(none.segment_bytes, 0U);
}

TEST(CisReader, all_zero_attribute_memory_ends_the_walk) {
  EXPECT_EQ(parse(std::vector<std::uint8_t>(8192, 0)).capacity_bytes, 0U);
}

TEST(CisReader, impossible_erase_size_is_no_size) {
  std::vector<std::uint8_t> bytes = card(0x5E);
  bytes[8] = 0xFE;
  EXPECT_EQ(parse(bytes).segment_bytes, 0U);
  bytes[8] = 0x00;
  EXPECT_EQ(parse(bytes).segment_bytes, 0U);
}

TEST(CisReader, device_tuple_cut_short_has_no_size) { EXPECT_EQ(parse({0x01, 0x01, 0x53, 0xFF}).capacity_bytes, 0U); }

}  // namespace
}  // namespace ftlab
