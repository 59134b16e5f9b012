// What FlexFS promises beyond keeping data: regions, migration, allocation, wear, on the paper's 64 MB partition.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/support/flexfs_bench.h"

namespace ftlab::tests {
namespace {

using flexfs::FlexFsStats;

constexpr std::uint64_t kSecond = 1'000'000'000;
constexpr std::uint32_t kPage = 4096;

/// The paper's part, as large as its partition, without content.
EmulatedNandOptions paper_part(std::uint32_t data_segments = 128, bool content = false) {
  EmulatedNandOptions options;
  options.segments = data_segments + 2;
  options.pages = 128;
  options.page_bytes = kPage;
  options.store_content = content;
  options.rated_erase_cycles = 10'000;
  return options;
}

FlexFsConfig paper_config(std::string_view scheme, std::uint32_t data_segments = 128) {
  FlexFsConfig config;
  flexfs::apply_scheme(scheme, config);
  config.wear_management = false;
  config.logical_pages = flexfs::max_logical_pages(config, EmulatedNand(paper_part(data_segments)).geometry());
  return config;
}

/// A host whose clock moves by a fixed time per page, and which tells the firmware when it has nothing to do.
class Bench {
 public:
  explicit Bench(const FlexFsConfig& config, std::uint32_t data_segments = 128, ProbePort* probe = nullptr,
                 ClockPort* clock = nullptr, bool content = false)
      : flash_(paper_part(data_segments, content)), life_(flash_, config, probe, clock), page_(kPage, std::byte{0x5A}) {
    EXPECT_STREQ(life_->config_error(), nullptr);
    EXPECT_EQ(life_->format(0), FtlStatus::ok);
  }
  FlexFs& ftl() { return *life_; }
  EmulatedNand& flash() { return flash_; }
  [[nodiscard]] FlexFsStats stats() { return life_->flexfs_stats(); }
  [[nodiscard]] std::uint64_t now_ns() const { return now_ns_; }

  FtlStatus write(std::uint32_t lpn, std::uint32_t file = 1) {
    now_ns_ += 1'350'000;
    return life_->write(std::uint64_t{lpn} * kPage, page_, {.stream = file, .read_only = false}, now_ns_);
  }
  void write_ok(std::uint32_t from, std::uint32_t count, std::uint32_t file = 1) {
    for (std::uint32_t i = 0; i < count; ++i) ASSERT_EQ(write(from + i, file), FtlStatus::ok) << "page " << from + i;
  }
  /// Idle until the given time; background work as it falls due.
  void idle_until(std::uint64_t until_ns) {
    std::uint64_t at = now_ns_;
    while (at < until_ns) {
      const std::uint64_t next = life_->idle(at, until_ns);
      if (next == kNoIdleWork) break;
      at = std::max(next, at + 1);
    }
    now_ns_ = until_ns;
  }

 private:
  EmulatedNand flash_;
  FlexFsLife life_;
  std::vector<std::byte> page_;
  std::uint64_t now_ns_ = 0;
};

TEST(FlexFsRegions, a_free_segment_has_no_type_until_it_is_written) {
  Bench bench(paper_config("baseline"));
  FlexFsStats s = bench.stats();
  EXPECT_EQ(s.slc_segments + s.mlc_segments, 0U);
  EXPECT_EQ(s.free_segments, 128U);
  bench.write_ok(0, 1);
  s = bench.stats();
  EXPECT_EQ(s.slc_segments, 1U);
  EXPECT_EQ(s.mlc_segments, 0U);
  EXPECT_EQ(s.free_segments, 127U);
}

TEST(FlexFsRegions, slc_data_uses_lsb_pages_alone) {
  Bench bench(paper_config("baseline"));
  bench.write_ok(0, 63 * 3);
  const std::vector<std::uint8_t> pairs = flex_pairs(128);
  for (std::uint32_t id = 0; id < bench.ftl().segments(); ++id) {
    const SegmentInfo info = bench.ftl().segment(SegmentId{id});
    if (info.state != SegmentState::sealed || info.stream != 0) continue;
    for (std::uint32_t page = 0; page < 128; ++page)
      EXPECT_EQ(bench.flash().page_state(id, page) != EmulatedNand::PageState::blank, pairs[page] > page)
          << "segment " << id << " page " << page;
  }
  EXPECT_EQ(bench.stats().pages_to_slc, 63U * 3);
}

TEST(FlexFsRegions, a_small_write_is_buffered_until_its_page_is_whole) {
  Bench bench(paper_config("baseline"));
  const std::vector<std::byte> quarter(kPage / 4, std::byte{1});
  for (std::uint32_t i = 0; i < 4; ++i) {
    EXPECT_EQ(bench.ftl().stats().pages_written, 0U);
    ASSERT_EQ(bench.ftl().write(i * kPage / 4, quarter, {}, 0), FtlStatus::ok);
  }
  EXPECT_EQ(bench.ftl().stats().pages_written, 1U);
  EXPECT_EQ(bench.stats().coalesced_writes, 3U);
  EXPECT_EQ(bench.stats().filled_pages, 0U) << "nothing had to be read";
}

TEST(FlexFsRegions, flush_programs_what_is_buffered_and_nothing_else) {
  Bench bench(paper_config("baseline"));
  const std::vector<std::byte> some(100, std::byte{1});
  ASSERT_EQ(bench.ftl().write(10, some, {}, 0), FtlStatus::ok);
  const std::uint64_t before = bench.flash().programs();
  ASSERT_EQ(bench.ftl().flush(1), FtlStatus::ok);
  EXPECT_EQ(bench.flash().programs(), before + 1);
  ASSERT_EQ(bench.ftl().flush(2), FtlStatus::ok);
  EXPECT_EQ(bench.flash().programs(), before + 1);
}

TEST(FlexFsRegions, another_page_pushes_the_buffered_one_out) {
  Bench bench(paper_config("baseline"));
  const std::vector<std::byte> some(100, std::byte{1});
  ASSERT_EQ(bench.ftl().write(0, some, {}, 0), FtlStatus::ok);
  ASSERT_EQ(bench.ftl().write(5 * kPage, some, {}, 0), FtlStatus::ok);
  EXPECT_EQ(bench.ftl().stats().pages_written, 1U);
}

TEST(FlexFsMigration, background_work_begins_after_the_wait_and_comes_every_trigger) {
  Bench bench(paper_config("bm"));
  bench.write_ok(0, 126);
  const std::uint64_t start = bench.now_ns();
  EXPECT_EQ(bench.ftl().idle(start, start + 60 * kSecond), start + kSecond);
  EXPECT_EQ(bench.stats().background_pages, 0U);
  EXPECT_EQ(bench.ftl().idle(start + kSecond, start + 60 * kSecond), start + kSecond + 15'000'000);
  EXPECT_EQ(bench.stats().background_pages, 1U);
  EXPECT_EQ(bench.ftl().idle(start + kSecond + 15'000'000, start + 60 * kSecond), start + kSecond + 30'000'000);
  EXPECT_EQ(bench.stats().background_pages, 2U);
}

TEST(FlexFsMigration, any_request_suspends_background_work) {
  Bench bench(paper_config("bm"));
  bench.write_ok(0, 126);
  bench.idle_until(bench.now_ns() + kSecond + 150'000'000);
  const std::uint64_t moved = bench.stats().background_pages;
  EXPECT_GT(moved, 0U);
  std::vector<std::byte> page(kPage);
  ASSERT_EQ(bench.ftl().read(0, page, bench.now_ns()), FtlStatus::ok);
  const std::uint64_t now = bench.now_ns() + 1'000'000;
  EXPECT_EQ(bench.ftl().idle(now, now + 60 * kSecond), now + kSecond) << "the wait begins anew";
  EXPECT_EQ(bench.stats().background_pages, moved);
}

TEST(FlexFsMigration, a_segment_is_erased_in_the_same_work_that_moved_its_last_page) {
  Bench bench(paper_config("bm"));
  bench.write_ok(0, 64);  // one sealed segment, one page in the next
  const std::uint64_t erases = bench.ftl().stats().erases;
  bench.idle_until(bench.now_ns() + kSecond + 62 * 15'000'000);
  EXPECT_EQ(bench.stats().background_pages, 62U);
  EXPECT_EQ(bench.ftl().stats().erases, erases);
  bench.ftl().idle(bench.now_ns(), bench.now_ns() + kSecond);
  EXPECT_EQ(bench.stats().background_pages, 63U);
  EXPECT_EQ(bench.ftl().stats().erases, erases + 1);
  EXPECT_EQ(bench.ftl().idle(bench.now_ns(), bench.now_ns() + kSecond), kNoIdleWork) << "the log is not a victim";
}

TEST(FlexFsMigration, migrating_two_slc_segments_frees_one) {
  Bench bench(paper_config("bm"));
  bench.write_ok(0, 126);
  EXPECT_EQ(bench.stats().free_segments, 126U);
  bench.idle_until(bench.now_ns() + 10 * kSecond);
  EXPECT_EQ(bench.stats().free_segments, 127U);
  EXPECT_EQ(bench.stats().mlc_segments, 1U);
  EXPECT_EQ(bench.stats().slc_segments, 0U);
}

TEST(FlexFsMigration, baseline_waits_until_fewer_than_five_segments_are_free) {
  Bench bench(paper_config("baseline"));
  std::uint32_t lpn = 0;
  while (bench.stats().compulsory_pages == 0) ASSERT_EQ(bench.write(lpn++), FtlStatus::ok);
  // 124 SLC segments leave 4 of 128 free; the next one has to wait.
  EXPECT_EQ(lpn, 124U * 63 + 1);
  EXPECT_EQ(bench.stats().compulsory_runs, 1U);
  EXPECT_GE(bench.stats().free_segments, 4U);
}

TEST(FlexFsMigration, compulsory_migration_is_paced_when_asked) {
  StepClock clock;
  FlexFsConfig config = paper_config("baseline");
  config.compulsory_paced = true;
  Bench bench(config, 128, nullptr, &clock);
  std::uint32_t lpn = 0;
  while (bench.stats().compulsory_pages < 1000) ASSERT_EQ(bench.write(lpn++), FtlStatus::ok);
  EXPECT_EQ(clock.now_ns(), (bench.stats().compulsory_pages - 1) * 15'000'000);
}

TEST(FlexFsMigration, without_a_clock_compulsory_migration_is_not_paced) {
  FlexFsConfig config = paper_config("baseline");
  config.compulsory_paced = true;
  Bench bench(config);
  for (std::uint32_t lpn = 0; lpn < 9000; ++lpn) ASSERT_EQ(bench.write(lpn), FtlStatus::ok);
  EXPECT_GT(bench.stats().compulsory_pages, 0U);
}

TEST(FlexFsMigration, every_page_moved_is_booked_under_its_cause) {
  class CauseProbe final : public ProbePort {
   public:
    Cause set_cause(Cause cause) override { return std::exchange(cause_, cause); }
    void count(Work kind, std::uint32_t n) override { counts[{cause_, kind}] += n; }
    std::map<std::pair<Cause, Work>, std::uint64_t> counts;

   private:
    Cause cause_ = Cause::host;
  };
  CauseProbe probe;
  Bench bench(paper_config("bm"), 128, &probe);
  bench.write_ok(0, 8000);
  bench.idle_until(bench.now_ns() + 30 * kSecond);
  EXPECT_GT(bench.stats().compulsory_pages, 0U);
  EXPECT_EQ((probe.counts[{Cause::migrate, Work::page_copy}]),
            bench.stats().compulsory_pages + bench.stats().background_pages);
  EXPECT_EQ((probe.counts[{Cause::host, Work::page_write}]), 8000U);
  EXPECT_EQ((probe.counts[{Cause::host, Work::request}]), 8000U);
  EXPECT_GT((probe.counts[{Cause::migrate, Work::segment_clean}]), 0U);
}

class FlexFsCapacity : public testing::TestWithParam<const char*> {};

TEST_P(FlexFsCapacity, takes_95_percent_of_the_partition_without_idle_time) {
  Bench bench(paper_config(GetParam()));
  const std::uint32_t pages = 64 * 256 * 95 / 100;
  for (std::uint32_t lpn = 0; lpn < pages; ++lpn) ASSERT_EQ(bench.write(lpn), FtlStatus::ok) << "page " << lpn;
  EXPECT_STREQ(bench.ftl().self_check(), nullptr);
}

TEST_P(FlexFsCapacity, takes_all_it_offers_and_stands_overwriting_it) {
  const FlexFsConfig config = paper_config(GetParam(), 30);
  Bench bench(config, 30);
  for (std::uint32_t lpn = 0; lpn < config.logical_pages; ++lpn) ASSERT_EQ(bench.write(lpn), FtlStatus::ok);
  std::uint64_t random = 1;
  for (int i = 0; i < 2000; ++i) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    ASSERT_EQ(bench.write(static_cast<std::uint32_t>((random >> 33) % config.logical_pages)), FtlStatus::ok) << i;
  }
  EXPECT_STREQ(bench.ftl().self_check(), nullptr);
  EXPECT_GE(bench.stats().free_segments, flexfs::kReserve);
}

INSTANTIATE_TEST_SUITE_P(Schemes, FlexFsCapacity, testing::Values("mlc_only", "jffs2", "baseline", "bm", "da", "la"),
                         [](const auto& scheme) { return std::string(scheme.param); });

TEST(FlexFsCapacities, slc_only_offers_half) {
  const FlexFsConfig config = paper_config("slc_only");
  Bench bench(config);
  bench.write_ok(0, config.logical_pages);
  EXPECT_LT(config.logical_pages, 64U * 128);
  EXPECT_EQ(bench.stats().mlc_segments, 0U);
  bench.write_ok(0, 1000);
  EXPECT_STREQ(bench.ftl().self_check(), nullptr);
}

/// 4 MB bursts, one every `period`; `rewritten`: share of 100 that rewrites the same pages of one file.
void bursts(Bench& bench, int count, std::uint64_t period_ns, std::uint32_t rewritten) {
  std::uint32_t next = 1024;
  for (int burst = 0; burst < count; ++burst) {
    const std::uint64_t start = bench.now_ns();
    std::uint32_t hot = 0;
    for (std::uint32_t i = 0; i < 1024; ++i) {
      if (i % 100 < rewritten)
        ASSERT_EQ(bench.write(hot++, 1), FtlStatus::ok);
      else
        ASSERT_EQ(bench.write(next++, 100 + static_cast<std::uint32_t>(burst)), FtlStatus::ok);
    }
    bench.idle_until(start + period_ns);
  }
}

TEST(FlexFsAllocation, the_idle_benchmark_keeps_alpha_at_one_without_compulsory_migration) {
  Bench bench(paper_config("da"));
  bursts(bench, 12, 25 * kSecond, 0);
  EXPECT_EQ(bench.stats().alpha, 65536U);
  EXPECT_EQ(bench.stats().pages_to_mlc, 0U);
  EXPECT_EQ(bench.stats().compulsory_pages, 0U);
}

TEST(FlexFsAllocation, the_busy_benchmark_settles_near_one_half) {
  Bench bench(paper_config("da"));
  bursts(bench, 12, 10 * kSecond, 0);
  EXPECT_NEAR(bench.stats().alpha / 65536.0, 0.55, 0.06);
  EXPECT_EQ(bench.stats().compulsory_pages, 0U);
}

TEST(FlexFsAllocation, locality_raises_alpha) {
  Bench da(paper_config("da"));
  Bench la(paper_config("la"));
  bursts(da, 14, 10 * kSecond, 25);
  bursts(la, 14, 10 * kSecond, 25);
  EXPECT_NEAR(da.stats().alpha / 65536.0, 0.55, 0.06);
  EXPECT_GT(la.stats().alpha / 65536.0, 0.65);
  EXPECT_GT(la.stats().predicted_hot_pages, 150U);
  EXPECT_GT(la.stats().pages_to_slc, da.stats().pages_to_slc);
}

TEST(FlexFsAllocation, hot_data_stays_in_slc) {
  Bench bench(paper_config("la"));
  // Rewritten again and again: its segments are hot, or empty.
  for (int round = 0; round < 5; ++round) bench.write_ok(0, 200, 1);
  const std::uint64_t moved = bench.stats().background_pages;
  bench.idle_until(bench.now_ns() + 60 * kSecond);
  EXPECT_EQ(bench.stats().background_pages, moved);
  EXPECT_GT(bench.stats().slc_segments, 2U);
}

TEST(FlexFsAllocation, an_energy_budget_lowers_the_share) {
  FlexFsConfig config = paper_config("bm");
  config.energy = {.slc_program_nj = 10'000, .mlc_program_nj = 40'000, .read_nj = 4'000, .erase_nj = 64'000};
  config.energy_budget_uj_per_mib = 12'000;  // all to MLC: 10.4 mJ; all by way of SLC: 14.3 mJ
  Bench bench(config);
  bench.write_ok(0, 2048);
  const FlexFsStats s = bench.stats();
  EXPECT_LT(s.energy_share, 40'000U);
  EXPECT_GT(s.energy_share, 20'000U);
  EXPECT_NEAR(static_cast<double>(s.pages_to_slc) / 2048, s.energy_share / 65536.0, 0.01);
  EXPECT_LE(s.predicted_nj_per_mib, 12'000'000U);
}

TEST(FlexFsCleaning, idle_time_reclaims_invalid_pages_of_mlc_segments) {
  FlexFsConfig config = paper_config("mlc_only", 30);
  config.cleaning_idle_free = 28;
  Bench bench(config, 30);
  bench.write_ok(0, 127 * 10);
  for (std::uint32_t lpn = 0; lpn < 127 * 10; lpn += 2) ASSERT_EQ(bench.write(lpn), FtlStatus::ok);
  const std::uint32_t free = bench.stats().free_segments;
  bench.idle_until(bench.now_ns() + 60 * kSecond);
  EXPECT_GT(bench.stats().cleaned_pages, 0U);
  EXPECT_GT(bench.stats().free_segments, free);
  EXPECT_STREQ(bench.ftl().self_check(), nullptr);
}

TEST(FlexFsCleaning, jffs2_does_nothing_in_idle_time) {
  Bench bench(paper_config("jffs2", 30), 30);
  bench.write_ok(0, 1000);
  bench.write_ok(0, 500);
  EXPECT_EQ(bench.ftl().idle(bench.now_ns(), bench.now_ns() + 99 * kSecond), bench.now_ns() + kSecond);
  EXPECT_EQ(bench.ftl().idle(bench.now_ns() + kSecond, bench.now_ns() + 99 * kSecond), kNoIdleWork);
}

TEST(FlexFsWear, leveling_keeps_erase_counts_close) {
  const auto spread = [](std::string_view choice) {
    FlexFsConfig config = paper_config("bm", 30);
    config.logical_pages = 1000;
    config.free_choice = choice;
    Bench bench(config, 30);
    bench.write_ok(500, 500, 2);  // cold
    for (int round = 0; round < 60; ++round) {
      bench.write_ok(0, 300);
      bench.idle_until(bench.now_ns() + 6 * kSecond);
    }
    std::uint32_t most = 0;
    std::uint32_t least = UINT32_MAX;
    for (std::uint32_t id = 2; id < bench.ftl().segments(); ++id) {
      if (bench.ftl().segment(SegmentId{id}).state != SegmentState::free) continue;
      most = std::max(most, bench.ftl().segment(SegmentId{id}).erase_count);
      least = std::min(least, bench.ftl().segment(SegmentId{id}).erase_count);
    }
    return most - least;
  };
  EXPECT_LE(spread("fewest_erases"), 2U);
}

TEST(FlexFsWear, table_3_uses_the_budget_of_1200_mb_and_no_more) {
  // 120 MB of 10 cycles each; 40, 40, 40, 80, 80, 20, 20, 40, 40, 40 MB in windows of 400 s.
  constexpr std::uint32_t kSegments = 229;  // 120 MB
  constexpr std::uint32_t kIncoming[] = {40, 40, 40, 80, 80, 20, 20, 40, 40, 40};
  constexpr double kDelta[] = {1, 1, 1, 1, 0.44, 0.18, 0.38, 1, 1, 1};
  FlexFsConfig config = paper_config("da", kSegments);
  config.dynamic_allocation = false;  // idle time is not to count here
  config.locality_aware = false;
  config.wear_management = true;
  config.erase_cycles = 10;
  config.lifetime_ns = 4000 * kSecond;
  config.wear_window_ns = 400 * kSecond;
  Bench bench(config, kSegments);
  std::uint32_t lpn = 0;
  for (std::uint32_t window = 0; window < 10; ++window) {
    const std::uint32_t pages = kIncoming[window] * 1'000'000 / kPage;
    for (std::uint32_t i = 0; i < pages; ++i) {
      ASSERT_EQ(bench.write(lpn), FtlStatus::ok);
      lpn = (lpn + 1) % (kIncoming[0] * 1'000'000 / kPage);
      if (i % 2048 == 0) {
        EXPECT_NEAR(bench.stats().delta / 65536.0, kDelta[window], 0.05) << "window " << window;
        bench.idle_until(bench.now_ns() + 20 * kSecond * 2048 / pages * 10);
      }
    }
    ASSERT_LT(bench.now_ns(), (window + 1) * 400 * kSecond);
    bench.idle_until((window + 1) * 400 * kSecond);
  }
  const FlexFsStats s = bench.stats();
  EXPECT_NEAR(static_cast<double>(s.used_bytes) / static_cast<double>(s.endurance_bytes), 1.0, 0.1);
  EXPECT_LE(s.used_bytes, s.endurance_bytes);
}

TEST(FlexFsWear, the_budget_used_survives_a_remount) {
  FlexFsConfig config = paper_config("bm", 30);
  config.wear_management = true;
  config.logical_pages = 1000;
  Bench bench(config, 30, nullptr, nullptr, true);
  for (int round = 0; round < 4; ++round) {
    bench.write_ok(0, 500);
    bench.idle_until(bench.now_ns() + 20 * kSecond);
  }
  ASSERT_EQ(bench.ftl().flush(bench.now_ns()), FtlStatus::ok);
  const std::uint64_t used = bench.stats().used_bytes;
  EXPECT_GT(used, 20U * 524288);
  FlexFsLife again(bench.flash(), config);
  ASSERT_EQ(again->mount(0), FtlStatus::ok);
  EXPECT_EQ(again->flexfs_stats().used_bytes, used);
}

TEST(FlexFsMount, reads_about_one_page_a_segment) {
  Bench bench(paper_config("bm"), 128, nullptr, nullptr, true);
  bench.write_ok(0, 10'000);
  bench.idle_until(bench.now_ns() + 200 * kSecond);
  ASSERT_EQ(bench.ftl().flush(bench.now_ns()), FtlStatus::ok);
  const std::uint64_t before = bench.flash().reads();
  FlexFsLife again(bench.flash(), paper_config("bm"));
  ASSERT_EQ(again->mount(0), FtlStatus::ok);
  // Open segments are read page by page.
  EXPECT_LT(bench.flash().reads() - before, 130U + 2 * 2 * 128 + 130);
}

}  // namespace
}  // namespace ftlab::tests
