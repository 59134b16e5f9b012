#include "platform/machine/iss/memory_map.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace ftlab::iss {
namespace {

class MemoryMapTest : public ::testing::Test {
 protected:
  alignas(4) std::array<std::uint8_t, 32> flash_{};
  alignas(4) std::array<std::uint8_t, 16> ram_{};
  MemoryMap map_{{{0x1000, 32, flash_.data(), false, true}, {0x2000, 16, ram_.data(), true, false}}};
};

TEST_F(MemoryMapTest, an_address_is_found_in_the_region_that_holds_it) {
  EXPECT_EQ(map_.find(0x0fff), nullptr);
  ASSERT_NE(map_.find(0x1000), nullptr);
  EXPECT_EQ(map_.find(0x101f)->bytes, flash_.data());
  EXPECT_EQ(map_.find(0x1020), nullptr);
  EXPECT_EQ(map_.find(0x2004)->bytes, ram_.data());
}

TEST_F(MemoryMapTest, only_writable_regions_are_for_stores) {
  EXPECT_EQ(map_.find_writable(0x1000), nullptr);
  EXPECT_EQ(map_.find_writable(0x2000)->bytes, ram_.data());
  std::uint32_t offset = 0;
  EXPECT_FALSE(map_.for_store(0x1000).holds<std::uint32_t>(0x1000, offset));
  EXPECT_TRUE(map_.for_store(0x2000).holds<std::uint32_t>(0x200c, offset));
  EXPECT_EQ(offset, 12U);
}

TEST_F(MemoryMapTest, only_executable_regions_are_for_instructions) {
  EXPECT_NE(map_.find_executable(0x1000), nullptr);
  EXPECT_EQ(map_.find_executable(0x2000), nullptr);
}

TEST_F(MemoryMapTest, a_window_holds_what_is_aligned_and_ends_within_it) {
  const MemoryMap::Window& window = *map_.find(0x2000);
  std::uint32_t offset = 0;
  EXPECT_TRUE(window.holds<std::uint32_t>(0x200c, offset));
  EXPECT_FALSE(window.holds<std::uint32_t>(0x200d, offset));
  EXPECT_FALSE(window.holds<std::uint32_t>(0x200e, offset));
  EXPECT_FALSE(window.holds<std::uint32_t>(0x2010, offset));
  EXPECT_FALSE(window.holds<std::uint32_t>(0x1ffc, offset));
  EXPECT_TRUE(window.holds<std::uint16_t>(0x200e, offset));
  EXPECT_FALSE(window.holds<std::uint16_t>(0x200f, offset));
  EXPECT_TRUE(window.holds<std::uint8_t>(0x200f, offset));
  EXPECT_FALSE(window.holds<std::uint8_t>(0x2010, offset));
}

TEST_F(MemoryMapTest, a_store_overlaps_decoded_code_by_any_of_its_halfwords) {
  const MemoryMap::Window& window = *map_.find(0x1000);
  window.marks[3] = 1;  // bytes 6 and 7
  EXPECT_TRUE(window.marked<std::uint32_t>(4));
  EXPECT_FALSE(window.marked<std::uint32_t>(8));
  EXPECT_FALSE(window.marked<std::uint16_t>(4));
  EXPECT_TRUE(window.marked<std::uint16_t>(6));
  EXPECT_FALSE(window.marked<std::uint8_t>(5));
  EXPECT_TRUE(window.marked<std::uint8_t>(7));
}

TEST_F(MemoryMapTest, the_last_bytes_of_the_address_space_can_be_memory) {
  const MemoryMap map{{{0xfffffff0, 16, ram_.data(), true, true}}};
  std::uint32_t offset = 0;
  EXPECT_TRUE(map.for_load(0xfffffffc).holds<std::uint32_t>(0xfffffffc, offset));
  EXPECT_EQ(map.find(0), nullptr);
}

TEST_F(MemoryMapTest, memory_left_to_the_bus_holds_no_data_until_it_is_taken_back) {
  std::uint32_t offset = 0;
  for (int twice = 0; twice < 2; ++twice) map_.leave_to_bus(0x2004, true);
  EXPECT_TRUE(map_.is_left(0x1000)) << "lies in the same piece";
  EXPECT_FALSE(map_.is_left(0x2000 + MemoryMap::kPieceBytes));
  EXPECT_FALSE(map_.for_load(0x2004).holds<std::uint32_t>(0x2004, offset));
  EXPECT_FALSE(map_.for_store(0x2004).holds<std::uint32_t>(0x2004, offset));
  EXPECT_NE(map_.find_executable(0x1000), nullptr);
  for (int twice = 0; twice < 2; ++twice) map_.leave_to_bus(0x2000, false);
  EXPECT_FALSE(map_.is_left(0x2004));
  EXPECT_TRUE(map_.for_load(0x1004).holds<std::uint32_t>(0x1004, offset) ||
              map_.for_load(0x2004).holds<std::uint32_t>(0x2004, offset));
  EXPECT_TRUE(map_.for_store(0x2004).holds<std::uint32_t>(0x2004, offset));
}

class MemoryPages : public ::testing::Test {
 protected:
  static constexpr std::uint32_t kPage = PageTable::kPageBytes;

  alignas(4) std::array<std::uint8_t, 2 * kPage> ram_{};
  alignas(4) std::array<std::uint8_t, kPage> code_{};
  alignas(4) std::array<std::uint8_t, kPage> flash_{};
  // The region of RAM begins in the middle of a page, and so it ends.
  MemoryMap map_{{{0x20000800, 2 * kPage, ram_.data(), true, false},
                  {0x30000000, kPage, code_.data(), true, true},
                  {0x40000000, kPage, flash_.data(), false, true}}};
};

TEST_F(MemoryPages, are_memory_from_end_to_end) {
  for (const PageTable* pages : {&map_.load_pages(), &map_.store_pages()}) {
    EXPECT_EQ(pages->find<std::uint8_t>(0x20000fff), nullptr);
    EXPECT_EQ(pages->find<std::uint8_t>(0x20001000), ram_.data() + 0x800);
    EXPECT_EQ(pages->find<std::uint8_t>(0x20001fff), ram_.data() + 0x17ff);
    EXPECT_EQ(pages->find<std::uint8_t>(0x20002000), nullptr);
    EXPECT_EQ(pages->find<std::uint8_t>(0x50000000), nullptr);
  }
}

TEST_F(MemoryPages, give_what_is_aligned_and_lies_in_one) {
  const PageTable& pages = map_.load_pages();
  EXPECT_EQ(pages.find<std::uint16_t>(0x20001001), nullptr);
  EXPECT_NE(pages.find<std::uint16_t>(0x20001002), nullptr);
  EXPECT_EQ(pages.find<std::uint32_t>(0x20001002), nullptr);
  EXPECT_NE(pages.find<std::uint32_t>(0x20001ffc), nullptr);
  EXPECT_NE(pages.find_words(0x20001ff8, 8), nullptr);
  EXPECT_EQ(pages.find_words(0x20001ffc, 8), nullptr);
  EXPECT_EQ(pages.find_words(0x20001ff2, 8), nullptr);
}

TEST_F(MemoryPages, are_stored_to_where_nothing_is_executed) {
  EXPECT_NE(map_.load_pages().find<std::uint32_t>(0x30000000), nullptr);
  EXPECT_EQ(map_.store_pages().find<std::uint32_t>(0x30000000), nullptr);
  EXPECT_NE(map_.load_pages().find<std::uint32_t>(0x40000000), nullptr);
  EXPECT_EQ(map_.store_pages().find<std::uint32_t>(0x40000000), nullptr);
}

TEST_F(MemoryPages, are_not_known_while_they_are_left_to_the_bus) {
  map_.leave_to_bus(0x20001234, true);
  EXPECT_EQ(map_.load_pages().find<std::uint32_t>(0x20001000), nullptr);
  EXPECT_EQ(map_.store_pages().find<std::uint32_t>(0x20001000), nullptr);
  EXPECT_NE(map_.load_pages().find<std::uint32_t>(0x30000000), nullptr);
  map_.leave_to_bus(0x20000800, false);
  EXPECT_NE(map_.load_pages().find<std::uint32_t>(0x20001000), nullptr);
  EXPECT_NE(map_.store_pages().find<std::uint32_t>(0x20001000), nullptr);
}

TEST_F(MemoryPages, are_not_loaded_from_where_loads_are_slow) {
  std::uint32_t offset = 0;
  EXPECT_FALSE(map_.slow().holds<std::uint32_t>(0x40000004, offset));
  map_.load_slowly(0x40000000, kPage);
  EXPECT_EQ(map_.load_pages().find<std::uint32_t>(0x40000000), nullptr);
  EXPECT_FALSE(map_.for_load(0x40000000).holds<std::uint32_t>(0x40000000, offset));
  EXPECT_TRUE(map_.slow().holds<std::uint32_t>(0x40000004, offset));
  EXPECT_NE(map_.load_pages().find<std::uint32_t>(0x30000000), nullptr);
  for (const bool leave : {true, false}) map_.leave_to_bus(0x40000000, leave);
  EXPECT_EQ(map_.load_pages().find<std::uint32_t>(0x40000000), nullptr);
}

TEST_F(MemoryMapTest, regions_that_break_the_rules_are_refused) {
  const auto made = [](const std::vector<MemoryRegion>& regions) { return MemoryMap(regions).count(); };
  EXPECT_THROW(made({{0x1002, 16, ram_.data(), true, true}}), std::logic_error);
  EXPECT_THROW(made({{0x1000, 0, ram_.data(), true, true}}), std::logic_error);
  EXPECT_THROW(made({{0x1000, 16, nullptr, true, true}}), std::logic_error);
  EXPECT_THROW(made({{0xfffffff8, 16, ram_.data(), true, true}}), std::logic_error);
  EXPECT_THROW(made({{0x1000, 16, ram_.data(), true, true}, {0x100c, 16, flash_.data(), true, true}}),
               std::logic_error);
  EXPECT_EQ(made({{0x1000, 16, ram_.data(), true, true}, {0x1010, 16, flash_.data(), true, true}}), 2U);
}

TEST_F(MemoryMapTest, slow_stores_find_memory_by_a_look_alone) {
  std::uint32_t offset = 0;
  EXPECT_TRUE(map_.for_store(0x2004).holds<std::uint32_t>(0x2004, offset));
  map_.store_slowly(true);
  map_.store_slowly(true);
  EXPECT_FALSE(map_.for_store(0x2004).holds<std::uint32_t>(0x2004, offset));
  EXPECT_EQ(map_.store_pages().find<std::uint32_t>(0x2004), nullptr);
  EXPECT_EQ(map_.find_writable(0x2004)->bytes, ram_.data());
  EXPECT_TRUE(map_.for_load(0x2004).holds<std::uint32_t>(0x2004, offset));
  map_.store_slowly(false);
  EXPECT_TRUE(map_.for_store(0x2004).holds<std::uint32_t>(0x2004, offset));
}

}  // namespace
}  // namespace ftlab::iss
