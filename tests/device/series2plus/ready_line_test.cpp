// RDY/BSY# in both card modes and all RY/BY# modes of the components.
#include "tests/device/series2plus/card_fixture.h"

namespace ftlab::hw::testing {
namespace {

namespace cmr = series2plus::cmr;
namespace mode = series2plus::ready_mode;

class ReadyLineOfCard : public ::testing::Test {
 protected:
  void component_mode(std::uint32_t address, std::uint8_t value) {
    rig.command(address, command::kReadyBusyMode);
    rig.command(address, value);
  }
  void enter_high_performance() {
    rig.set_attribute(cmr::kReadyBusyMode, cmr::kReadyHighPerformance);
    rig.set_attribute(cmr::kReadyBusyMode, cmr::kReadyHighPerformance);
  }
  CardRig rig;
};

TEST_F(ReadyLineOfCard, idle_card_is_ready_and_has_no_edge_ahead) {
  EXPECT_TRUE(rig.core.line_level(rig.now));
  EXPECT_EQ(rig.core.next_ready_edge(rig.now), kNever);
  EXPECT_EQ(rig.core.next_status_change(rig.now), kNever);
}

TEST_F(ReadyLineOfCard, standard_mode_rises_once_when_the_last_pair_is_done) {
  rig.erase(0);
  rig.program_word(CardRig::kPair, 0);
  const Ticks program_end = rig.now + rig.core.spec().timing.word_program;
  EXPECT_FALSE(rig.core.line_level(program_end));
  const Ticks edge = rig.core.next_ready_edge(rig.now);
  EXPECT_EQ(edge, rig.observer.started[0].start + rig.core.spec().timing.erase);
  EXPECT_EQ(rig.core.next_ready_edge(edge), kNever);
  EXPECT_EQ(rig.core.next_status_change(rig.now), program_end);
}

TEST_F(ReadyLineOfCard, high_performance_mode_rises_at_every_component) {
  enter_high_performance();
  EXPECT_FALSE(rig.core.line_level(rig.now));
  EXPECT_EQ(rig.attribute(cmr::kReadyBusyMode), cmr::kReadyHighPerformance);
  rig.erase(0);
  rig.program_word(CardRig::kPair, 0);
  const Ticks program_end = rig.now + rig.core.spec().timing.word_program;
  EXPECT_EQ(rig.core.next_ready_edge(rig.now), program_end);
  rig.now = program_end;
  EXPECT_TRUE(rig.core.line_level(rig.now));
  EXPECT_EQ(rig.attribute(cmr::kReadyBusyMode), cmr::kReadyHighPerformance | cmr::kReadyAcknowledge);
  EXPECT_EQ(rig.core.next_ready_edge(rig.now), kNever) << "no second edge before the first is acknowledged";
  rig.set_attribute(cmr::kReadyBusyMode, cmr::kReadyHighPerformance);
  EXPECT_FALSE(rig.core.line_level(rig.now));
  EXPECT_EQ(rig.core.next_ready_edge(rig.now), rig.observer.started[0].start + rig.core.spec().timing.erase);
}

TEST_F(ReadyLineOfCard, disabled_component_does_not_hold_the_line) {
  component_mode(0, mode::kDisable);
  rig.erase(0);
  EXPECT_TRUE(rig.core.line_level(rig.now));
  EXPECT_EQ(rig.core.next_ready_edge(rig.now), kNever);
  EXPECT_NE(rig.core.next_status_change(rig.now), kNever);
  rig.program_word(CardRig::kPair, 0);
  EXPECT_EQ(rig.core.next_ready_edge(rig.now), rig.now + rig.core.spec().timing.word_program);
}

TEST_F(ReadyLineOfCard, pulse_on_write_pulses_low_after_a_program_and_not_after_an_erase) {
  component_mode(0, mode::kPulseOnWrite);
  rig.erase(0);
  EXPECT_TRUE(rig.core.line_level(rig.now));
  EXPECT_EQ(rig.core.next_ready_edge(rig.now), kNever);
  rig.now += rig.core.spec().timing.erase;
  rig.program_word(0, 0);
  const Ticks end = rig.now + rig.core.spec().timing.word_program;
  const Ticks pulse = rig.core.spec().timing.ready_pulse;
  EXPECT_TRUE(rig.core.line_level(rig.now));
  EXPECT_EQ(rig.core.next_line_change(rig.now), end);
  EXPECT_EQ(rig.core.next_ready_edge(rig.now), end + pulse);
  EXPECT_FALSE(rig.core.line_level(end));
  rig.core.advance_to(end);
  EXPECT_FALSE(rig.core.line_level(end + pulse - Ticks{1}));
  EXPECT_TRUE(rig.core.line_level(end + pulse));
}

TEST_F(ReadyLineOfCard, pulse_on_erase_pulses_after_an_erase_only) {
  component_mode(0, mode::kPulseOnErase);
  rig.program_word(0, 0);
  EXPECT_EQ(rig.core.next_ready_edge(rig.now), kNever);
  rig.now += rig.core.spec().timing.word_program;
  rig.erase(0);
  const Ticks end = rig.now + rig.core.spec().timing.erase;
  EXPECT_EQ(rig.core.next_ready_edge(rig.now), end + rig.core.spec().timing.ready_pulse);
}

TEST_F(ReadyLineOfCard, suspension_frees_the_line) {
  rig.erase(0);
  rig.command(0, command::kSuspend);
  EXPECT_EQ(rig.core.next_ready_edge(rig.now), rig.now + rig.core.spec().timing.erase_suspend);
}

TEST_F(ReadyLineOfCard, asking_the_future_changes_nothing) {
  rig.erase(0);
  const Ticks far = rig.now + std::chrono::hours{1};
  EXPECT_EQ(rig.core.next_ready_edge(far), kNever);
  EXPECT_EQ(rig.core.next_status_change(far), kNever);
  EXPECT_TRUE(rig.core.line_level(far));
  EXPECT_TRUE(rig.observer.ended.empty());
  EXPECT_EQ(rig.csr(0), 0x0000);
}

TEST_F(ReadyLineOfCard, mode_change_is_accepted_while_the_part_works) {
  rig.erase(0);
  component_mode(0, mode::kDisable);
  EXPECT_TRUE(rig.core.line_level(rig.now));
}

}  // namespace
}  // namespace ftlab::hw::testing
