// Where FlexFS puts data and why: allocation, locality, energy, cleaning, wear; on the paper's 64 MB partition.
#include <gtest/gtest.h>

#include "tests/fixtures/flexfs_paper_fixture.h"

namespace ftlab::tests {
namespace {

using flexfs::FlexFsStats;

/// 4 MB bursts, one every `period`; `rewritten`: share of 100 that rewrites the same pages of one file.
void bursts(FlexFsFixture& fixture, int count, std::uint64_t period_ns, std::uint32_t rewritten) {
  std::uint32_t next = 1024;
  for (int burst = 0; burst < count; ++burst) {
    const std::uint64_t start = fixture.now_ns();
    std::uint32_t hot = 0;
    for (std::uint32_t i = 0; i < 1024; ++i) {
      if (i % 100 < rewritten)
        ASSERT_EQ(fixture.write(hot++, 1), FtlStatus::ok);
      else
        ASSERT_EQ(fixture.write(next++, 100 + static_cast<std::uint32_t>(burst)), FtlStatus::ok);
    }
    fixture.idle_until(start + period_ns);
  }
}

TEST(FlexFsAllocation, the_idle_benchmark_keeps_alpha_at_one_without_compulsory_migration) {
  FlexFsFixture fixture(paper_config("da"));
  bursts(fixture, 12, 25 * kSecond, 0);
  EXPECT_EQ(fixture.stats().alpha, 65536U);
  EXPECT_EQ(fixture.stats().pages_to_mlc, 0U);
  EXPECT_EQ(fixture.stats().compulsory_pages, 0U);
}

TEST(FlexFsAllocation, locality_raises_alpha) {
  FlexFsFixture da(paper_config("da"));
  FlexFsFixture la(paper_config("la"));
  bursts(da, 14, 10 * kSecond, 25);
  bursts(la, 14, 10 * kSecond, 25);
  EXPECT_NEAR(da.stats().alpha / 65536.0, 0.55, 0.06);
  EXPECT_GT(la.stats().alpha / 65536.0, 0.65);
  EXPECT_GT(la.stats().predicted_hot_pages, 150U);
  EXPECT_GT(la.stats().pages_to_slc, da.stats().pages_to_slc);
}

TEST(FlexFsAllocation, hot_data_stays_in_slc) {
  FlexFsFixture fixture(paper_config("la"));
  // Rewritten again and again: its segments are hot, or empty.
  for (int round = 0; round < 5; ++round) fixture.write_ok(0, 200, 1);
  const std::uint64_t moved = fixture.stats().background_pages;
  fixture.idle_until(fixture.now_ns() + 60 * kSecond);
  EXPECT_EQ(fixture.stats().background_pages, moved);
  EXPECT_GT(fixture.stats().slc_segments, 2U);
}

TEST(FlexFsAllocation, an_energy_budget_lowers_the_share) {
  FlexFsConfig config = paper_config("bm");
  config.energy = {.slc_program_nj = 10'000, .mlc_program_nj = 40'000, .read_nj = 4'000, .erase_nj = 64'000};
  config.energy_budget_uj_per_mib = 12'000;  // all to MLC: 10.4 mJ; all by way of SLC: 14.3 mJ
  FlexFsFixture fixture(config);
  fixture.write_ok(0, 2048);
  const FlexFsStats s = fixture.stats();
  EXPECT_LT(s.energy_share, 40'000U);
  EXPECT_GT(s.energy_share, 20'000U);
  EXPECT_NEAR(static_cast<double>(s.pages_to_slc) / 2048, s.energy_share / 65536.0, 0.01);
  // The first window's last segments are paid back or forth by the second.
  EXPECT_NEAR(static_cast<double>(s.predicted_nj_per_mib), 12e6, 0.1e6);
}

/// Millijoules a MiB of overwriting every other page again and again, with time to migrate and clean.
double mj_per_mib_of_overwriting(const char* scheme, std::uint64_t budget_uj_per_mib) {
  FlexFsConfig config = paper_config(scheme, 40);
  config.energy = {.slc_program_nj = 10'000, .mlc_program_nj = 40'000, .read_nj = 4'000, .erase_nj = 64'000};
  config.energy_budget_uj_per_mib = budget_uj_per_mib;
  config.logical_pages = config.logical_pages * 4 / 5;
  FlexFsFixture fixture(config, 40);
  const std::uint32_t pages = config.logical_pages;
  for (int round = 0; round < 12; ++round) {
    for (std::uint32_t page = 0; page < pages; page += round == 0 ? 1 : 2) fixture.write_ok(page, 1);
    fixture.idle_until(fixture.now_ns() + 60 * kSecond);
  }
  const FlexFsStats s = fixture.stats();
  const FtlStats& f = fixture.ftl().stats();
  EXPECT_GT(s.cleaned_pages, 1000U);
  const double nj = 10e3 * static_cast<double>(s.pages_to_slc) + 44e3 * static_cast<double>(f.pages_copied) +
                    40e3 * static_cast<double>(s.pages_to_mlc) + 64e3 * static_cast<double>(f.erases);
  return nj * 1e-6 * 256 / static_cast<double>(f.pages_written);
}

TEST(FlexFsAllocation, what_cleaning_costs_comes_off_the_energy_budget) {
  const double unlimited = mj_per_mib_of_overwriting("da", 0);
  const double mlc_alone = mj_per_mib_of_overwriting("mlc_only", 0);
  ASSERT_LT(mlc_alone, 0.9 * unlimited);
  const double budget = (unlimited + mlc_alone) / 2;
  const double kept = mj_per_mib_of_overwriting("da", static_cast<std::uint64_t>(budget * 1000));
  EXPECT_LT(kept, 1.01 * budget);
  EXPECT_GT(kept, mlc_alone) << "what is allowed is used";
}

TEST(FlexFsCleaning, idle_time_reclaims_invalid_pages_of_mlc_segments) {
  FlexFsConfig config = paper_config("mlc_only", 30);
  config.cleaning_idle_free = 28;
  FlexFsFixture fixture(config, 30);
  fixture.write_ok(0, 128 * 10);
  for (std::uint32_t lpn = 0; lpn < 128 * 10; lpn += 2) ASSERT_EQ(fixture.write(lpn), FtlStatus::ok);
  const std::uint32_t free = fixture.stats().free_segments;
  fixture.idle_until(fixture.now_ns() + 60 * kSecond);
  EXPECT_GT(fixture.stats().cleaned_pages, 0U);
  EXPECT_GT(fixture.stats().free_segments, free);
  EXPECT_STREQ(fixture.ftl().self_check(), nullptr);
}

TEST(FlexFsCleaning, jffs2_does_nothing_in_idle_time) {
  FlexFsFixture fixture(paper_config("jffs2", 30), 30);
  fixture.write_ok(0, 1000);
  fixture.write_ok(0, 500);
  EXPECT_EQ(fixture.ftl().idle(fixture.now_ns(), fixture.now_ns() + 99 * kSecond), fixture.now_ns() + kSecond);
  EXPECT_EQ(fixture.ftl().idle(fixture.now_ns() + kSecond, fixture.now_ns() + 99 * kSecond), kNoIdleWork);
}

TEST(FlexFsWear, leveling_keeps_erase_counts_close) {
  const auto spread = [](std::string_view choice) {
    FlexFsConfig config = paper_config("bm", 30);
    config.logical_pages = 1000;
    config.free_choice = choice;
    FlexFsFixture fixture(config, 30);
    fixture.write_ok(500, 500, 2);  // cold
    for (int round = 0; round < 60; ++round) {
      fixture.write_ok(0, 300);
      fixture.idle_until(fixture.now_ns() + 6 * kSecond);
    }
    std::uint32_t most = 0;
    std::uint32_t least = UINT32_MAX;
    for (std::uint32_t id = 2; id < fixture.ftl().segments(); ++id) {
      if (fixture.ftl().segment(SegmentId{id}).state != SegmentState::free) continue;
      most = std::max(most, fixture.ftl().segment(SegmentId{id}).erase_count);
      least = std::min(least, fixture.ftl().segment(SegmentId{id}).erase_count);
    }
    return most - least;
  };
  EXPECT_LE(spread("fewest_erases"), 2U);
  EXPECT_GT(spread("fifo"), 2U) << "or it would show nothing";
}

TEST(FlexFsWear, cold_data_makes_way_when_leveling_is_asked) {
  const auto most_erases = [](std::uint32_t gap) {
    FlexFsConfig config = paper_config("bm", 30);
    config.logical_pages = 2400;
    config.level_gap = gap;
    FlexFsFixture fixture(config, 30);
    fixture.write_ok(300, 2100, 2);  // cold
    for (int round = 0; round < 120; ++round) {
      fixture.write_ok(0, 300);
      fixture.idle_until(fixture.now_ns() + 20 * kSecond);
    }
    EXPECT_STREQ(fixture.ftl().self_check(), nullptr);
    EXPECT_EQ(fixture.ftl().stats().pages_swapped > 0, gap != 0);
    std::uint32_t most = 0;
    for (std::uint32_t id = 0; id < fixture.ftl().segments(); ++id)
      most = std::max(most, fixture.ftl().segment(SegmentId{id}).erase_count);
    return most;
  };
  EXPECT_LT(most_erases(8), most_erases(0));
}

TEST(FlexFsWear, table_3_uses_the_budget_of_1200_mb_and_no_more) {
  // 120 MB of 10 cycles each; 40, 40, 40, 80, 80, 20, 20, 40, 40, 40 MB in windows of 400 s.
  constexpr std::uint32_t kPaperSegments = 229;  // 120 MB
  constexpr std::uint32_t kIncoming[] = {40, 40, 40, 80, 80, 20, 20, 40, 40, 40};
  constexpr double kDelta[] = {1, 1, 1, 1, 0.44, 0.18, 0.38, 1, 1, 1};
  FlexFsConfig config = paper_config("da", kPaperSegments);
  config.dynamic_allocation = false;  // idle time is not to count here
  config.locality_aware = false;
  config.wear_management = true;
  config.erase_cycles = 10;
  config.lifetime_ns = 4000 * kSecond;
  config.wear_window_ns = 400 * kSecond;
  FlexFsFixture fixture(config, kPaperSegments);
  std::uint32_t lpn = 0;
  for (std::uint32_t window = 0; window < 10; ++window) {
    const std::uint32_t pages = kIncoming[window] * 1'000'000 / kPage;
    for (std::uint32_t i = 0; i < pages; ++i) {
      ASSERT_EQ(fixture.write(lpn), FtlStatus::ok);
      lpn = (lpn + 1) % (kIncoming[0] * 1'000'000 / kPage);
      if (i % 2048 == 0) {
        EXPECT_NEAR(fixture.stats().delta / 65536.0, kDelta[window], 0.02) << "window " << window;
        fixture.idle_until(fixture.now_ns() + 20 * kSecond * 2048 / pages * 10);
      }
    }
    ASSERT_LT(fixture.now_ns(), (window + 1) * 400 * kSecond);
    fixture.idle_until((window + 1) * 400 * kSecond);
  }
  const FlexFsStats s = fixture.stats();
  EXPECT_NEAR(static_cast<double>(s.used_bytes) / static_cast<double>(s.endurance_bytes), 1.0, 0.03);
  EXPECT_LE(s.used_bytes, s.endurance_bytes);
}

TEST(FlexFsWear, the_budget_used_survives_a_remount_as_the_newest_checkpoint_has_it) {
  FlexFsConfig config = paper_config("bm", 30);
  config.wear_management = true;
  config.logical_pages = 1000;
  config.checkpoint_every = 300;
  FlexFsFixture fixture(config, 30, nullptr, nullptr, true);
  constexpr std::uint64_t kSegment = 128 * kPage;
  FlexFsStats recorded = fixture.stats();
  for (int round = 0; round < 10; ++round) {
    for (std::uint32_t lpn = 0; lpn < 500; ++lpn) {
      fixture.write_ok(lpn, 1);
      if (fixture.stats().checkpoints > recorded.checkpoints) recorded = fixture.stats();
    }
    fixture.idle_until(fixture.now_ns() + 20 * kSecond);
    FlexFsSession again(fixture.flash(), config);
    ASSERT_EQ(again->mount(0), FtlStatus::ok);
    const std::uint64_t found = again->flexfs_stats().used_bytes;
    EXPECT_GE(found, recorded.used_bytes) << "what a checkpoint records is not forgotten";
    // Of a segment written since it is not known whether it was used since before, too.
    EXPECT_LE(found, fixture.stats().used_bytes);
  }
  EXPECT_GT(recorded.used_bytes, 100 * kSegment);
}

}  // namespace
}  // namespace ftlab::tests
