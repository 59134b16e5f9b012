#include "platform/measure/overwrites.h"

#include <gmock/gmock.h>

namespace ftlab::platform {
namespace {

constexpr std::uint64_t kPages = 100;

/// One overwrite of 100 pages after the other, with so many copies each.
class WrittenDevice {
 public:
  void overwrite(Overwrites& seen, std::uint64_t copies) {
    for (std::uint64_t page = 0; page < kPages; ++page) {
      ++stats_.pages_written;
      stats_.pages_copied += page == 0 ? copies : 0;
      seen.see(stats_);
    }
  }
  void begin(Overwrites& seen) { seen.see(stats_); }

 private:
  FtlStats stats_;
};

TEST(Overwrites, amplification_is_that_of_each_whole_one) {
  Overwrites seen(kPages);
  WrittenDevice device;
  device.begin(seen);
  for (const std::uint64_t copies : {0, 50, 200}) device.overwrite(seen, copies);
  EXPECT_THAT(seen.amplification(), testing::ElementsAre(1.0, 1.5, 3.0));
}

TEST(Overwrites, measured_ones_are_compared_with_the_last_before_them) {
  Overwrites seen(kPages);
  WrittenDevice device;
  device.begin(seen);
  device.overwrite(seen, 900);
  device.overwrite(seen, 100);
  seen.begin_measuring();
  EXPECT_FALSE(seen.drift().has_value()) << "none is measured yet";
  device.overwrite(seen, 110);
  device.overwrite(seen, 130);
  ASSERT_TRUE(seen.drift().has_value());
  EXPECT_NEAR(*seen.drift(), 0.1, 1e-12);
}

TEST(Overwrites, without_one_before_the_last_is_compared_with_the_first) {
  Overwrites seen(kPages);
  WrittenDevice device;
  device.begin(seen);
  seen.begin_measuring();
  device.overwrite(seen, 100);
  EXPECT_FALSE(seen.drift().has_value());
  device.overwrite(seen, 500);
  device.overwrite(seen, 200);
  ASSERT_TRUE(seen.drift().has_value());
  EXPECT_NEAR(*seen.drift(), 0.5, 1e-12);
}

TEST(Overwrites, of_nothing_there_are_none) {
  Overwrites seen;
  FtlStats stats;
  stats.pages_written = 1000;
  seen.see(stats);
  EXPECT_TRUE(seen.amplification().empty());
  EXPECT_FALSE(seen.drift().has_value());
}

TEST(Overwrites, go_on_where_counters_start_over) {
  Overwrites overwrites(100);
  overwrites.see({});
  FtlStats first;
  first.pages_written = 60;
  first.pages_copied = 30;
  overwrites.see(first);
  overwrites.start_over(first);
  FtlStats second;
  second.pages_written = 39;
  second.pages_copied = 80;
  overwrites.see(second);
  EXPECT_TRUE(overwrites.amplification().empty());
  second.pages_written = 40;
  overwrites.see(second);
  ASSERT_EQ(overwrites.amplification().size(), 1U);
  EXPECT_DOUBLE_EQ(overwrites.amplification()[0], 2.1);
}

}  // namespace
}  // namespace ftlab::platform
