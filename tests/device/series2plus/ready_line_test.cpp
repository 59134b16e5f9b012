// RDY/BSY# in both card modes and all RY/BY# modes of the components.
#include "tests/device/series2plus/card_fixture.h"

namespace ftlab::hw::testing {
namespace {

namespace cmr = series2plus::cmr;
namespace mode = series2plus::ready_mode;

class ReadyLineOfCard : public ::testing::Test {
 protected:
  void component_mode(std::uint32_t address, std::uint8_t value) {
    fixture.command(address, command::kReadyBusyMode);
    fixture.command(address, value);
  }
  void enter_high_performance() {
    fixture.set_attribute(cmr::kReadyBusyMode, cmr::kReadyHighPerformance);
    fixture.set_attribute(cmr::kReadyBusyMode, cmr::kReadyHighPerformance);
  }
  CardFixture fixture;
};

TEST_F(ReadyLineOfCard, idle_card_is_ready_and_has_no_edge_ahead) {
  EXPECT_TRUE(fixture.core.line_level(fixture.now));
  EXPECT_EQ(fixture.core.next_ready_edge(fixture.now), kNever);
  EXPECT_EQ(fixture.core.next_status_change(fixture.now), kNever);
}

TEST_F(ReadyLineOfCard, standard_mode_rises_once_when_the_last_pair_is_done) {
  fixture.erase(0);
  fixture.program_word(CardFixture::kPair, 0);
  const Ticks program_end = fixture.now + fixture.core.spec().timing.word_program;
  EXPECT_FALSE(fixture.core.line_level(program_end));
  const Ticks edge = fixture.core.next_ready_edge(fixture.now);
  EXPECT_EQ(edge, fixture.observer.started[0].start + fixture.core.spec().timing.erase);
  EXPECT_EQ(fixture.core.next_ready_edge(edge), kNever);
  EXPECT_EQ(fixture.core.next_status_change(fixture.now), program_end);
}

TEST_F(ReadyLineOfCard, high_performance_mode_rises_at_every_component) {
  enter_high_performance();
  EXPECT_FALSE(fixture.core.line_level(fixture.now));
  EXPECT_EQ(fixture.attribute(cmr::kReadyBusyMode), cmr::kReadyHighPerformance);
  fixture.erase(0);
  fixture.program_word(CardFixture::kPair, 0);
  const Ticks program_end = fixture.now + fixture.core.spec().timing.word_program;
  EXPECT_EQ(fixture.core.next_ready_edge(fixture.now), program_end);
  fixture.now = program_end;
  EXPECT_TRUE(fixture.core.line_level(fixture.now));
  EXPECT_EQ(fixture.attribute(cmr::kReadyBusyMode), cmr::kReadyHighPerformance | cmr::kReadyAcknowledge);
  EXPECT_EQ(fixture.core.next_ready_edge(fixture.now), kNever) << "no second edge before the first is acknowledged";
  fixture.set_attribute(cmr::kReadyBusyMode, cmr::kReadyHighPerformance);
  EXPECT_FALSE(fixture.core.line_level(fixture.now));
  EXPECT_EQ(fixture.core.next_ready_edge(fixture.now),
            fixture.observer.started[0].start + fixture.core.spec().timing.erase);
}

TEST_F(ReadyLineOfCard, disabled_component_does_not_hold_the_line) {
  component_mode(0, mode::kDisable);
  fixture.erase(0);
  EXPECT_TRUE(fixture.core.line_level(fixture.now));
  EXPECT_EQ(fixture.core.next_ready_edge(fixture.now), kNever);
  EXPECT_NE(fixture.core.next_status_change(fixture.now), kNever);
  fixture.program_word(CardFixture::kPair, 0);
  EXPECT_EQ(fixture.core.next_ready_edge(fixture.now), fixture.now + fixture.core.spec().timing.word_program);
}

TEST_F(ReadyLineOfCard, pulse_on_write_pulses_low_after_a_program_and_not_after_an_erase) {
  component_mode(0, mode::kPulseOnWrite);
  fixture.erase(0);
  EXPECT_TRUE(fixture.core.line_level(fixture.now));
  EXPECT_EQ(fixture.core.next_ready_edge(fixture.now), kNever);
  fixture.now += fixture.core.spec().timing.erase;
  fixture.program_word(0, 0);
  const Ticks end = fixture.now + fixture.core.spec().timing.word_program;
  const Ticks pulse = fixture.core.spec().timing.ready_pulse;
  EXPECT_TRUE(fixture.core.line_level(fixture.now));
  EXPECT_EQ(fixture.core.next_line_change(fixture.now), end);
  EXPECT_EQ(fixture.core.next_ready_edge(fixture.now), end + pulse);
  EXPECT_FALSE(fixture.core.line_level(end));
  fixture.core.advance_to(end);
  EXPECT_FALSE(fixture.core.line_level(end + pulse - Ticks{1}));
  EXPECT_TRUE(fixture.core.line_level(end + pulse));
}

TEST_F(ReadyLineOfCard, pulse_on_erase_pulses_after_an_erase_only) {
  component_mode(0, mode::kPulseOnErase);
  fixture.program_word(0, 0);
  EXPECT_EQ(fixture.core.next_ready_edge(fixture.now), kNever);
  fixture.now += fixture.core.spec().timing.word_program;
  fixture.erase(0);
  const Ticks end = fixture.now + fixture.core.spec().timing.erase;
  EXPECT_EQ(fixture.core.next_ready_edge(fixture.now), end + fixture.core.spec().timing.ready_pulse);
}

TEST_F(ReadyLineOfCard, asking_the_future_changes_nothing) {
  fixture.erase(0);
  const Ticks far = fixture.now + std::chrono::hours{1};
  EXPECT_EQ(fixture.core.next_ready_edge(far), kNever);
  EXPECT_EQ(fixture.core.next_status_change(far), kNever);
  EXPECT_TRUE(fixture.core.line_level(far));
  EXPECT_TRUE(fixture.observer.ended.empty());
  EXPECT_EQ(fixture.csr(0), 0x0000);
}

TEST_F(ReadyLineOfCard, mode_change_is_accepted_while_the_part_works) {
  fixture.erase(0);
  component_mode(0, mode::kDisable);
  EXPECT_TRUE(fixture.core.line_level(fixture.now));
}

// The line is asked in between, so that nothing known from before may count.
TEST_F(ReadyLineOfCard, is_looked_at_anew_behind_whatever_changes_it) {
  const auto is_ready = [this] { return fixture.core.line_level(fixture.now); };
  ASSERT_TRUE(is_ready());
  fixture.erase(0);
  EXPECT_FALSE(is_ready()) << "an erase of both components";
  fixture.finish();
  ASSERT_TRUE(is_ready());
  const std::byte erase[] = {std::byte{command::kErase}, std::byte{command::kErase}, std::byte{command::kConfirm},
                             std::byte{command::kConfirm}};
  fixture.burst(CardFixture::kPair, erase);
  EXPECT_FALSE(is_ready()) << "one of the other pair, by a burst";
  fixture.finish();
  ASSERT_TRUE(is_ready());
  fixture.write8(0, command::kErase);
  fixture.write8(0, command::kConfirm);
  EXPECT_FALSE(is_ready()) << "one of the even component alone, by cycles of 8 bits";
  fixture.core.lose_power(fixture.now);
  fixture.core.restore_power(fixture.now);
  fixture.core.set_vpp_pin(fixture.now, true);
  EXPECT_TRUE(is_ready()) << "power is back";
  fixture.write8(1, command::kErase);
  fixture.write8(1, command::kConfirm);
  EXPECT_FALSE(is_ready());
  fixture.write16(0, both(command::kSuspend));
  EXPECT_LT(fixture.core.next_ready_edge(fixture.now), fixture.now + fixture.core.spec().timing.erase / 2)
      << "suspended while the components are apart";
  fixture.erase(CardFixture::kPair);
  EXPECT_FALSE(is_ready());
  fixture.core.reset_pin(fixture.now, true);
  EXPECT_TRUE(is_ready()) << "reset";
  fixture.core.reset_pin(fixture.now, false);
  fixture.now += fixture.core.spec().timing.erase;
  fixture.erase(0);
  EXPECT_FALSE(is_ready());
  fixture.core.set_vpp_pin(fixture.now, false);
  EXPECT_TRUE(is_ready()) << "an erase without its voltage fails at once";
}

}  // namespace
}  // namespace ftlab::hw::testing
