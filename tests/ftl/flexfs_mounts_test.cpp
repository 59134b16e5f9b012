// What a FlexFS knows again after a mount besides its pages, and what a format leaves of a volume before.
#include <gtest/gtest.h>

#include <vector>

#include "tests/fixtures/flexfs_fixture.h"

namespace ftlab::tests {
namespace {

class FlexFsMounts : public testing::Test {
 protected:
  FlexFsMounts() : flash_(roomy_part()), page_(kPage, std::byte{0x5A}) {
    config_ = small_flexfs("bm");
    config_.wear_management = true;
    config_.checkpoint_every = kEvery;
  }
  void write(FlexFsSession& session, std::uint32_t pages) {
    for (; pages > 0; --pages) {
      ASSERT_EQ(session->write(next_ * kPage, page_, {}, now_ns_), FtlStatus::ok);
      next_ = (next_ + 1) % config_.logical_pages;
    }
  }

  static constexpr std::uint64_t kSecond = 1'000'000'000;
  static constexpr std::uint32_t kPage = 512;
  static constexpr std::uint32_t kEvery = 100;
  EmulatedNand flash_;
  FlexFsConfig config_;
  std::vector<std::byte> page_;
  std::uint64_t next_ = 0;
  std::uint64_t now_ns_ = 0;
};

TEST_F(FlexFsMounts, go_on_with_the_lifetime_of_the_newest_checkpoint) {
  FlexFsSession session(flash_, config_);
  ASSERT_EQ(session->format(now_ns_), FtlStatus::ok);
  const std::uint64_t whole = session->flexfs_stats().window_budget_bytes;
  // Half of the lifetime passes, and little is written in it.
  now_ns_ = config_.lifetime_ns / 2;
  write(session, kEvery + 1);
  ASSERT_GT(session->flexfs_stats().checkpoints, 0U);
  const std::uint64_t before = session->flexfs_stats().window_budget_bytes;
  ASSERT_GT(before, whole * 3 / 2) << "what is left is for half of the windows";
  flash_.power_cycle();
  // The clock of the host begins anew.
  FlexFsSession again(flash_, config_);
  ASSERT_EQ(again->mount(0), FtlStatus::ok);
  EXPECT_NEAR(static_cast<double>(again->flexfs_stats().window_budget_bytes), static_cast<double>(before),
              0.05 * static_cast<double>(before));
}

TEST_F(FlexFsMounts, count_each_segment_that_was_written_after_the_checkpoint_as_used) {
  FlexFsSession session(flash_, config_);
  ASSERT_EQ(session->format(now_ns_), FtlStatus::ok);
  const std::uint64_t checkpoints = [&] {
    write(session, kEvery);
    return session->flexfs_stats().checkpoints;
  }();
  ASSERT_EQ(checkpoints, 1U);
  const std::uint64_t recorded = session->flexfs_stats().used_bytes;
  write(session, kEvery / 2);
  ASSERT_EQ(session->flexfs_stats().checkpoints, 1U);
  const std::uint64_t used = session->flexfs_stats().used_bytes;
  ASSERT_GT(used, recorded);
  // However often: a mount uses up nothing.
  for (int mounts = 0; mounts < 3; ++mounts) {
    flash_.power_cycle();
    FlexFsSession again(flash_, config_);
    ASSERT_EQ(again->mount(0), FtlStatus::ok);
    EXPECT_EQ(again->flexfs_stats().used_bytes, used) << mounts;
  }
}

TEST_F(FlexFsMounts, keep_the_lifetime_where_the_host_writes_too_little_for_a_checkpoint) {
  config_.checkpoint_every = 0;
  FlexFsSession session(flash_, config_);
  ASSERT_EQ(session->format(now_ns_), FtlStatus::ok);
  const std::uint64_t whole = session->flexfs_stats().window_budget_bytes;
  now_ns_ = config_.lifetime_ns / 2;
  const FlashGeometry g = flexfs_geometry(flash_);
  const std::uint32_t pages = volume::with_own_pages(flexfs::volume_of(config_, g), g).logical_pages;
  const volume::CheckpointLayout shape{pages, g.segments, g.page_bytes, g.pages_per_segment, false, true};
  const std::uint32_t enough = flexfs::kPagesForLifetime * shape.pages();
  write(session, enough - 1);
  ASSERT_EQ(session->flush(now_ns_), FtlStatus::ok);
  ASSERT_EQ(session->flexfs_stats().checkpoints, 0U) << "too little for a checkpoint";
  write(session, 1);
  ASSERT_EQ(session->flush(now_ns_), FtlStatus::ok);
  EXPECT_EQ(session->flexfs_stats().checkpoints, 1U);
  write(session, enough);
  ASSERT_EQ(session->flush(now_ns_ + kSecond), FtlStatus::ok);
  EXPECT_EQ(session->flexfs_stats().checkpoints, 1U) << "no window has passed";
  flash_.power_cycle();
  FlexFsSession again(flash_, config_);
  ASSERT_EQ(again->mount(0), FtlStatus::ok);
  EXPECT_GT(again->flexfs_stats().window_budget_bytes, whole * 3 / 2);
}

TEST_F(FlexFsMounts, a_trim_that_failed_leaves_a_page_and_what_was_buffered_of_it_together) {
  FlexFsSession session(flash_, config_);
  ASSERT_EQ(session->format(now_ns_), FtlStatus::ok);
  write(session, 4);
  const std::vector<std::byte> part(100, std::byte{7});
  ASSERT_EQ(session->write(0, part, {}, now_ns_), FtlStatus::ok);
  // From now on nothing can be programmed.
  for (std::uint32_t id = 0; id < flash_.geometry().segments; ++id) flash_.refuse(id);
  ASSERT_NE(session->trim(0, kPage, now_ns_), FtlStatus::ok);
  std::vector<std::byte> got(kPage);
  ASSERT_EQ(session->read(0, got, now_ns_), FtlStatus::ok);
  const bool trimmed_all = got == std::vector<std::byte>(kPage, std::byte{0xFF});
  EXPECT_TRUE(trimmed_all || (got[0] == std::byte{7} && got[200] == std::byte{0x5A}))
      << "what was buffered goes with the page";
}

TEST_F(FlexFsMounts, of_a_partition_find_nothing_of_a_larger_volume_before) {
  config_.checkpoint_every = 0;
  {
    FlexFsSession session(flash_, config_);
    ASSERT_EQ(session->format(now_ns_), FtlStatus::ok);
    write(session, 3 * config_.logical_pages);
  }
  FlexFsConfig partition = config_;
  partition.data_segments = 14;
  partition.logical_pages = 60;
  {
    FlexFsSession session(flash_, partition);
    ASSERT_EQ(session->format(now_ns_), FtlStatus::ok);
  }
  flash_.power_cycle();
  FlexFsSession again(flash_, partition);
  ASSERT_EQ(again->mount(0), FtlStatus::ok);
  std::vector<std::byte> got(kPage);
  for (std::uint64_t at = 0; at < again->capacity_bytes(); at += kPage) {
    ASSERT_EQ(again->read(at, got, now_ns_), FtlStatus::ok) << at;
    ASSERT_EQ(got, std::vector<std::byte>(kPage, std::byte{0xFF})) << at;
  }
}

}  // namespace
}  // namespace ftlab::tests
