// Against the plainest model: a list of what was put, in its order.
#include "firmware/volume/in_flight/write_buffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/fixtures/dice.h"

namespace ftlab::volume {
namespace {

constexpr std::uint32_t kTags = 24;
constexpr std::uint32_t kRoom = 5;
constexpr std::uint32_t kPages = 40;  ///< more than buckets

struct Put {
  std::uint16_t tag;
  std::uint32_t lpn;
  bool answered;
  bool found;
};

class WriteBufferTest : public testing::Test {
 protected:
  WriteBufferTest() : memory_(4096) {
    Arena arena(memory_.data(), memory_.size());
    buffer_.layout(arena, kTags);
    EXPECT_TRUE(arena.fits());
    buffer_.clear();
  }
  void put(std::uint16_t tag, std::uint32_t lpn) {
    buffer_.put(tag, lpn);
    for (Put& one : puts_) one.found = one.found && one.lpn != lpn;
    puts_.push_back({tag, lpn, false, true});
  }
  void answer() {
    while (const auto tag = buffer_.take_answered()) {
      const auto first = std::ranges::find(puts_, false, &Put::answered);
      ASSERT_NE(first, puts_.end());
      EXPECT_EQ(*tag, first->tag) << "in their order";
      first->answered = true;
    }
    const auto answered = std::ranges::count(puts_, true, &Put::answered);
    EXPECT_LE(answered, kRoom);
    EXPECT_EQ(buffer_.is_waited_for(), answered < static_cast<std::ptrdiff_t>(puts_.size()));
  }
  void remove(std::size_t at) {
    EXPECT_EQ(buffer_.was_answered(puts_[at].tag), puts_[at].answered);
    buffer_.remove(puts_[at].tag);
    puts_.erase(puts_.begin() + static_cast<std::ptrdiff_t>(at));
  }
  [[nodiscard]] std::uint16_t expected(std::uint32_t lpn) const {
    for (const Put& one : puts_)
      if (one.found && one.lpn == lpn) return one.tag;
    return WriteBuffer::kNone;
  }

  std::vector<std::byte> memory_;
  WriteBuffer buffer_{kRoom};
  std::vector<Put> puts_;
};

TEST_F(WriteBufferTest, answers_in_order_as_far_as_there_is_room_and_finds_the_newest) {
  tests::Dice dice(3);
  std::vector<std::uint16_t> unused;
  for (std::uint16_t tag = 0; tag < kTags; ++tag) unused.push_back(tag);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint32_t lpn = dice.below(kPages);
    if (!unused.empty() && dice.chance(500)) {
      put(unused.back(), lpn);
      unused.pop_back();
    } else if (!puts_.empty() && dice.chance(900)) {
      const std::uint32_t at = dice.below(static_cast<std::uint32_t>(puts_.size()));
      unused.push_back(puts_[at].tag);
      remove(at);
    } else {
      buffer_.forget(lpn);
      for (Put& one : puts_) one.found = one.found && one.lpn != lpn;
    }
    answer();
    for (std::uint32_t page = 0; page < kPages; ++page) ASSERT_EQ(buffer_.find(page), expected(page)) << page;
  }
}

TEST_F(WriteBufferTest, what_has_to_be_durable_is_waited_for_and_never_answered_before) {
  buffer_.put_durable(7);
  EXPECT_TRUE(buffer_.is_waited_for());
  EXPECT_FALSE(buffer_.take_answered());
  EXPECT_FALSE(buffer_.was_answered(7));
  buffer_.remove(7);
  EXPECT_FALSE(buffer_.is_waited_for());
}

}  // namespace
}  // namespace ftlab::volume
