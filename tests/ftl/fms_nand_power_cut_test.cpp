// The FMS on NAND: power is cut at every program, erase and bad mark of a script, in several ways, and again during the
// recovery. Every acknowledged write is there afterwards, and every trim that was flushed.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/nand_bench.h"

namespace ftlab::tests {
namespace {

constexpr Tear kTears[] = {Tear::none, Tear::half, Tear::tail, Tear::random, Tear::whole};

struct Start {
  EmulatedNand::Image image;
  Oracle oracle;
  HostScript host;
};

Start start_after(const FmsConfig& config, std::uint64_t seed, int requests) {
  NandVolume v(small_nand(), config, seed);
  EXPECT_EQ(v.life->config_error(), nullptr);
  EXPECT_EQ(v.life->format(0), FtlStatus::ok);
  for (int i = 0; i < requests; ++i) EXPECT_EQ(v.host.step(*v.life, v.oracle), FtlStatus::ok);
  return {v.flash.snapshot(), v.oracle, v.host};
}

void run_requests(FmsLife& life, HostScript& host, Oracle& oracle, int requests) {
  for (int i = 0; i < requests; ++i)
    if (host.step(*life, oracle) != FtlStatus::ok) return;
}

/// Cuts at change `cut`; with second_cut > 0 also the work right after the recovery. False: the script ended before.
bool cut_and_recover(const FmsConfig& config, const Start& start, int requests, std::uint64_t cut, Tear tear,
                     std::uint64_t second_cut) {
  const std::string id = "cut " + std::to_string(cut) + " tear " + std::to_string(static_cast<int>(tear)) + " second " +
                         std::to_string(second_cut);
  EmulatedNand flash(small_nand());
  flash.restore(start.image);
  Oracle oracle = start.oracle;
  HostScript host = start.host;
  {
    FmsLife life(flash, config);
    EXPECT_EQ(life->mount(0), FtlStatus::ok) << id;
    EXPECT_EQ(oracle.check(*life), "") << id;  // settles what became of trims that were not flushed
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
  EXPECT_EQ(oracle.check_live(*life), "") << id << ", working on";
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

TEST(FmsNandPowerCut, at_every_change_loses_nothing_acknowledged) {
  const FmsConfig config = nand_config();
  cut_everywhere(config, start_after(config, 21, 250), 60);
}

TEST(FmsNandPowerCut, at_every_change_with_one_active_segment_loses_nothing_acknowledged) {
  FmsConfig config = nand_config();
  config.selection = "greedy";
  config.redistribution = "sequential";
  config.low_water = config.high_water = 1;
  cut_everywhere(config, start_after(config, 22, 250), 60);
}

TEST(FmsNandPowerCut, at_every_change_with_swaps_loses_nothing_acknowledged) {
  FmsConfig config = nand_config();
  config.wear_leveling = "swap";
  config.swap_from = 2;
  config.swap_gap = 2;
  cut_everywhere(config, start_after(config, 24, 250), 60);
}

TEST(FmsNandPowerCut, again_during_recovery_loses_nothing_acknowledged) {
  const FmsConfig config = nand_config();
  const Start start = start_after(config, 25, 250);
  for (const std::uint64_t second : {1U, 2U, 5U}) cut_everywhere(config, start, 45, second);
}

/// Life after life on one medium, each ended by a cut at a random change, some of them during mount.
void live_often(const FmsConfig& config, std::uint64_t seed, int lives) {
  NandVolume v(small_nand(), config, seed);
  boost::random::mt19937_64 random(seed);
  const auto draw = [&](int from, int to) { return boost::random::uniform_int_distribution<int>(from, to)(random); };
  ASSERT_EQ(v.life->format(0), FtlStatus::ok);
  for (int i = 0; i < 200; ++i) ASSERT_EQ(v.host.step(*v.life, v.oracle), FtlStatus::ok);
  for (int n = 0; n < lives; ++n) {
    const std::string id = "seed " + std::to_string(seed) + " life " + std::to_string(n);
    if (draw(0, 3) == 0) {
      FmsLife cut_short(v.flash, config);
      v.flash.cut_power_at(static_cast<std::uint64_t>(draw(1, 4)), kTears[draw(0, 4)], random());
      (void)cut_short->mount(0);
      v.flash.power_cycle();
    }
    FmsLife life(v.flash, config);
    ASSERT_EQ(life->mount(0), FtlStatus::ok) << id;
    ASSERT_EQ(life->self_check(), nullptr) << id;
    ASSERT_EQ(v.oracle.check(*life), "") << id;
    v.flash.cut_power_at(static_cast<std::uint64_t>(draw(1, 200)), kTears[draw(0, 4)], random());
    for (int i = 0; i < 400 && v.flash.powered(); ++i) {
      const FtlStatus status = v.host.step(*life, v.oracle);
      if (v.flash.powered()) {
        ASSERT_EQ(status, FtlStatus::ok) << id << " request " << i;
      }
    }
    ASSERT_FALSE(v.flash.powered()) << id;
    v.flash.power_cycle();
  }
}

TEST(FmsNandPowerCut, life_after_life_loses_nothing_acknowledged) {
  FmsConfig config = nand_config();
  for (std::uint64_t seed = 1; seed <= 4; ++seed) live_often(config, seed, 100);
  config.redistribution = "sequential";
  config.selection = "greedy";
  config.low_water = config.high_water = 1;
  for (std::uint64_t seed = 5; seed <= 8; ++seed) live_often(config, seed, 100);
}

TEST(FmsNandPowerCut, while_formatting_gives_the_old_volume_or_none) {
  const FmsConfig config = nand_config();
  const Start start = start_after(config, 27, 150);
  for (const Tear tear : kTears) {
    for (std::uint64_t cut = 1;; ++cut) {
      EmulatedNand flash(small_nand());
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
        Oracle empty = nand_oracle(*next);
        EXPECT_TRUE(old.check(*next).empty() || empty.check(*next).empty()) << "cut " << cut;
      } else {
        EXPECT_EQ(mounted, FtlStatus::not_formatted) << "cut " << cut;
      }
      EXPECT_EQ(next->format(0), FtlStatus::ok) << "cut " << cut;
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(FmsNandPowerCut, does_not_bring_back_what_was_trimmed_and_flushed) {
  for (std::uint64_t cut = 1; cut < 120; ++cut) {
    NandVolume v;
    ASSERT_EQ(v.life->format(0), FtlStatus::ok);
    for (int i = 0; i < 250; ++i) ASSERT_EQ(v.host.step(*v.life, v.oracle), FtlStatus::ok);
    const std::uint64_t half = v.life->capacity_bytes() / 2;
    v.oracle.begin_trim(0, half);
    ASSERT_EQ(v.life->trim(0, half, 0), FtlStatus::ok);
    v.oracle.acknowledge();
    ASSERT_EQ(v.life->flush(0), FtlStatus::ok);
    v.oracle.flushed();
    v.flash.cut_power_at(cut, kTears[cut % 5], cut);
    run_requests(v.life, v.host, v.oracle, 200);
    ASSERT_FALSE(v.flash.powered());
    v.flash.power_cycle();
    FmsLife next(v.flash, v.config);
    ASSERT_EQ(next->mount(0), FtlStatus::ok);
    ASSERT_EQ(v.oracle.check(*next), "") << "cut " << cut;
  }
}

}  // namespace
}  // namespace ftlab::tests
