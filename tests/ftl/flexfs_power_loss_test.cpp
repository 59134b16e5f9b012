// Power is lost at every change of a script, in several ways, and again during the recovery. Afterwards every durable
// page is there, and the others hold a version that the host wrote since.
#include <gtest/gtest.h>

#include <string>

#include "tests/fixtures/flexfs_fixture.h"

namespace ftlab::tests {
namespace {

struct Start {
  EmulatedNand::Image image;
  Oracle oracle;
  FlexHost host;
};

Start start_after(const FlexFsConfig& config, std::uint64_t seed, int requests) {
  EmulatedNand flash(small_nand());
  FlexFsSession session(flash, config);
  EXPECT_EQ(session->config_error(), nullptr);
  EXPECT_EQ(session->format(0), FtlStatus::ok);
  Start start{{},
              Oracle(session->capacity_bytes(), 512, kPartsAndTrimsNeedFlush),
              FlexHost(seed, session->capacity_bytes(), 512)};
  for (int i = 0; i < requests; ++i) EXPECT_EQ(start.host.step(*session, start.oracle), FtlStatus::ok);
  EXPECT_EQ(session->flush(start.host.now_ns()), FtlStatus::ok);
  start.oracle.acknowledge_flush();
  start.image = flash.snapshot();
  return start;
}

/// Requests until power is gone or all are done.
void run_requests(EmulatedNand& flash, FlexFsSession& session, FlexHost& host, Oracle& oracle, int requests,
                  const std::string& id) {
  for (int i = 0; i < requests; ++i) {
    const FtlStatus status = host.step(*session, oracle);
    if (!flash.powered()) return;
    ASSERT_EQ(status, FtlStatus::ok) << id << ", request " << i;
  }
}

/// Loses power at change `loss`; with second_loss > 0 also the recovery at that change. False: the script ended before.
bool lose_power_and_recover(const FlexFsConfig& config, const Start& start, int requests, std::uint64_t loss,
                            TornWrite torn, std::uint64_t second_loss) {
  const std::string id = "loss " + std::to_string(loss) + " torn write " + std::to_string(static_cast<int>(torn)) +
                         " second " + std::to_string(second_loss);
  EmulatedNand flash(small_nand());
  flash.restore(start.image);
  Oracle oracle = start.oracle;
  FlexHost host = start.host;
  {
    FlexFsSession session(flash, config);
    EXPECT_EQ(session->mount(0), FtlStatus::ok) << id;
    flash.lose_power_at(loss, torn, loss);
    run_requests(flash, session, host, oracle, requests, id);
    if (flash.powered()) return false;
  }
  flash.power_cycle();
  if (second_loss > 0) {
    FlexFsSession session(flash, config);
    flash.lose_power_at(second_loss, torn, second_loss);
    if (session->mount(0) == FtlStatus::ok && flash.powered()) {
      EXPECT_EQ(oracle.check_mounted(*session), "") << id << ", first recovery";
      run_requests(flash, session, host, oracle, 20, id);
    }
    flash.power_cycle();
  }
  FlexFsSession session(flash, config);
  EXPECT_EQ(session->mount(0), FtlStatus::ok) << id;
  const char* broken = session->self_check();
  EXPECT_EQ(broken, nullptr) << id << ": " << (broken != nullptr ? broken : "");
  // The mount has moved what only the recovery read still gave.
  flash.lose_recovered_pages();
  EXPECT_EQ(oracle.check_mounted(*session), "") << id;
  run_requests(flash, session, host, oracle, 20, id);
  EXPECT_EQ(session->self_check(), nullptr) << id;
  EXPECT_EQ(oracle.check_live(*session), "") << id << ", working on";
  FlexFsSession again(flash, config);
  EXPECT_EQ(again->mount(0), FtlStatus::ok) << id;
  EXPECT_EQ(oracle.check_mounted(*again), "") << id << ", after a second mount";
  return !testing::Test::HasFailure();
}

void lose_power_everywhere(const FlexFsConfig& config, const Start& start, int requests,
                           std::uint64_t second_loss = 0) {
  for (const TornWrite torn : kTornWrites) {
    std::uint64_t loss = 1;
    while (lose_power_and_recover(config, start, requests, loss, torn, second_loss)) ++loss;
    if (testing::Test::HasFailure()) return;
    EXPECT_GT(loss, 40U) << "the script is too short to mean anything";
  }
}

class FlexFsPowerLoss : public testing::TestWithParam<const char*> {};

TEST_P(FlexFsPowerLoss, at_every_change_loses_nothing_durable) {
  const FlexFsConfig config = small_flexfs(GetParam());
  lose_power_everywhere(config, start_after(config, 21, 300), 40);
}

TEST_P(FlexFsPowerLoss, again_soon_after_loses_nothing_durable) {
  const FlexFsConfig config = small_flexfs(GetParam());
  const Start start = start_after(config, 22, 300);
  for (const std::uint64_t second : {1U, 2U, 5U}) lose_power_everywhere(config, start, 25, second);
}

TEST_P(FlexFsPowerLoss, with_a_full_medium_loses_nothing_durable) {
  FlexFsConfig config = small_flexfs(GetParam());
  config.logical_pages = flexfs::max_logical_pages(config, EmulatedNand(small_nand()).geometry());
  lose_power_everywhere(config, start_after(config, 23, 600), 50);
}

INSTANTIATE_TEST_SUITE_P(Schemes, FlexFsPowerLoss,
                         testing::Values("slc_only", "mlc_only", "baseline", "bm", "da", "la"),
                         [](const auto& scheme) { return std::string(scheme.param); });

TEST(FlexFsPowerLosses, move_what_only_the_recovery_read_gives_at_once_however_little_is_free) {
  // Power losses in mounts and soon after, so that few segments are free; then what still needs the recovery read is
  // lost.
  for (const char* scheme : {"baseline", "da", "jffs2", "mlc_only"}) {
    for (std::uint64_t seed = 1; seed <= 25; ++seed) {
      EmulatedNandOptions part = small_nand();
      part.pages = 8;
      EmulatedNand flash(part);
      FlexFsConfig config = small_flexfs(scheme);
      config.logical_pages = flexfs::max_logical_pages(config, flash.geometry());
      FlexFsSession first(flash, config);
      ASSERT_EQ(first->format(0), FtlStatus::ok) << scheme;
      Oracle oracle(first->capacity_bytes(), 512, kPartsAndTrimsNeedFlush);
      FlexHost host(seed, first->capacity_bytes(), 512);
      for (int i = 0; i < 250; ++i) ASSERT_EQ(host.step(*first, oracle), FtlStatus::ok);
      boost::random::mt19937_64 random(seed);
      const auto draw = [&](int from, int to) {
        return boost::random::uniform_int_distribution<int>(from, to)(random);
      };
      for (int n = 0; n < 40; ++n) {
        const std::string id = std::string(scheme) + " seed " + std::to_string(seed) + " session " + std::to_string(n);
        const int losses = draw(1, 4);
        for (int loss = 0; loss < losses; ++loss) {
          FlexFsSession session(flash, config);
          const int within = loss == 0 ? 120 : draw(0, 1) != 0 ? 6 : 30;
          flash.lose_power_at(static_cast<std::uint64_t>(draw(1, within)), kTornWrites[draw(0, 4)], random());
          const FtlStatus mounted = session->mount(0);
          if (flash.powered()) {
            ASSERT_EQ(mounted, FtlStatus::ok) << id;
            ASSERT_EQ(oracle.check_mounted(*session), "") << id;
            run_requests(flash, session, host, oracle, 400, id);
            ASSERT_FALSE(testing::Test::HasFatalFailure());
          }
          flash.power_cycle();
        }
        FlexFsSession session(flash, config);
        ASSERT_EQ(session->mount(0), FtlStatus::ok) << id;
        ASSERT_STREQ(session->self_check(), nullptr) << id;
        flash.lose_recovered_pages();
        ASSERT_EQ(oracle.check_mounted(*session), "") << id;
        run_requests(flash, session, host, oracle, draw(5, 60), id);
        ASSERT_FALSE(testing::Test::HasFatalFailure());
      }
    }
  }
}

/// Session after session on one medium, each ended by a power loss at a random change, some of them during mount.
void session_after_session(const FlexFsConfig& config, std::uint64_t seed, int sessions) {
  EmulatedNand flash(small_nand());
  boost::random::mt19937_64 random(seed);
  const auto draw = [&](int from, int to) { return boost::random::uniform_int_distribution<int>(from, to)(random); };
  FlexFsSession first(flash, config);
  ASSERT_EQ(first->format(0), FtlStatus::ok);
  Oracle oracle(first->capacity_bytes(), 512, kPartsAndTrimsNeedFlush);
  FlexHost host(seed, first->capacity_bytes(), 512);
  for (int i = 0; i < 150; ++i) ASSERT_EQ(host.step(*first, oracle), FtlStatus::ok);
  flash.power_cycle();
  for (int n = 0; n < sessions; ++n) {
    const std::string id = "seed " + std::to_string(seed) + " session " + std::to_string(n);
    if (draw(0, 3) == 0) {
      FlexFsSession interrupted(flash, config);
      flash.lose_power_at(static_cast<std::uint64_t>(draw(1, 4)), kTornWrites[draw(0, 4)], random());
      (void)interrupted->mount(0);
      flash.power_cycle();
    }
    FlexFsSession session(flash, config);
    ASSERT_EQ(session->mount(0), FtlStatus::ok) << id;
    const char* broken = session->self_check();
    ASSERT_EQ(broken, nullptr) << id << (broken != nullptr ? broken : "");
    ASSERT_EQ(oracle.check_mounted(*session), "") << id;
    flash.lose_power_at(static_cast<std::uint64_t>(draw(1, 200)), kTornWrites[draw(0, 4)], random());
    run_requests(flash, session, host, oracle, 400, id);
    ASSERT_FALSE(testing::Test::HasFatalFailure());
    flash.power_cycle();
  }
}

TEST(FlexFsPowerLosses, session_after_session_loses_nothing_durable) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    session_after_session(small_flexfs("la"), seed, 120);
    session_after_session(small_flexfs("baseline"), seed + 10, 120);
    session_after_session(small_flexfs("mlc_only"), seed + 20, 120);
    FlexFsConfig full = small_flexfs("da");
    full.logical_pages = flexfs::max_logical_pages(full, EmulatedNand(small_nand()).geometry());
    session_after_session(full, seed + 30, 120);
    FlexFsConfig leveled = small_flexfs("la");
    leveled.level_gap = 2;
    session_after_session(leveled, seed + 40, 120);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(FlexFsPowerLosses, while_formatting_gives_the_old_volume_or_none) {
  const FlexFsConfig config = small_flexfs("la");
  const Start start = start_after(config, 27, 100);
  for (const TornWrite torn : kTornWrites) {
    for (std::uint64_t loss = 1;; ++loss) {
      EmulatedNand flash(small_nand());
      flash.restore(start.image);
      FlexFsSession session(flash, config);
      flash.lose_power_at(loss, torn, loss);
      const FtlStatus formatted = session->format(0);
      if (flash.powered()) {
        EXPECT_EQ(formatted, FtlStatus::ok);
        break;
      }
      EXPECT_NE(formatted, FtlStatus::ok);
      flash.power_cycle();
      FlexFsSession next(flash, config);
      const FtlStatus mounted = next->mount(0);
      if (mounted == FtlStatus::ok) {
        Oracle old = start.oracle;
        Oracle empty(next->capacity_bytes(), 512, kPartsAndTrimsNeedFlush);
        EXPECT_TRUE(old.check_mounted(*next).empty() || empty.check_mounted(*next).empty()) << "loss " << loss;
      } else {
        EXPECT_EQ(mounted, FtlStatus::not_formatted) << "loss " << loss;
      }
      EXPECT_EQ(next->format(0), FtlStatus::ok) << "loss " << loss;
      if (testing::Test::HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace ftlab::tests
