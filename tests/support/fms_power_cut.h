// Cuts power under an FMS at every change of its medium, and again during the recovery: every acknowledged page is
// there afterwards, an unacknowledged one is old or new. Knows no medium; a Medium gives
//   Flash               an emulated part that can lose power and keeps its image
//   Flash make()        one of them, blank
//   Oracle oracle(ftl)  what the host may expect of it
#pragma once

#include <gtest/gtest.h>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <string>

#include "tests/support/fms_bench.h"
#include "tests/support/host_script.h"

namespace ftlab::tests {

/// Requests until one is not answered ok (power gone) or all are done.
inline void run_requests(FmsLife& life, HostScript& host, Oracle& oracle, int requests) {
  for (int i = 0; i < requests; ++i)
    if (host.step(*life, oracle) != FtlStatus::ok) return;
}

template <class Medium>
class FmsPowerCuts {
 public:
  using Flash = typename Medium::Flash;

  /// A used volume, and what its host knows.
  struct Start {
    typename Flash::Image image;
    Oracle oracle;
    HostScript host;
  };

  explicit FmsPowerCuts(FmsConfig config) : config_(config) {}

  [[nodiscard]] Start start_after(std::uint64_t seed, int requests) const {
    Flash flash = Medium::make();
    FmsLife life(flash, config_);
    EXPECT_EQ(life->config_error(), nullptr);
    EXPECT_EQ(life->format(0), FtlStatus::ok);
    Start start{{}, Medium::oracle(*life), HostScript(seed, life->capacity_bytes(), config_.page_bytes)};
    for (int i = 0; i < requests; ++i) EXPECT_EQ(start.host.step(*life, start.oracle), FtlStatus::ok);
    start.image = flash.snapshot();
    return start;
  }

  /// Each change that `requests` after the start bring is cut once, in each way; with second_cut > 0 the recovery at
  /// that change, too.
  void everywhere(const Start& start, int requests, std::uint64_t second_cut = 0) const {
    for (const Tear tear : kTears) {
      std::uint64_t cut = 1;
      while (cut_and_recover(start, requests, cut, tear, second_cut)) ++cut;
      if (testing::Test::HasFailure()) return;
      EXPECT_GT(cut, 50U) << "the script is too short to mean anything";
    }
  }

  /// Life after life on one medium, each ended by a cut at a random change, some of them during mount.
  void life_after_life(std::uint64_t seed, int lives) const {
    boost::random::mt19937_64 random(seed);
    const auto draw = [&](int from, int to) { return boost::random::uniform_int_distribution<int>(from, to)(random); };
    const auto cut_within = [&](Flash& flash, int changes) {
      const auto cut = static_cast<std::uint64_t>(draw(1, changes));
      const Tear tear = kTears[draw(0, 4)];
      flash.cut_power_at(cut, tear, random());
    };
    Start start = start_after(seed, 200);
    Flash flash = Medium::make();
    flash.restore(start.image);
    for (int n = 0; n < lives; ++n) {
      const std::string id = "seed " + std::to_string(seed) + " life " + std::to_string(n);
      if (draw(0, 3) == 0) {
        FmsLife cut_short(flash, config_);
        cut_within(flash, 4);
        (void)cut_short->mount(0);
        flash.power_cycle();
      }
      FmsLife life(flash, config_);
      ASSERT_EQ(life->mount(0), FtlStatus::ok) << id;
      ASSERT_EQ(life->self_check(), nullptr) << id;
      ASSERT_EQ(start.oracle.check(*life), "") << id;
      cut_within(flash, 200);
      for (int i = 0; i < 400 && flash.powered(); ++i) {
        const FtlStatus status = start.host.step(*life, start.oracle);
        if (flash.powered()) {
          ASSERT_EQ(status, FtlStatus::ok) << id << " request " << i;
        }
      }
      ASSERT_FALSE(flash.powered()) << id;
      flash.power_cycle();
    }
  }

  /// A format that is cut leaves the old volume, a new one or none, and can be done again.
  void while_formatting(const Start& start) const {
    for (const Tear tear : kTears) {
      for (std::uint64_t cut = 1;; ++cut) {
        Flash flash = Medium::make();
        flash.restore(start.image);
        FmsLife life(flash, config_);
        flash.cut_power_at(cut, tear, cut);
        const FtlStatus formatted = life->format(0);
        if (flash.powered()) {
          EXPECT_EQ(formatted, FtlStatus::ok);
          break;
        }
        EXPECT_NE(formatted, FtlStatus::ok);
        flash.power_cycle();
        FmsLife next(flash, config_);
        const FtlStatus mounted = next->mount(0);
        if (mounted == FtlStatus::ok) {
          Oracle old = start.oracle;
          Oracle empty = Medium::oracle(*next);
          EXPECT_TRUE(old.check(*next).empty() || empty.check(*next).empty()) << "cut " << cut;
        } else {
          EXPECT_EQ(mounted, FtlStatus::not_formatted) << "cut " << cut;
        }
        EXPECT_EQ(next->format(0), FtlStatus::ok) << "cut " << cut;
        if (testing::Test::HasFailure()) return;
      }
    }
  }

 private:
  /// False: the script ended before the cut, or something failed.
  bool cut_and_recover(const Start& start, int requests, std::uint64_t cut, Tear tear, std::uint64_t second_cut) const {
    const std::string id = "cut " + std::to_string(cut) + " tear " + std::to_string(static_cast<int>(tear)) +
                           " second " + std::to_string(second_cut);
    Flash flash = Medium::make();
    flash.restore(start.image);
    Oracle oracle = start.oracle;
    HostScript host = start.host;
    {
      FmsLife life(flash, config_);
      EXPECT_EQ(life->mount(0), FtlStatus::ok) << id;
      EXPECT_EQ(oracle.check(*life), "") << id;  // settles what became of trims that were not flushed
      flash.cut_power_at(cut, tear, cut);
      run_requests(life, host, oracle, requests);
      if (flash.powered()) return false;
    }
    flash.power_cycle();
    if (second_cut > 0) {
      FmsLife life(flash, config_);
      flash.cut_power_at(second_cut, tear, second_cut);
      (void)life->mount(0);
      flash.power_cycle();
    }
    FmsLife life(flash, config_);
    EXPECT_EQ(life->mount(0), FtlStatus::ok) << id;
    const char* broken = life->self_check();
    EXPECT_EQ(broken, nullptr) << id << ": " << (broken != nullptr ? broken : "");
    EXPECT_EQ(oracle.check(*life), "") << id;
    run_requests(life, host, oracle, 30);
    EXPECT_EQ(life->self_check(), nullptr) << id;
    EXPECT_EQ(oracle.check_live(*life), "") << id << ", working on";
    FmsLife again(flash, config_);
    EXPECT_EQ(again->mount(0), FtlStatus::ok) << id;
    EXPECT_EQ(oracle.check(*again), "") << id << ", after a second mount";
    return !testing::Test::HasFailure();
  }

  FmsConfig config_;
};

}  // namespace ftlab::tests
