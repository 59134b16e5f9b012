// Power is cut at every program and erase of a script, in several ways, and again during the recovery; afterwards
// every acknowledged page is there and an unacknowledged one is old or new.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/fms_bench.h"
#include "tests/support/host_script.h"

namespace ftlab::tests {
namespace {

constexpr Tear kTears[] = {Tear::none, Tear::half, Tear::tail, Tear::random, Tear::whole};

struct Start {
  EmulatedFlash::Image image;
  Oracle oracle;
  HostScript host;
};

FmsConfig cut_config() {
  FmsConfig config = small_config();
  config.logical_pages = 70;
  config.selection = "cat";
  config.redistribution = "fine_grained";
  return config;
}

Start start_after(const FmsConfig& config, std::uint64_t seed, int requests) {
  EmulatedFlash flash(small_part());
  FmsLife life(flash, config);
  EXPECT_EQ(life->config_error(), nullptr);
  EXPECT_EQ(life->format(0), FtlStatus::ok);
  Start start{{},
              Oracle(life->capacity_bytes(), config.page_bytes),
              HostScript(seed, life->capacity_bytes(), config.page_bytes)};
  for (int i = 0; i < requests; ++i) EXPECT_EQ(start.host.step(*life, start.oracle), FtlStatus::ok);
  start.image = flash.snapshot();
  return start;
}

/// Requests until one is not answered ok (power gone) or all are done.
void run_requests(FmsLife& life, HostScript& host, Oracle& oracle, int requests) {
  for (int i = 0; i < requests; ++i)
    if (host.step(*life, oracle) != FtlStatus::ok) return;
}

/// Cuts at change `cut`; with second_cut > 0 also the recovery at that change. False: the script ended before.
bool cut_and_recover(const FmsConfig& config, const Start& start, int requests, std::uint64_t cut, Tear tear,
                     std::uint64_t second_cut) {
  const std::string id = "cut " + std::to_string(cut) + " tear " + std::to_string(static_cast<int>(tear)) + " second " +
                         std::to_string(second_cut);
  EmulatedFlash flash(small_part());
  flash.restore(start.image);
  Oracle oracle = start.oracle;
  HostScript host = start.host;
  {
    FmsLife life(flash, config);
    EXPECT_EQ(life->mount(0), FtlStatus::ok) << id;
    flash.cut_power_at(cut, tear, cut);
    run_requests(life, host, oracle, requests);
    if (flash.powered()) return false;
  }
  flash.power_cycle();
  if (second_cut > 0) {
    FmsLife life(flash, config);
    flash.cut_power_at(second_cut, tear, second_cut);
    (void)life->mount(0);
    flash.power_cycle();
  }
  FmsLife life(flash, config);
  EXPECT_EQ(life->mount(0), FtlStatus::ok) << id;
  const char* broken = life->self_check();
  EXPECT_EQ(broken, nullptr) << id << ": " << (broken != nullptr ? broken : "");
  EXPECT_EQ(oracle.check(*life), "") << id;
  run_requests(life, host, oracle, 30);
  EXPECT_EQ(life->self_check(), nullptr) << id;
  EXPECT_EQ(oracle.check(*life), "") << id << ", working on";
  FmsLife again(flash, config);
  EXPECT_EQ(again->mount(0), FtlStatus::ok) << id;
  EXPECT_EQ(oracle.check(*again), "") << id << ", after a second mount";
  return !testing::Test::HasFailure();
}

void cut_everywhere(const FmsConfig& config, const Start& start, int requests, std::uint64_t second_cut = 0) {
  for (const Tear tear : kTears) {
    std::uint64_t cut = 1;
    while (cut_and_recover(config, start, requests, cut, tear, second_cut)) ++cut;
    if (testing::Test::HasFailure()) return;
    EXPECT_GT(cut, 50U) << "the script is too short to mean anything";
  }
}

TEST(FmsPowerCut, at_every_change_loses_nothing_acknowledged) {
  const FmsConfig config = cut_config();
  cut_everywhere(config, start_after(config, 21, 150), 40);
}

TEST(FmsPowerCut, at_every_change_with_one_active_segment_loses_nothing_acknowledged) {
  FmsConfig config = cut_config();
  config.selection = "greedy";
  config.redistribution = "sequential";
  config.low_water = config.high_water = 1;
  cut_everywhere(config, start_after(config, 22, 150), 40);
}

TEST(FmsPowerCut, at_every_change_with_overlapping_erases_loses_nothing_acknowledged) {
  FmsConfig config = cut_config();
  config.erase_mode = FmsConfig::EraseMode::overlap;
  cut_everywhere(config, start_after(config, 23, 150), 30);
}

TEST(FmsPowerCut, at_every_change_with_swaps_loses_nothing_acknowledged) {
  FmsConfig config = cut_config();
  config.wear_leveling = "swap";
  config.swap_from = 2;
  config.swap_gap = 2;
  cut_everywhere(config, start_after(config, 24, 150), 40);
}

TEST(FmsPowerCut, again_during_recovery_loses_nothing_acknowledged) {
  const FmsConfig config = cut_config();
  const Start start = start_after(config, 25, 150);
  for (const std::uint64_t second : {1U, 2U, 3U, 5U}) cut_everywhere(config, start, 20, second);
}

/// Life after life on one medium, each ended by a cut at a random change, some of them during mount.
void live_often(const FmsConfig& config, std::uint64_t seed, int lives) {
  EmulatedFlash flash(small_part());
  boost::random::mt19937_64 random(seed);
  const auto draw = [&](int from, int to) { return boost::random::uniform_int_distribution<int>(from, to)(random); };
  FmsLife first(flash, config);
  ASSERT_EQ(first->format(0), FtlStatus::ok);
  Oracle oracle(first->capacity_bytes(), config.page_bytes);
  HostScript host(seed, first->capacity_bytes(), config.page_bytes);
  for (int i = 0; i < 150; ++i) ASSERT_EQ(host.step(*first, oracle), FtlStatus::ok);
  for (int n = 0; n < lives; ++n) {
    const std::string id = "seed " + std::to_string(seed) + " life " + std::to_string(n);
    if (draw(0, 3) == 0) {
      FmsLife cut_short(flash, config);
      flash.cut_power_at(static_cast<std::uint64_t>(draw(1, 4)), kTears[draw(0, 4)], random());
      (void)cut_short->mount(0);
      flash.power_cycle();
    }
    FmsLife life(flash, config);
    ASSERT_EQ(life->mount(0), FtlStatus::ok) << id;
    ASSERT_EQ(life->self_check(), nullptr) << id;
    ASSERT_EQ(oracle.check(*life), "") << id;
    const auto cut = static_cast<std::uint64_t>(draw(1, 200));
    flash.cut_power_at(cut, kTears[draw(0, 4)], random());
    for (int i = 0; i < 300 && flash.powered(); ++i) {
      const FtlStatus status = host.step(*life, oracle);
      if (flash.powered()) {
        ASSERT_EQ(status, FtlStatus::ok) << id << " request " << i;
      }
    }
    ASSERT_FALSE(flash.powered()) << id;
    flash.power_cycle();
  }
}

TEST(FmsPowerCut, life_after_life_loses_nothing_acknowledged) {
  FmsConfig config = cut_config();
  for (std::uint64_t seed = 1; seed <= 6; ++seed) live_often(config, seed, 150);
  config.erase_mode = FmsConfig::EraseMode::overlap;
  for (std::uint64_t seed = 7; seed <= 12; ++seed) live_often(config, seed, 150);
  config.redistribution = "sequential";
  config.selection = "greedy";
  config.low_water = config.high_water = 1;
  for (std::uint64_t seed = 13; seed <= 18; ++seed) live_often(config, seed, 150);
  config.erase_mode = FmsConfig::EraseMode::wait;
  for (std::uint64_t seed = 19; seed <= 24; ++seed) live_often(config, seed, 150);
}

TEST(FmsPowerCut, while_the_full_log_is_rewritten_loses_nothing_acknowledged) {
  const FmsConfig config = cut_config();
  // Find the request that rewrites the log, and start shortly before it.
  int until = 0;
  {
    EmulatedFlash flash(small_part());
    FmsLife life(flash, config);
    ASSERT_EQ(life->format(0), FtlStatus::ok);
    Oracle oracle(life->capacity_bytes(), config.page_bytes);
    HostScript host(26, life->capacity_bytes(), config.page_bytes);
    while (life->stats().log_erases == 0) {
      ASSERT_EQ(host.step(*life, oracle), FtlStatus::ok);
      ASSERT_LT(++until, 20000);
    }
  }
  cut_everywhere(config, start_after(config, 26, until - 10), 20);
}

TEST(FmsPowerCut, while_formatting_gives_the_old_volume_or_none) {
  const FmsConfig config = cut_config();
  const Start start = start_after(config, 27, 100);
  for (const Tear tear : kTears) {
    for (std::uint64_t cut = 1;; ++cut) {
      EmulatedFlash flash(small_part());
      flash.restore(start.image);
      FmsLife life(flash, config);
      flash.cut_power_at(cut, tear, cut);
      const FtlStatus formatted = life->format(0);
      if (flash.powered()) {
        EXPECT_EQ(formatted, FtlStatus::ok);
        break;
      }
      EXPECT_NE(formatted, FtlStatus::ok);
      flash.power_cycle();
      FmsLife next(flash, config);
      const FtlStatus mounted = next->mount(0);
      if (mounted == FtlStatus::ok) {
        Oracle old = start.oracle;
        Oracle empty(next->capacity_bytes(), config.page_bytes);
        EXPECT_TRUE(old.check(*next).empty() || empty.check(*next).empty()) << "cut " << cut;
      } else {
        EXPECT_EQ(mounted, FtlStatus::not_formatted) << "cut " << cut;
      }
      EXPECT_EQ(next->format(0), FtlStatus::ok) << "cut " << cut;
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(FmsPowerCut, during_an_overlapped_erase_does_not_bring_back_what_was_trimmed_since) {
  FmsConfig config = cut_config();
  config.erase_mode = FmsConfig::EraseMode::overlap;
  EmulatedFlashOptions part = small_part();
  part.erase_delay = 1000;
  EmulatedFlash flash(part);
  FmsLife life(flash, config);
  ASSERT_EQ(life->format(0), FtlStatus::ok);
  Oracle oracle(life->capacity_bytes(), config.page_bytes);
  HostScript host(29, life->capacity_bytes(), config.page_bytes);
  while (life->stats().pages_copied == 0) ASSERT_EQ(host.step(*life, oracle), FtlStatus::ok);
  ASSERT_LT(life->stats().erases, life->stats().cleanings) << "no erase is under way";
  oracle.begin_trim(0, life->capacity_bytes());
  ASSERT_EQ(life->trim(0, life->capacity_bytes(), 0), FtlStatus::ok);
  oracle.acknowledge();
  flash.power_cycle();
  FmsLife next(flash, config);
  ASSERT_EQ(next->mount(0), FtlStatus::ok);
  EXPECT_EQ(oracle.check(*next), "");
}

TEST(FmsPowerCut, keeps_every_erase_count_that_of_an_erase_without_a_header_included) {
  const FmsConfig config = cut_config();
  const Start start = start_after(config, 28, 150);
  for (std::uint64_t cut = 1; cut < 200; ++cut) {
    EmulatedFlash flash(small_part());
    flash.restore(start.image);
    Oracle oracle = start.oracle;
    HostScript host = start.host;
    FmsLife life(flash, config);
    ASSERT_EQ(life->mount(0), FtlStatus::ok);
    flash.cut_power_at(cut, Tear::whole);
    run_requests(life, host, oracle, 100);
    flash.power_cycle();
    FmsLife next(flash, config);
    ASSERT_EQ(next->mount(0), FtlStatus::ok);
    for (std::uint32_t i = 1; i < flash.geometry().segments; ++i)
      EXPECT_EQ(next->segment(SegmentId{i}).erase_count, flash.erase_count(i)) << "cut " << cut << " segment " << i;
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace ftlab::tests
