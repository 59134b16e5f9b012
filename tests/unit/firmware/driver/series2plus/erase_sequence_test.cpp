// The bus cycles of erasing, suspending, reading and setting up, one by one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <vector>

#include "firmware/driver/series2plus/pair_erase.h"
#include "tests/fixtures/counting_probe.h"
#include "tests/unit/firmware/driver/script_port.h"

namespace ftlab {
namespace {

using test::kBase;
using test::kBsr;
using test::kGsr;
using test::ScriptPort;
using testing::ElementsAre;
using tests::CountingProbe;

class EraseSequence : public testing::Test {
 protected:
  EraseSequence() {
    pair_.ready_line = true;
    port_.cells[kGsr] = {0x8686};
    port_.cells[8] = {0x8686};
    port_.cells[kBsr] = {0xC0C0};
    port_.cells[kBase] = {0x8080};
  }
  PartStatus erase() {
    const PartStatus started = erase_.start(pair_, kBase);
    return started == PartStatus::ok ? erase_.wait(pair_) : started;
  }

  ScriptPort port_;
  CountingProbe probe_;
  Series2PlusDriverConfig config_;
  PairState pair_;
  PairCommands commands_{port_, config_};
  PairErase erase_{port_, commands_, config_};
};

TEST_F(EraseSequence, erase_is_confirmed_and_asked_for_each_poll_interval) {
  EXPECT_EQ(erase(), PartStatus::ok);
  EXPECT_THAT(port_.log, ElementsAre("W 020000 7171", "R 020004",       // lock bit
                                     "W 020000 2020", "W 020000 D0D0",  //
                                     "W 020000 7070", "S 020000 8080"));
  EXPECT_EQ(port_.waits.back().poll_interval_ns, 100'000'000U);
  EXPECT_EQ(port_.waits.back().deadline_ns, 10'000'000'000U);
  EXPECT_EQ(pair_.erase, EraseState::none);
}

TEST_F(EraseSequence, ready_interrupt_can_end_the_wait) {
  config_.erase_wait = DriverWait::interrupt;
  EXPECT_EQ(erase(), PartStatus::ok);
  EXPECT_EQ(port_.log.back(), "I 020000 8080");
}

TEST_F(EraseSequence, locked_segment_is_refused_before_the_command) {
  port_.cells[kBsr] = {0x8080};
  EXPECT_EQ(erase(), PartStatus::write_protected);
  for (const std::string& line : port_.log) EXPECT_NE(line, "W 020000 2020");
}

TEST_F(EraseSequence, lock_bits_are_uploaded_when_a_reset_made_all_look_locked) {
  port_.cells[kBsr] = {0x8080, 0xC0C0};
  EXPECT_EQ(erase(), PartStatus::ok);
  EXPECT_THAT(port_.log, testing::IsSupersetOf({"W 000000 9797", "W 000000 D0D0", "W 020000 2020"}));
}

TEST_F(EraseSequence, what_is_started_again_and_what_is_answered_depends_on_the_status) {
  const struct {
    std::deque<std::uint16_t> status;
    PartStatus answer;
    std::ptrdiff_t attempts;
    std::ptrdiff_t aborts;
  } kCases[] = {
      {{0xA0A0}, PartStatus::erase_failed, 3, 3},
      {{0x0000, 0x80A0, 0x0000, 0x8080}, PartStatus::ok, 2, 1},
      {{0xA8A8}, PartStatus::no_vpp, 1, 1},
      {{0x0000}, PartStatus::timeout, 1, 1},
  };
  config_.retries = 2;
  for (const auto& one : kCases) {
    port_.log.clear();
    port_.cells[kBase] = one.status;
    EXPECT_EQ(erase(), one.answer) << one.status[0];
    EXPECT_EQ(std::ranges::count(port_.log, "W 020000 2020"), one.attempts) << one.status[0];
    EXPECT_EQ(std::ranges::count(port_.log, "W 020000 8080"), one.aborts) << one.status[0];
    EXPECT_EQ(pair_.erase, EraseState::none);
  }
}

TEST_F(EraseSequence, one_component_may_finish_before_the_other) {
  port_.cells[kBase] = {0x0080, 0x8000, 0x8080};
  ASSERT_EQ(erase_.start(pair_, kBase), PartStatus::ok);
  PartStatus result = PartStatus::timeout;
  EXPECT_FALSE(erase_.poll(pair_, result));
  EXPECT_FALSE(erase_.poll(pair_, result));
  EXPECT_TRUE(erase_.poll(pair_, result));
  EXPECT_EQ(result, PartStatus::ok);
}

TEST_F(EraseSequence, a_poll_of_an_erasing_pair_is_one_read_once_its_status_is_shown) {
  port_.cells[kBase] = {0x0000};
  ASSERT_EQ(erase_.start(pair_, kBase), PartStatus::ok);
  PartStatus result = PartStatus::ok;
  erase_.poll(pair_, result);
  port_.log.clear();
  erase_.poll(pair_, result);
  EXPECT_THAT(port_.log, ElementsAre("R 020000"));
}

TEST_F(EraseSequence, background_erase_takes_the_pair_off_the_ready_line) {
  config_.background_erase = true;
  ASSERT_EQ(erase_.start(pair_, kBase), PartStatus::ok);
  EXPECT_THAT(port_.log, testing::IsSupersetOf({"W 000000 9696", "W 000000 0404"}));
  EXPECT_FALSE(pair_.ready_line);
}

TEST_F(EraseSequence, suspend_read_resume) {
  pair_.erase = EraseState::running;
  pair_.erase_base = kBase;
  port_.cells[kGsr] = {0x0606, 0xC6C6};
  std::array<std::byte, 4> into{};
  EXPECT_TRUE(erase_.suspend(pair_));
  commands_.read(pair_, 0x60000, into);
  erase_.resume(pair_);
  EXPECT_THAT(port_.log, ElementsAre("W 020000 B0B0", "W 020000 7171", "R 020008", "P 020008 8080", "W 000000 FFFF",
                                     "b 060000 4", "W 020000 7171", "R 020008", "W 020000 D0D0"));
  EXPECT_EQ(pair_.erase, EraseState::running);
}

TEST_F(EraseSequence, only_a_suspended_component_is_resumed) {
  pair_.erase = EraseState::suspended;
  pair_.erase_base = kBase;
  port_.cells[kGsr] = {0xC686};
  erase_.resume(pair_);
  EXPECT_EQ(port_.log.back(), "w 020001 D0");
  pair_.mode = ReadMode::unknown;
  port_.cells[kGsr] = {0x86C6};
  erase_.resume(pair_);
  EXPECT_EQ(port_.log.back(), "w 020000 D0");
  port_.log.clear();
  pair_.mode = ReadMode::unknown;
  port_.cells[kGsr] = {0x8686};
  erase_.resume(pair_);
  EXPECT_THAT(port_.log, ElementsAre("W 020000 7171", "R 020008")) << "the erase had ended: nothing to resume";
}

TEST_F(EraseSequence, odd_reads_use_single_lanes_at_their_ends_and_no_command_when_data_is_shown) {
  pair_.mode = ReadMode::array;
  std::array<std::byte, 6> into{};
  commands_.read(pair_, 0x60001, into);
  EXPECT_THAT(port_.log, ElementsAre("r 060001", "b 060002 4", "r 060006"));
  port_.log.clear();
  commands_.read(pair_, 0x60001, std::span(into).first(1));
  commands_.read(pair_, 0x60002, std::span(into).first(1));
  EXPECT_THAT(port_.log, ElementsAre("r 060001", "r 060002"));
}

TEST_F(EraseSequence, bring_to_rest_ends_a_suspension_left_by_someone_else) {
  port_.cells[8] = {0xC6C6, 0x8686};
  EXPECT_TRUE(commands_.bring_to_rest(pair_));
  EXPECT_THAT(port_.log,
              ElementsAre("W 000000 FFFF", "D 1000", "W 000000 5050", "W 000000 7171", "S 000008 8080", "W 000000 D0D0",
                          "W 000000 7171", "S 000008 8080", "W 000000 FFFF", "D 1000", "W 000000 5050"));
}

TEST_F(EraseSequence, bring_to_rest_gives_up_on_a_pair_that_stays_busy) {
  port_.cells[8] = {0x0606};
  EXPECT_FALSE(commands_.bring_to_rest(pair_));
}

TEST_F(EraseSequence, refused_ready_mode_is_tried_again_and_then_reported) {
  config_.retries = 3;
  port_.cells[8] = {0xA6A6};
  EXPECT_FALSE(commands_.set_ready_line(pair_, true));
  EXPECT_EQ(std::count(port_.log.begin(), port_.log.end(), "W 000000 9696"), 4);
}

}  // namespace
}  // namespace ftlab
