// Several pairs at work at the same time, and reads of idle pairs in between.
#include "tests/device/series2plus/card_fixture.h"

namespace ftlab::hw::testing {
namespace {

TEST(Concurrency, pairs_work_at_the_same_time) {
  CardRig rig(part_spec("series2plus-24mb"));
  const Ticks begin = rig.now;
  for (std::uint32_t pair = 0; pair < 6; ++pair) rig.erase(pair * CardRig::kPair);
  const Ticks erase = rig.core.spec().timing.erase;
  EXPECT_LT(rig.core.next_ready_edge(rig.now) - begin, erase + std::chrono::microseconds{10});
  rig.finish();
  for (std::uint32_t pair = 0; pair < 6; ++pair) EXPECT_EQ(rig.core.erase_count(pair * 32), 1U);
}

TEST(Concurrency, idle_pair_is_read_and_programmed_while_another_erases) {
  CardRig rig;
  rig.poke16(CardRig::kPair + 100, 0x7777);
  rig.erase(0);
  EXPECT_EQ(rig.read16(CardRig::kPair + 100), 0x7777);
  rig.program_word(CardRig::kPair + 200, 0x4242);
  EXPECT_FALSE(rig.core.line_level(rig.now));
  rig.now += rig.core.spec().timing.word_program;
  EXPECT_EQ(rig.csr(CardRig::kPair), 0x8080);
  EXPECT_EQ(rig.csr(0), 0x0000);
  EXPECT_EQ(rig.peek16(CardRig::kPair + 200), 0x4242);
}

TEST(Concurrency, other_pairs_status_is_its_own) {
  CardRig rig;
  rig.command(0, command::kErase);
  rig.command(0, command::kReadArray);
  EXPECT_NE(rig.csr(0), 0x8080);
  EXPECT_EQ(rig.csr(CardRig::kPair), 0x8080);
}

TEST(Concurrency, one_component_of_a_pair_works_alone) {
  CardRig rig;
  rig.write8(1, command::kErase);
  rig.write8(1, command::kConfirm);
  EXPECT_EQ(rig.csr(0), 0x0080) << "odd component busy, even one ready";
  ASSERT_EQ(rig.observer.started.size(), 1U);
  EXPECT_EQ(rig.observer.started[0].bytes, 64U * 1024);
  EXPECT_EQ(rig.observer.started[0].components, 1);
  rig.poke16(2, 0x0000);
  rig.finish();
  EXPECT_EQ(rig.peek16(2), 0xFF00);
}

TEST(Concurrency, components_that_parted_work_in_step_again_when_alike) {
  CardRig rig;
  rig.write8(0, command::kReadCsr);
  rig.read_array(0);  // both read the array now
  rig.erase(0);
  ASSERT_EQ(rig.observer.started.size(), 1U) << "one operation of two components";
  EXPECT_EQ(rig.observer.started[0].components, 2);
}

TEST(Concurrency, abort_of_one_component_leaves_the_other_working_and_is_one_operation) {
  CardRig rig;
  rig.erase(0);
  rig.now += rig.core.spec().timing.erase / 2;
  rig.write8(0, command::kAbort);
  EXPECT_TRUE(rig.observer.ended.empty());
  rig.finish();
  ASSERT_EQ(rig.observer.ended.size(), 1U);
  EXPECT_TRUE(rig.observer.ended[0].failed);
  EXPECT_EQ(rig.observer.ended[0].tag, 100U);
  const Picojoules whole = energy_of(rig.core.spec().power.erase_uw.socket, rig.core.spec().timing.erase);
  EXPECT_NEAR(to_joules(rig.observer.ended[0].energy), to_joules(whole) * 1.5, 1e-4);
}

}  // namespace
}  // namespace ftlab::hw::testing
