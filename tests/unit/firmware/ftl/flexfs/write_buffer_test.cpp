#include "firmware/ftl/flexfs/write_buffer.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace ftlab::flexfs {
namespace {

class WriteBufferTest : public testing::Test {
 protected:
  WriteBufferTest() {
    buffer_.attach(page_);
    buffer_.clear();
    buffer_.begin(7, 3, true);
  }
  void put(std::uint32_t at, std::uint32_t length, int value) {
    const std::vector<std::byte> part(length, static_cast<std::byte>(value));
    buffer_.put(at, part);
  }
  [[nodiscard]] int at(std::uint32_t offset) const { return static_cast<int>(buffer_.data()[offset]); }

  std::array<std::byte, 64> page_{};
  WriteBuffer buffer_;
};

TEST_F(WriteBufferTest, holds_the_page_it_was_begun_for) {
  EXPECT_TRUE(buffer_.holds(7));
  EXPECT_FALSE(buffer_.holds(8));
  buffer_.clear();
  EXPECT_TRUE(buffer_.empty());
  EXPECT_FALSE(buffer_.holds(WriteBuffer::kEmpty));
}

TEST_F(WriteBufferTest, adjoining_parts_make_the_page_whole) {
  put(0, 32, 1);
  EXPECT_FALSE(buffer_.complete());
  EXPECT_TRUE(buffer_.fits(32, 32));
  put(32, 32, 2);
  EXPECT_TRUE(buffer_.whole());
  EXPECT_EQ(at(31), 1);
  EXPECT_EQ(at(32), 2);
}

TEST_F(WriteBufferTest, a_part_apart_needs_the_old_content_first) {
  put(0, 8, 1);
  EXPECT_FALSE(buffer_.fits(16, 8));
  EXPECT_FALSE(buffer_.covers(16, 8));
  const std::array<std::byte, 64> old{};
  buffer_.fill(old);
  EXPECT_TRUE(buffer_.fits(16, 8));
  EXPECT_TRUE(buffer_.covers(0, 64));
  put(16, 8, 2);
  EXPECT_FALSE(buffer_.whole()) << "filled up is not written whole";
  EXPECT_EQ(at(7), 1);
  EXPECT_EQ(at(8), 0);
  EXPECT_EQ(at(16), 2);
}

TEST_F(WriteBufferTest, the_old_content_goes_around_the_new) {
  put(8, 8, 1);
  std::array<std::byte, 64> old{};
  old.fill(std::byte{9});
  buffer_.fill(old);
  EXPECT_EQ(at(7), 9);
  EXPECT_EQ(at(8), 1);
  EXPECT_EQ(at(15), 1);
  EXPECT_EQ(at(16), 9);
}

TEST_F(WriteBufferTest, overlapping_parts_keep_the_newer) {
  put(8, 16, 1);
  put(4, 8, 2);
  EXPECT_EQ(at(4), 2);
  EXPECT_EQ(at(11), 2);
  EXPECT_EQ(at(12), 1);
  EXPECT_TRUE(buffer_.covers(4, 20));
  EXPECT_FALSE(buffer_.covers(3, 2));
}

}  // namespace
}  // namespace ftlab::flexfs
