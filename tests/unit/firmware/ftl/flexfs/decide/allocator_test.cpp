// Eq. 1 to 4 of the FlexFS paper with its numbers: N_p 1024 pages, T_trig 15 ms.
#include "firmware/ftl/flexfs/decide/allocator.h"

#include <gtest/gtest.h>

namespace ftlab::flexfs {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

FlexFsConfig paper(bool locality = false) {
  FlexFsConfig config;
  config.locality_aware = locality;
  return config;
}

Allocator allocator(const FlexFsConfig& config) {
  Allocator a;
  a.configure(config, 64);
  return a;
}

/// Pages that go to the SLC region out of a whole window, of which each `hot_every`-th is hot (0 = none).
std::uint32_t fill_window(Allocator& a, std::uint32_t pages, Q16 limit = kOne, std::uint32_t hot_every = 0) {
  std::uint32_t slc = 0;
  for (std::uint32_t i = 0; i < pages; ++i)
    if (a.place(hot_every != 0 && i % hot_every == 0, limit) == Region::slc) ++slc;
  return slc;
}

TEST(Allocator, migration_time_of_a_window_follows_equation_2) {
  const Allocator a = allocator(paper());
  // 1024 * (15 ms + 872 us / 64)
  EXPECT_EQ(a.migration_ns(), 1024ULL * (15'000'000U + 872'000U / 64));
}

TEST(Allocator, a_page_that_takes_longer_to_move_than_the_trigger_counts_as_long_as_it_takes) {
  FlexFsConfig config = paper();
  config.trigger_ns = 0;
  Allocator a = allocator(config);
  EXPECT_EQ(a.migration_ns(), 1024ULL * (872'000U / 64)) << "nothing has been moved yet";
  for (int i = 0; i < 200; ++i) a.note_move(1'500'000);
  EXPECT_NEAR(static_cast<double>(a.migration_ns()), 1024.0 * (1.5e6 + 872e3 / 64), 1e-3 * 1024 * 1.5e6);
  Allocator slow = allocator(paper());
  for (int i = 0; i < 200; ++i) slow.note_move(1'500'000);
  EXPECT_EQ(slow.migration_ns(), 1024ULL * (15'000'000U + 872'000U / 64)) << "T_trig is longer";
}

TEST(Allocator, starts_with_everything_in_slc) {
  Allocator a = allocator(paper());
  EXPECT_EQ(a.alpha(), kOne);
  EXPECT_EQ(fill_window(a, 1024), 1024U);
  EXPECT_TRUE(a.window_full());
}

TEST(Allocator, half_of_the_migration_time_gives_alpha_one_half) {
  Allocator a = allocator(paper());
  (void)fill_window(a, 1024);
  a.close_window(a.migration_ns() / 2);
  EXPECT_NEAR(a.alpha(), kOne / 2, 2);
  EXPECT_NEAR(fill_window(a, 1024), 512, 1);
}

TEST(Allocator, the_busy_benchmark_settles_near_one_half) {
  Allocator a = allocator(paper());
  for (int i = 0; i < 15; ++i) {
    (void)fill_window(a, 1024);
    a.close_window(8 * kSecond);  // 4 MB every 10 s
  }
  EXPECT_NEAR(a.alpha() / 65536.0, 8.0 / 15.374, 0.001);
}

TEST(Allocator, without_dynamic_allocation_alpha_stays) {
  FlexFsConfig config = paper();
  config.dynamic_allocation = false;
  Allocator a = allocator(config);
  (void)fill_window(a, 1024);
  a.close_window(0);
  EXPECT_EQ(a.alpha(), kOne);
}

TEST(Allocator, no_idle_time_sends_everything_to_mlc) {
  Allocator a = allocator(paper());
  (void)fill_window(a, 1024);
  a.close_window(0);
  EXPECT_EQ(a.alpha(), 0U);
  EXPECT_EQ(fill_window(a, 1024), 0U);
}

TEST(Allocator, pages_are_spread_evenly_over_the_window) {
  Allocator a = allocator(paper());
  (void)fill_window(a, 1024);
  a.close_window(a.migration_ns() / 4);
  std::uint32_t since = 0;
  for (int i = 0; i < 1024; ++i) {
    if (a.place(false, kOne) == Region::slc) {
      EXPECT_GE(since, 3U);
      since = 0;
    } else {
      ++since;
      EXPECT_LE(since, 4U);
    }
  }
}

TEST(Allocator, wear_limits_the_share_below_alpha) {
  Allocator a = allocator(paper());
  EXPECT_NEAR(fill_window(a, 1024, kOne / 5), 1024 / 5, 1);
}

TEST(Allocator, hot_pages_go_to_slc_first_without_exceeding_the_share) {
  Allocator a = allocator(paper(true));
  (void)fill_window(a, 1024);
  a.close_window(a.migration_ns() / 2);
  // The first 512 pages are cold, the others hot: hot ones find the region open although credit was used up.
  std::uint32_t slc = 0;
  std::uint32_t hot = 0;
  for (int i = 0; i < 1024; ++i) {
    const bool is_hot = i % 4 == 0;
    const bool in_slc = a.place(is_hot, kOne) == Region::slc;
    slc += in_slc ? 1U : 0U;
    hot += in_slc && is_hot ? 1U : 0U;
  }
  EXPECT_EQ(hot, 256U);
  EXPECT_NEAR(slc, 512, 2);
}

TEST(Allocator, hot_pages_alone_do_not_exceed_the_share) {
  Allocator a = allocator(paper(true));
  (void)fill_window(a, 1024);
  a.close_window(a.migration_ns() / 2);
  EXPECT_NEAR(fill_window(a, 1024, kOne, 1), 512, 1);
}

TEST(Allocator, hot_pages_shorten_the_migration_time_by_equation_4) {
  Allocator a = allocator(paper(true));
  (void)fill_window(a, 1024, kOne, 4);
  a.close_window(a.migration_ns() / 2);
  EXPECT_EQ(a.predicted_hot_pages(), 256U);
  EXPECT_EQ(a.migration_ns(), 768ULL * (15'000'000U + 872'000U / 64));
  EXPECT_NEAR(a.alpha() / 65536.0, 0.5 / 0.75, 0.001);  // from 0.5 to about 0.7, as in section 5.1.1
  EXPECT_EQ(a.hot_share_of_slc(), kOne / 4);
}

TEST(Allocator, a_page_diverted_from_slc_does_not_count_as_hot_there) {
  Allocator a = allocator(paper(true));
  for (int i = 0; i < 1024; ++i) {
    ASSERT_EQ(a.place(true, kOne), Region::slc);
    a.moved(Region::slc, true);
  }
  a.close_window(0);
  EXPECT_EQ(a.predicted_hot_pages(), 0U);
}

TEST(Allocator, one_region_takes_everything_when_it_is_the_only_one) {
  FlexFsConfig config = paper();
  config.slc_region = false;
  Allocator mlc = allocator(config);
  EXPECT_EQ(fill_window(mlc, 100), 0U);
  config.slc_region = true;
  config.mlc_region = false;
  Allocator slc = allocator(config);
  EXPECT_EQ(fill_window(slc, 100, 0), 100U);
}

}  // namespace
}  // namespace ftlab::flexfs
