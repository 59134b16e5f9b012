// Read disturb over power losses at the limit of a part, for FlexFS: what a loss takes of the counts of reads is made
// up for, so that data are moved in time however short the sessions are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "firmware/port/refresh_limits.h"
#include "tests/fixtures/flexfs_fixture.h"

namespace ftlab::tests {
namespace {

class NandReads : public testing::Test {
 protected:
  using Session = FlexFsSession;
  static constexpr std::uint32_t kLimit = RefreshLimits{}.reads;

  NandReads() {
    Session session(flash_, config_);
    EXPECT_EQ(session->format(0), FtlStatus::ok);
    for (std::uint64_t page = 0; page < session->capacity_bytes() / 512; ++page) {
      const std::vector<std::byte> data(512, page == 0 ? kMark : std::byte{7});
      EXPECT_EQ(session->write(page * 512, data, {}, 0), FtlStatus::ok);
    }
    EXPECT_EQ(session->flush(0), FtlStatus::ok);
    // What else a mount moves has been moved.
    for (int mounts = 0; mounts < 2; ++mounts) {
      flash_.power_cycle();
      Session again(flash_, config_);
      EXPECT_EQ(again->mount(0), FtlStatus::ok);
      rest(again);
    }
  }

  static FlexFsConfig config() {
    FlexFsConfig config = small_flexfs("la");
    config.checkpoint_every = 100;
    // Nothing else moves data in idle time.
    config.background_migration = config.background_cleaning = false;
    return config;
  }
  static constexpr std::byte kMark{0xA5};
  /// Where copies of page 0 lie.
  [[nodiscard]] std::vector<std::uint32_t> segments() {
    std::vector<std::uint32_t> found;
    for (std::uint32_t segment = 0; segment < flash_.geometry().segments; ++segment) {
      const auto& data = flash_.at_rest(segment).data;
      for (std::size_t page = 0; page < data.size(); page += 512)
        if (data[page] == kMark && data[page + 511] == kMark) found.push_back(segment);
    }
    return found;
  }
  void read(Session& session, std::uint32_t times) {
    std::vector<std::byte> data(512);
    for (; times > 0; --times) ASSERT_EQ(session->read(0, data, now_ns_), FtlStatus::ok);
  }
  void rest(Session& session) {
    const std::uint64_t until = now_ns_ + 3'600'000'000'000;
    for (std::uint32_t steps = 0; steps < 1000 && now_ns_ < until; ++steps) {
      const std::uint64_t next = session->idle(now_ns_, until);
      if (next == kNoIdleWork) break;
      now_ns_ = next > now_ns_ ? next : now_ns_ + 1000;
    }
    now_ns_ = until;
  }
  /// How often page 0 was read, in so many reads a session, before it was moved.
  std::uint32_t reads_until_moved(std::uint32_t a_session) {
    const std::vector<std::uint32_t> before = segments();
    for (std::uint32_t reads = 0; reads < 2 * kLimit;) {
      flash_.power_cycle();
      Session session(flash_, config_);
      EXPECT_EQ(session->mount(now_ns_), FtlStatus::ok);
      read(session, a_session);
      reads += a_session;
      rest(session);
      if (!std::ranges::includes(before, segments())) return reads;
    }
    return UINT32_MAX;
  }

  EmulatedNand flash_{small_nand()};
  FlexFsConfig config_ = config();
  std::uint64_t now_ns_ = 1;
};

TEST_F(NandReads, of_many_short_sessions_move_the_data_in_time) {
  const std::uint32_t reads = reads_until_moved(700);
  // Each session counts as if it had lost what one may lose.
  EXPECT_GE(reads, kLimit / 4);
  EXPECT_LE(reads, kLimit);
}

TEST_F(NandReads, of_the_shortest_sessions_that_are_recorded_move_the_data_in_time) {
  EXPECT_LE(reads_until_moved(unrecorded_reads_after_mount(kLimit) + 1), kLimit);
}

TEST_F(NandReads, of_one_long_session_move_the_data_as_late_as_they_may) {
  // The mounts before have been counted with, too.
  const std::uint32_t a_session = kLimit - 4 * unrecorded_reads(kLimit);
  EXPECT_EQ(reads_until_moved(a_session), 2 * a_session) << "moved in the second session";
}

}  // namespace
}  // namespace ftlab::tests
