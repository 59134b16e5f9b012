#include "firmware/ftl/flexfs/decide/hot_cold_queues.h"

#include <gtest/gtest.h>

#include <boost/random/mersenne_twister.hpp>
#include <vector>

namespace ftlab::flexfs {
namespace {

class HotColdQueuesTest : public testing::Test {
 protected:
  HotColdQueuesTest() : memory_(1024) {
    Arena arena(reinterpret_cast<std::byte*>(memory_.data()), memory_.size() * sizeof(std::max_align_t));
    queues_.layout(arena, 2, 3);
    EXPECT_TRUE(arena.fits());
    queues_.clear();
  }
  void write(std::uint32_t file) { queues_.touch(file, false, ++now_, forget_after_); }
  void update(std::uint32_t file) { queues_.touch(file, true, ++now_, forget_after_); }

  std::vector<std::max_align_t> memory_;
  HotColdQueues queues_;
  std::uint64_t now_ = 0;
  std::uint64_t forget_after_ = 0;
};

TEST_F(HotColdQueuesTest, a_new_file_is_cold_however_many_pages_are_written) {
  EXPECT_FALSE(queues_.is_hot(1));
  for (int i = 0; i < 1000; ++i) write(1);
  EXPECT_FALSE(queues_.is_hot(1));
  EXPECT_EQ(queues_.cold_files(), 1U);
}

TEST_F(HotColdQueuesTest, an_update_makes_a_known_file_hot) {
  write(1);
  update(1);
  EXPECT_TRUE(queues_.is_hot(1));
  EXPECT_EQ(queues_.cold_files(), 0U);
}

TEST_F(HotColdQueuesTest, a_file_already_forgotten_starts_cold_again) {
  for (std::uint32_t file = 1; file <= 4; ++file) write(file);
  update(1);
  EXPECT_FALSE(queues_.is_hot(1));
  update(1);
  EXPECT_TRUE(queues_.is_hot(1));
}

TEST_F(HotColdQueuesTest, the_hot_file_not_used_for_longest_gives_way) {
  for (std::uint32_t file = 1; file <= 3; ++file) write(file);
  update(1);
  update(2);
  update(1);
  update(3);
  EXPECT_TRUE(queues_.is_hot(1));
  EXPECT_FALSE(queues_.is_hot(2));
  EXPECT_TRUE(queues_.is_hot(3));
  EXPECT_EQ(queues_.cold_files(), 1U) << "it falls back to the cold queue, it is not forgotten";
}

TEST_F(HotColdQueuesTest, a_hot_file_cools_down_when_it_is_not_written) {
  forget_after_ = 10;
  write(1);
  update(1);
  for (int i = 0; i < 10; ++i) write(2);
  EXPECT_TRUE(queues_.is_hot(1));
  write(2);
  EXPECT_FALSE(queues_.is_hot(1));
}

TEST_F(HotColdQueuesTest, links_hold_under_random_use) {
  boost::random::mt19937 random(7);
  for (int i = 0; i < 20'000; ++i) {
    queues_.touch(random() % 12, random() % 2 == 0, ++now_, i % 3 == 0 ? 5 : 0);
    ASSERT_EQ(queues_.self_check(), nullptr) << "step " << i;
    ASSERT_LE(queues_.hot_files(), 2U);
    ASSERT_LE(queues_.cold_files(), 3U);
  }
}

}  // namespace
}  // namespace ftlab::flexfs
