// What FlexFS promises beyond keeping data: regions, migration, capacity, mount; on the paper's 64 MB partition.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/fixtures/counting_probe.h"
#include "tests/fixtures/flexfs_paper_fixture.h"

namespace ftlab::tests {
namespace {

using flexfs::FlexFsStats;

/// Pages that a segment of each region holds, and segments of the partition.
constexpr std::uint32_t kSlc = 64;
constexpr std::uint32_t kMlc = 128;
constexpr std::uint32_t kSegments = 128;

TEST(FlexFsRegions, a_free_segment_has_no_type_until_it_is_written) {
  FlexFsFixture fixture(paper_config("baseline"));
  FlexFsStats s = fixture.stats();
  EXPECT_EQ(s.slc_segments + s.mlc_segments, 0U);
  EXPECT_EQ(s.free_segments, kSegments);
  fixture.write_ok(0, 1);
  s = fixture.stats();
  EXPECT_EQ(s.slc_segments, 1U);
  EXPECT_EQ(s.mlc_segments, 0U);
  EXPECT_EQ(s.free_segments, kSegments - 1);
}

TEST(FlexFsRegions, slc_data_uses_lsb_pages_alone) {
  FlexFsFixture fixture(paper_config("baseline"));
  fixture.write_ok(0, kSlc * 3);
  const std::vector<std::uint8_t> pairs = flex_pairs(kMlc);
  for (std::uint32_t id = 0; id < fixture.ftl().segments(); ++id) {
    const SegmentInfo info = fixture.ftl().segment(SegmentId{id});
    if (info.state != SegmentState::sealed || info.stream != 0) continue;
    for (std::uint32_t page = 0; page < kMlc; ++page)
      EXPECT_EQ(fixture.flash().page_state(id, page) != EmulatedNand::PageState::blank, pairs[page] > page)
          << "segment " << id << " page " << page;
  }
  EXPECT_EQ(fixture.stats().pages_to_slc, kSlc * 3);
}

TEST(FlexFsRegions, a_small_write_is_buffered_until_its_page_is_whole) {
  FlexFsFixture fixture(paper_config("baseline"));
  const std::vector<std::byte> quarter(kPage / 4, std::byte{1});
  for (std::uint32_t i = 0; i < 4; ++i) {
    EXPECT_EQ(fixture.ftl().stats().pages_written, 0U);
    ASSERT_EQ(fixture.ftl().write(i * kPage / 4, quarter, {}, 0), FtlStatus::ok);
  }
  EXPECT_EQ(fixture.ftl().stats().pages_written, 1U);
  EXPECT_EQ(fixture.stats().coalesced_writes, 3U);
  EXPECT_EQ(fixture.stats().filled_pages, 0U) << "nothing had to be read";
}

TEST(FlexFsRegions, a_page_in_part_counts_as_a_page_for_the_wear_it_causes) {
  const auto delta_after = [](std::size_t bytes) {
    FlexFsConfig config = paper_config("bm");
    config.wear_management = true;
    config.wear_window_ns = 10'000'000'000;
    config.lifetime_ns = 100'000'000'000;
    config.erase_cycles = 1;
    FlexFsFixture fixture(config);
    const std::vector<std::byte> data(bytes, std::byte{1});
    for (std::uint64_t window = 0; window < 3; ++window)
      for (std::uint32_t i = 0; i < 600; ++i)
        EXPECT_EQ(fixture.ftl().write(std::uint64_t{i} * kPage, data, {}, window * 10'000'000'000 + i), FtlStatus::ok);
    return fixture.stats().delta;
  };
  const std::uint32_t whole = delta_after(kPage);
  EXPECT_GT(whole, 0U);
  EXPECT_LT(whole, 65536U);
  EXPECT_NEAR(delta_after(100), whole, 0.01 * whole);
}

TEST(FlexFsRegions, flush_programs_what_is_buffered_and_nothing_else) {
  FlexFsFixture fixture(paper_config("baseline"));
  const std::vector<std::byte> some(100, std::byte{1});
  ASSERT_EQ(fixture.ftl().write(10, some, {}, 0), FtlStatus::ok);
  const std::uint64_t before = fixture.flash().programs();
  ASSERT_EQ(fixture.ftl().flush(1), FtlStatus::ok);
  EXPECT_EQ(fixture.flash().programs(), before + 1);
  ASSERT_EQ(fixture.ftl().flush(2), FtlStatus::ok);
  EXPECT_EQ(fixture.flash().programs(), before + 1);
}

TEST(FlexFsRegions, another_page_pushes_the_buffered_one_out) {
  FlexFsFixture fixture(paper_config("baseline"));
  const std::vector<std::byte> some(100, std::byte{1});
  ASSERT_EQ(fixture.ftl().write(0, some, {}, 0), FtlStatus::ok);
  ASSERT_EQ(fixture.ftl().write(5 * kPage, some, {}, 0), FtlStatus::ok);
  EXPECT_EQ(fixture.ftl().stats().pages_written, 1U);
}

TEST(FlexFsMigration, background_work_begins_after_the_wait_and_comes_every_trigger) {
  FlexFsFixture fixture(paper_config("bm"));
  fixture.write_ok(0, 2 * kSlc);
  const std::uint64_t start = fixture.now_ns();
  EXPECT_EQ(fixture.ftl().idle(start, start + 60 * kSecond), start + kSecond);
  EXPECT_EQ(fixture.stats().background_pages, 0U);
  EXPECT_EQ(fixture.ftl().idle(start + kSecond, start + 60 * kSecond), start + kSecond + 15'000'000);
  EXPECT_EQ(fixture.stats().background_pages, 1U);
  EXPECT_EQ(fixture.ftl().idle(start + kSecond + 15'000'000, start + 60 * kSecond), start + kSecond + 30'000'000);
  EXPECT_EQ(fixture.stats().background_pages, 2U);
}

TEST(FlexFsMigration, any_request_suspends_background_work) {
  FlexFsFixture fixture(paper_config("bm"));
  fixture.write_ok(0, 2 * kSlc);
  fixture.idle_until(fixture.now_ns() + kSecond + 150'000'000);
  const std::uint64_t moved = fixture.stats().background_pages;
  EXPECT_GT(moved, 0U);
  std::vector<std::byte> page(kPage);
  ASSERT_EQ(fixture.ftl().read(0, page, fixture.now_ns()), FtlStatus::ok);
  const std::uint64_t now = fixture.now_ns() + 1'000'000;
  EXPECT_EQ(fixture.ftl().idle(now, now + 60 * kSecond), now + kSecond) << "the wait begins anew";
  EXPECT_EQ(fixture.stats().background_pages, moved);
}

TEST(FlexFsMigration, a_segment_is_erased_in_the_same_work_that_moved_its_last_page) {
  FlexFsFixture fixture(paper_config("bm"));
  fixture.write_ok(0, kSlc + 1);  // one full segment, one page in the next
  const std::uint64_t erases = fixture.ftl().stats().erases;
  fixture.idle_until(fixture.now_ns() + kSecond + (kSlc - 1) * 15'000'000);
  EXPECT_EQ(fixture.stats().background_pages, kSlc - 1);
  EXPECT_EQ(fixture.ftl().stats().erases, erases);
  fixture.ftl().idle(fixture.now_ns(), fixture.now_ns() + kSecond);
  EXPECT_EQ(fixture.stats().background_pages, kSlc);
  EXPECT_EQ(fixture.ftl().stats().erases, erases + 1);
  EXPECT_EQ(fixture.ftl().idle(fixture.now_ns(), fixture.now_ns() + kSecond), kNoIdleWork) << "the log is not a victim";
}

TEST(FlexFsMigration, migrating_two_slc_segments_frees_one) {
  FlexFsFixture fixture(paper_config("bm"));
  fixture.write_ok(0, 2 * kSlc);
  EXPECT_EQ(fixture.stats().free_segments, kSegments - 2);
  fixture.idle_until(fixture.now_ns() + 10 * kSecond);
  EXPECT_EQ(fixture.stats().free_segments, kSegments - 1);
  EXPECT_EQ(fixture.stats().mlc_segments, 1U);
  EXPECT_EQ(fixture.stats().slc_segments, 0U);
}

TEST(FlexFsMigration, baseline_waits_until_fewer_than_five_segments_are_free) {
  FlexFsFixture fixture(paper_config("baseline"));
  std::uint32_t lpn = 0;
  while (fixture.stats().compulsory_pages == 0) ASSERT_EQ(fixture.write(lpn++), FtlStatus::ok);
  // So many SLC segments leave four free; the next one has to wait.
  EXPECT_EQ(lpn, (kSegments - 4) * kSlc + 1);
  EXPECT_EQ(fixture.stats().compulsory_runs, 1U);
  EXPECT_GE(fixture.stats().free_segments, 4U);
}

TEST(FlexFsMigration, compulsory_migration_is_paced_when_asked) {
  StepClock clock;
  FlexFsConfig config = paper_config("baseline");
  config.compulsory_paced = true;
  FlexFsFixture fixture(config, kSegments, nullptr, &clock);
  std::uint32_t lpn = 0;
  while (fixture.stats().compulsory_pages < 1000) ASSERT_EQ(fixture.write(lpn++), FtlStatus::ok);
  EXPECT_EQ(clock.now_ns(), (fixture.stats().compulsory_pages - 1) * 15'000'000);
}

TEST(FlexFsMigration, without_a_clock_compulsory_migration_is_not_paced) {
  FlexFsConfig config = paper_config("baseline");
  config.compulsory_paced = true;
  FlexFsFixture fixture(config);
  for (std::uint32_t lpn = 0; lpn < 9000; ++lpn) ASSERT_EQ(fixture.write(lpn), FtlStatus::ok);
  EXPECT_GT(fixture.stats().compulsory_pages, 0U);
}

TEST(FlexFsMigration, every_page_moved_is_booked_under_its_cause) {
  CountingProbe probe;
  FlexFsFixture fixture(paper_config("bm"), kSegments, &probe);
  fixture.write_ok(0, 8000);
  fixture.idle_until(fixture.now_ns() + 30 * kSecond);
  EXPECT_GT(fixture.stats().compulsory_pages, 0U);
  EXPECT_EQ(probe.of(Cause::migrate, Work::page_copy),
            fixture.stats().compulsory_pages + fixture.stats().background_pages);
  EXPECT_EQ(probe.of(Cause::host, Work::page_write), 8000U);
  EXPECT_EQ(probe.of(Cause::host, Work::request), 8000U);
  EXPECT_GT(probe.of(Cause::migrate, Work::segment_clean), 0U);
}

class FlexFsMount : public testing::Test {
 protected:
  /// Pages that a mount reads.
  std::uint64_t reads_of_mount() {
    const std::uint64_t before = fixture_.flash().reads();
    FlexFsSession again(fixture_.flash(), config_);
    EXPECT_EQ(again->mount(0), FtlStatus::ok);
    return fixture_.flash().reads() - before;
  }

  FlexFsConfig config_ = paper_config("bm");
  FlexFsFixture fixture_{config_, kSegments, nullptr, nullptr, true};
};

TEST_F(FlexFsMount, reads_a_page_of_each_segment_and_what_was_written_since_the_newest_checkpoint) {
  fixture_.write_ok(0, 10'000);
  fixture_.idle_until(fixture_.now_ns() + 200 * kSecond);
  const std::uint64_t checkpoints = fixture_.stats().checkpoints;
  for (std::uint32_t lpn = 0; fixture_.stats().checkpoints == checkpoints; ++lpn) fixture_.write_ok(lpn, 1);
  const FlashGeometry geometry = flexfs_geometry(fixture_.flash());
  const VolumeConfig volume = volume::with_own_pages(flexfs::volume_of(config_, geometry), geometry);
  const std::uint32_t checkpoint =
      volume::CheckpointLayout{volume.logical_pages, geometry.segments, kPage, kMlc, false, true}.pages();
  const std::uint64_t reads = reads_of_mount();
  // Of each open segment a burst with its last pages and one that says that nothing follows, and what the port keeps
  // for itself.
  constexpr std::uint64_t kOpen = 2 * 2 * volume::Workbench::kCollected;
  constexpr std::uint64_t kNotes = 8;
  EXPECT_LE(reads, geometry.segments + checkpoint + kOpen + kNotes);
  // These, and what was left of the segment that was open then.
  constexpr std::uint32_t kFull = 3;
  fixture_.write_ok(0, kFull * kSlc);
  EXPECT_LE(reads_of_mount(), reads + (kFull + 1) * kMlc);
}

TEST_F(FlexFsMount, finds_a_checkpoint_after_so_many_pages_of_the_host_whatever_is_flushed) {
  const std::uint32_t every = flexfs::volume_of(config_, flexfs_geometry(fixture_.flash())).checkpoint_every;
  for (std::uint32_t lpn = 0; lpn + 1 < every; ++lpn) {
    fixture_.write_ok(lpn, 1);
    if (lpn % 100 == 0) {
      ASSERT_EQ(fixture_.ftl().flush(fixture_.now_ns()), FtlStatus::ok);
    }
  }
  EXPECT_EQ(fixture_.stats().checkpoints, 0U);
  fixture_.write_ok(0, 1);
  EXPECT_EQ(fixture_.stats().checkpoints, 1U);
}

}  // namespace
}  // namespace ftlab::tests
