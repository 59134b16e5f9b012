// What the FMS promises beside keeping data: sizes, placement, water marks, idle, work counted.
#include <gtest/gtest.h>

#include <vector>

#include "firmware/base/random.h"
#include "tests/fixtures/counting_probe.h"
#include "tests/fixtures/fms_fixture.h"
#include "tests/fixtures/page_ledger.h"

namespace ftlab::tests {
namespace {

/// Of small_config().
constexpr std::uint32_t kPage = 256;

std::vector<std::byte> page_of(std::uint32_t value, std::size_t bytes = kPage) {
  return std::vector<std::byte>(bytes, static_cast<std::byte>(value));
}

void fill(Ftl& fms) {
  for (std::uint32_t lpn = 0; lpn < fms.capacity_bytes() / fms.page_bytes(); ++lpn)
    ASSERT_EQ(fms.write(std::uint64_t{lpn} * fms.page_bytes(), page_of(1, fms.page_bytes()), {}, 0), FtlStatus::ok);
}

TEST(FmsSizes, a_4_kib_page_leaves_31_data_slots_in_a_128_kib_segment) {
  EmulatedFlash flash(paper_card());
  FmsVolume config;
  EXPECT_EQ(geometry_of(flash, config).pages_per_segment, 31U);
  config.page_bytes = 1024;
  EXPECT_EQ(geometry_of(flash, config).pages_per_segment, 125U);
}

TEST(FmsMount, of_a_blank_medium_finds_no_page) {
  EmulatedFlash flash(small_part());
  FmsSession session(flash, small_config());
  EXPECT_EQ(session->mount(0), FtlStatus::ok);
  std::vector<std::byte> got(kPage);
  EXPECT_EQ(session->read(0, got, 0), FtlStatus::ok);
  EXPECT_EQ(got, page_of(0xFF));
}

TEST(FmsRequests, trim_unmaps_whole_pages_only_and_they_read_as_ones_after_mount) {
  EmulatedFlash flash(small_part());
  FmsSession session(flash, small_config());
  ASSERT_EQ(session->format(0), FtlStatus::ok);
  ASSERT_EQ(session->write(0, page_of(7, 1024), {}, 0), FtlStatus::ok);
  ASSERT_EQ(session->trim(100, 512, 0), FtlStatus::ok);  // bytes 100..611: page 1 whole, pages 0 and 2 in part
  EXPECT_EQ(session->stats().pages_trimmed, 1U);
  FmsSession next(flash, small_config());
  ASSERT_EQ(next->mount(0), FtlStatus::ok);
  std::vector<std::byte> got(1024);
  ASSERT_EQ(next->read(0, got, 0), FtlStatus::ok);
  for (std::size_t i = 0; i < 1024; ++i) EXPECT_EQ(got[i], i / 256 == 1 ? std::byte{0xFF} : std::byte{7}) << i;
}

TEST(FmsPlacement, read_only_pages_have_segments_of_their_own_through_cleaning) {
  FmsVolume config = small_config();
  config.logical_pages = 60;
  config.read_only_placement = "apart";
  EmulatedFlash flash(small_part());
  FmsSession session(flash, config);
  ASSERT_EQ(session->config_error(), nullptr);
  ASSERT_EQ(session->format(0), FtlStatus::ok);
  for (std::uint32_t lpn = 0; lpn < 60; ++lpn)
    ASSERT_EQ(session->write(lpn * 256U, page_of(1), {.stream = 0, .read_only = lpn % 4 == 0}, 0), FtlStatus::ok);
  for (std::uint32_t i = 0; i < 600; ++i)
    if (i % 60 % 4 != 0) {
      ASSERT_EQ(session->write(i % 60 * 256U, page_of(2), {}, 0), FtlStatus::ok);
    }
  std::uint32_t read_only_pages = 0;
  for (std::uint32_t s = 1; s < session->segments(); ++s)
    if (session->segment(SegmentId{s}).stream == fms::kReadOnly && session->segment(SegmentId{s}).valid_pages > 0)
      read_only_pages += session->segment(SegmentId{s}).valid_pages;
  EXPECT_EQ(read_only_pages, 15U);
  EXPECT_GT(session->stats().erases, 0U);
}

TEST(FmsCleaning, leaves_as_many_free_segments_as_the_low_water_mark) {
  for (const std::uint32_t water : {1U, 2U, 4U}) {
    FmsVolume config = small_config();
    config.logical_pages = 60;
    config.low_water = config.high_water = water;
    EmulatedFlash flash(small_part());
    FmsSession session(flash, config);
    ASSERT_EQ(session->format(0), FtlStatus::ok);
    for (std::uint32_t i = 0; i < 500; ++i)
      ASSERT_EQ(session->write(i * 7 % 60 * 256U, page_of(3), {}, 0), FtlStatus::ok);
    std::uint32_t free = 0;
    for (std::uint32_t s = 0; s < session->segments(); ++s)
      free += session->segment(SegmentId{s}).state == SegmentState::free ? 1U : 0U;
    EXPECT_EQ(free, std::max(water, 2U)) << "one for copies, and one more";
  }
}

/// As Table 7 of the papers says of MFFS.
TEST(FmsCleaning, of_mffs_leaves_a_log_without_holes) {
  FmsVolume config = small_config();
  config.trigger = "no_free_space";
  config.logical_pages = 70;
  EmulatedFlash flash(small_part());
  FmsSession session(flash, config);
  ASSERT_EQ(session->format(0), FtlStatus::ok);
  fill(*session);
  const std::uint32_t slots = geometry_of(flash, config).pages_per_segment;
  Random random(5);
  for (std::uint32_t i = 0; i < 1000; ++i) {
    ASSERT_EQ(session->write(random.below(70) * 256U, page_of(6), {}, 0), FtlStatus::ok);
    std::uint64_t consumed = session->stats().cleanings * slots;
    std::uint32_t partly_filled = 0;
    for (std::uint32_t id = 1; id < session->segments(); ++id) {
      const SegmentInfo info = session->segment(SegmentId{id});
      if (info.state == SegmentState::free) continue;
      consumed += info.used_pages;
      partly_filled += info.used_pages < slots ? 1 : 0;
    }
    ASSERT_EQ(consumed, session->stats().pages_written + session->stats().pages_copied) << "write " << i;
    ASSERT_LE(partly_filled, 1U) << "write " << i;
  }
  EXPECT_GT(session->stats().pages_copied, 100U);
}

TEST(FmsIdle, what_it_cleans_is_booked_as_cleaning) {
  FmsVolume config = small_config();
  config.logical_pages = 60;
  config.idle_cleaning = true;
  config.idle_water = 5;
  EmulatedFlash flash(small_part());
  CountingProbe probe;
  FmsSession session(flash, config, &probe);
  ASSERT_EQ(session->format(0), FtlStatus::ok);
  for (std::uint32_t i = 0; i < 100; ++i)
    ASSERT_EQ(session->write(i * 7 % 60 * 256U, page_of(3), {}, 0), FtlStatus::ok);
  // The host says that it idles; what the firmware does meanwhile is its own.
  const CauseScope idle(probe, Cause::idle);
  const std::uint64_t before = probe.of(Cause::clean, Work::segment_clean);
  while (session->idle(0, 10'000'000'000) == 0) {
  }
  EXPECT_GT(probe.of(Cause::clean, Work::segment_clean), before);
  EXPECT_EQ(probe.of(Cause::idle, Work::segment_clean), 0U);
  EXPECT_EQ(probe.cause(), Cause::idle);
}

TEST(FmsWork, each_page_and_cleaning_is_counted_and_the_cause_is_restored) {
  FmsVolume config = small_config();
  config.logical_pages = 70;
  config.selection = "cat";
  config.redistribution = "fine_grained";
  EmulatedFlash flash(small_part());
  CountingProbe probe;
  FmsSession session(flash, config, &probe);
  ASSERT_EQ(session->format(0), FtlStatus::ok);
  fill(*session);
  std::uint64_t cleanings_that_copied = 0;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const std::uint64_t copied = session->stats().pages_copied;
    const std::uint64_t cleanings = session->stats().cleanings;
    ASSERT_EQ(session->write(i * 37 % 70 * 256U, page_of(6), {}, 0), FtlStatus::ok);
    if (session->stats().cleanings == cleanings + 1 && session->stats().pages_copied > copied) ++cleanings_that_copied;
  }
  EXPECT_EQ(probe.of(Work::request), 1070U);
  EXPECT_EQ(probe.of(Work::page_write), 1070U);
  EXPECT_EQ(probe.of(Work::page_copy), session->stats().pages_copied);
  EXPECT_EQ(probe.of(Work::segment_clean), session->stats().cleanings);
  EXPECT_EQ(probe.of(Work::page_rate) % 70, 0U);
  EXPECT_GE(probe.of(Work::page_rate) / 70, cleanings_that_copied);
  EXPECT_GT(probe.of(Work::segment_score), 0U);
  EXPECT_EQ(probe.cause(), Cause::host);
  ASSERT_EQ(session->mount(0), FtlStatus::ok);
  EXPECT_EQ(probe.of(Work::header_scan), 12U);
}

TEST(FmsWork, each_page_is_booked_under_its_cause) {
  FmsVolume config = small_config();
  config.logical_pages = 50;
  config.wear_leveling = "swap";
  config.params.set("swap_from", 3);
  config.params.set("swap_spread", 2);
  config.checkpoint_every = 100;
  EmulatedFlashOptions part = small_part();
  part.geometry.segments *= 2;
  EmulatedFlash flash(part);
  PageLedger ledger(flash, config);
  flash.watch(&ledger);
  FmsSession session(flash, config, &ledger);
  ASSERT_EQ(session->format(0), FtlStatus::ok);
  fill(*session);
  for (std::uint32_t i = 0; i < 6000; ++i) {
    ASSERT_EQ(session->write((i % 9 == 0 ? i / 9 % 50 : i % 7) * 256U, page_of(6), {}, 0), FtlStatus::ok);
    if (i % 25 != 0) continue;
    ASSERT_EQ(session->trim(i % 7 * 256U, 256, 0), FtlStatus::ok);
  }
  ASSERT_EQ(session->flush(0), FtlStatus::ok);
  flash.watch(nullptr);
  const FtlStats& stats = session->stats();
  EXPECT_GT(stats.pages_swapped, 0U);
  EXPECT_EQ(ledger.pages(Cause::host, PageOf::host), stats.pages_written);
  const auto moved = [&](Cause why) { return ledger.pages(why, PageOf::host) + ledger.pages(why, PageOf::layer); };
  EXPECT_EQ(moved(Cause::clean), stats.pages_copied) << "records of trims, too";
  EXPECT_EQ(moved(Cause::wear_level), stats.pages_swapped);
  EXPECT_GT(ledger.pages(Cause::metadata, PageOf::layer), 240U) << "records of trims and checkpoints";
  EXPECT_EQ(ledger.pages(Cause::metadata, PageOf::host), 0U);
  EXPECT_EQ(ledger.pages(Cause::host, PageOf::layer), 0U);
}

}  // namespace
}  // namespace ftlab::tests
