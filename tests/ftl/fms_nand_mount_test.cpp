// The FMS on NAND: what a mount finds again, what it refuses, and which trims are durable.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "tests/fixtures/fms_nand_fixture.h"

namespace ftlab::tests {
namespace {

TEST(FmsNandTrim, is_undone_by_a_power_loss_only_until_the_next_flush) {
  NandVolume v;
  ASSERT_EQ(v.session->format(0), FtlStatus::ok);
  const std::vector<std::byte> data(512, std::byte{7});
  std::vector<std::byte> got(512);
  for (const std::uint32_t lpn : {0U, 1U}) ASSERT_EQ(v.session->write(lpn * 512U, data, {}, 0), FtlStatus::ok);
  ASSERT_EQ(v.session->trim(0, 512, 0), FtlStatus::ok);
  const std::uint64_t before = v.flash.programs();
  ASSERT_EQ(v.session->flush(0), FtlStatus::ok);
  EXPECT_GT(v.flash.programs(), before);
  const std::uint64_t after = v.flash.programs();
  ASSERT_EQ(v.session->flush(0), FtlStatus::ok);
  EXPECT_EQ(v.flash.programs(), after) << "a flush with nothing to keep writes nothing";
  ASSERT_EQ(v.session->trim(512, 512, 0), FtlStatus::ok);
  FmsSession next(v.flash, v.config);
  ASSERT_EQ(next->mount(0), FtlStatus::ok);
  ASSERT_EQ(next->read(0, got, 0), FtlStatus::ok);
  EXPECT_EQ(got, std::vector<std::byte>(512, std::byte{0xFF}));
  ASSERT_EQ(next->read(512, got, 0), FtlStatus::ok);
  EXPECT_EQ(got, data);
}

TEST(FmsNandTrim, is_durable_once_flushed_although_the_volume_is_read_only) {
  int trimmed_last = 0;
  for (std::uint32_t pages = 240; pages < 270; ++pages) {
    EmulatedNandOptions part = small_nand();
    part.endurance = 8;
    FmsConfig config = nand_config(pages);
    config.idle_cleaning = true;
    config.idle_water = 6;
    config.idle_min_ns = 1;
    NandVolume v(part, config);
    ASSERT_EQ(v.session->format(0), FtlStatus::ok);
    const std::vector<std::byte> data(512, std::byte{7});
    bool trimmed = false;
    for (std::uint64_t i = 0;; ++i) {
      if (v.session->write(512 * (1 + i * 7 % (pages - 1)), data, {}, i) != FtlStatus::ok) break;
      if (v.session->write(0, data, {}, i) != FtlStatus::ok) break;
      trimmed = false;
      if (v.session->trim(0, 512, i) != FtlStatus::ok) break;
      trimmed = true;
      (void)v.session->idle(i, i + 10);
    }
    ASSERT_EQ(v.session->write(512, data, {}, 0), FtlStatus::read_only) << pages;
    const FtlStatus answer = v.session->flush(0);
    EXPECT_TRUE(answer == FtlStatus::ok || answer == FtlStatus::read_only) << pages;
    if (answer != FtlStatus::ok || !trimmed) continue;
    FmsSession next(v.flash, v.config);
    ASSERT_EQ(next->mount(0), FtlStatus::ok) << pages;
    std::vector<std::byte> got(512);
    ASSERT_EQ(next->read(0, got, 0), FtlStatus::ok) << pages;
    EXPECT_EQ(got, std::vector<std::byte>(512, std::byte{0xFF})) << pages;
    ++trimmed_last;
  }
  EXPECT_GT(trimmed_last, 10);
}

TEST(FmsNandMount, of_a_blank_part_says_not_formatted_and_of_another_layout_bad_config) {
  EmulatedNand flash(small_nand());
  FmsSession session(flash, nand_config());
  EXPECT_EQ(session->mount(0), FtlStatus::not_formatted);
  ASSERT_EQ(session->format(0), FtlStatus::ok);
  EXPECT_EQ(FmsSession(flash, nand_config(160))->mount(0), FtlStatus::bad_config);
}

TEST(FmsNandMount, soon_after_format_outlives_any_lost_page_of_the_checkpoints) {
  for (const std::uint32_t segment : {0U, 1U}) {
    for (std::uint32_t page = 0; page < 8; ++page) {
      NandVolume v;
      ASSERT_EQ(v.session->format(0), FtlStatus::ok);
      v.flash.lose_page(segment, page);
      EXPECT_EQ(FmsSession(v.flash, v.config)->mount(0), FtlStatus::ok) << segment << " page " << page;
      // One page of each: not whole, but never taken for a new part.
      v.flash.lose_page(1 - segment, page);
      const FtlStatus both = FmsSession(v.flash, v.config)->mount(0);
      EXPECT_TRUE(both == FtlStatus::ok || both == FtlStatus::read_failed) << segment << " page " << page;
    }
  }
}

TEST(FmsNandMount, keeps_ages_of_years_when_the_age_clock_is_time) {
  constexpr std::uint64_t kYear = 31'556'952'000'000'000;
  FmsConfig config = nand_config();
  config.age_clock = FmsConfig::AgeClock::time;
  EmulatedNand flash(small_nand());
  const std::vector<std::byte> page(512, std::byte{7});
  const auto newest_stamp = [&flash] {
    std::uint64_t newest = 0;
    const EmulatedNand::Image image = flash.snapshot();
    for (std::size_t s = 2; s < image.segments.size(); ++s)
      for (std::size_t at = 0; at < image.segments[s]->spare.size(); at += sizeof(nand::OobTag)) {
        nand::OobTag spare;
        std::memcpy(&spare, image.segments[s]->spare.data() + at, sizeof spare);
        nand::PageMetadata record;
        if (decode(spare, 1, record)) newest = std::max(newest, record.stamp);
      }
    return newest;
  };
  {
    FmsSession session(flash, config);
    ASSERT_EQ(session->format(0), FtlStatus::ok);
    ASSERT_EQ(session->write(0, page, {}, kYear), FtlStatus::ok);
    EXPECT_EQ(newest_stamp(), kYear >> 20);
  }
  FmsSession next(flash, config);
  ASSERT_EQ(next->mount(0), FtlStatus::ok);
  ASSERT_EQ(next->write(512, page, {}, kYear), FtlStatus::ok);
  EXPECT_NEAR(static_cast<double>(newest_stamp()), static_cast<double>(2 * kYear >> 20), 1)
      << "the clock goes on where it stopped, whatever the host's says";
  config.age_clock = FmsConfig::AgeClock::writes;
  EXPECT_EQ(FmsSession(flash, config)->mount(0), FtlStatus::bad_config) << "stamps of another kind";
}

TEST(FmsNandMount, resumes_no_stream_that_the_configuration_does_not_write_to) {
  NandVolume v;
  v.config.trigger = "partition_full";
  v.config.selection = "partition_fifo";
  v.config.redistribution = "locality_gathering";
  v.config.shared.partitions = 4;
  const auto open_segments = [&](const FmsConfig& config) {
    FmsSession session(v.flash, config);
    EXPECT_EQ(session->config_error(), nullptr);
    EXPECT_EQ(session->mount(0), FtlStatus::ok);
    EXPECT_EQ(v.oracle.check_mounted(*session), "");
    std::uint32_t open = 0;
    for (std::uint32_t id = 0; id < session->segments(); ++id)
      open += session->segment(SegmentId{id}).state == SegmentState::open ? 1 : 0;
    return open;
  };
  {
    FmsSession session(v.flash, v.config);
    ASSERT_EQ(session->config_error(), nullptr);
    ASSERT_EQ(session->format(0), FtlStatus::ok);
    for (int i = 0; i < 600; ++i) ASSERT_EQ(v.host.step(*session, v.oracle), FtlStatus::ok);
  }
  EXPECT_GE(open_segments(v.config), 3U);
  FmsConfig one = nand_config();
  one.redistribution = "sequential";
  EXPECT_LE(open_segments(one), 1U) << "there is a buffer for one, and the swap's";
}

TEST(FmsNandMount, every_segment_keeps_its_stream) {
  FmsConfig config = nand_config();
  config.trigger = "partition_full";
  config.selection = "partition_fifo";
  config.redistribution = "locality_preservation";
  config.shared.partitions = 8;
  EmulatedNandOptions part = small_nand();
  part.segments += 16;
  NandVolume v(part, config);
  ASSERT_EQ(v.session->config_error(), nullptr);
  ASSERT_EQ(v.session->format(0), FtlStatus::ok);
  for (int i = 0; i < 400; ++i) ASSERT_EQ(v.host.step(*v.session, v.oracle), FtlStatus::ok);
  FmsSession again(v.flash, config);
  ASSERT_EQ(again->mount(0), FtlStatus::ok);
  std::uint32_t largest = 0;
  for (std::uint32_t id = 0; id < again->segments(); ++id) {
    const SegmentInfo before = v.session->segment(SegmentId{id});
    if (before.valid_pages == 0) continue;
    EXPECT_EQ(again->segment(SegmentId{id}).stream, before.stream) << id;
    largest = std::max(largest, before.stream);
  }
  EXPECT_EQ(largest, 8U) << "partition 7";
}

TEST(FmsNandMount, keeps_erase_counts_of_everything_that_is_in_use) {
  NandVolume v;
  ASSERT_EQ(v.session->format(0), FtlStatus::ok);
  for (int i = 0; i < 700; ++i) ASSERT_EQ(v.host.step(*v.session, v.oracle), FtlStatus::ok) << "request " << i;
  FmsSession next(v.flash, v.config);
  ASSERT_EQ(next->mount(0), FtlStatus::ok);
  for (std::uint32_t s = 0; s < next->segments(); ++s)
    if (next->segment(SegmentId{s}).state == SegmentState::sealed ||
        next->segment(SegmentId{s}).state == SegmentState::open) {
      EXPECT_EQ(next->segment(SegmentId{s}).erase_count, v.flash.erase_count(s)) << s;
    }
}

}  // namespace
}  // namespace ftlab::tests
