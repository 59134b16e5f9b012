// Several pairs at work at the same time, and reads of idle pairs in between.
#include "tests/device/series2plus/card_fixture.h"

namespace ftlab::hw::testing {
namespace {

TEST(Concurrency, idle_pair_is_read_and_programmed_while_another_erases) {
  CardFixture fixture;
  fixture.poke16(CardFixture::kPair + 100, 0x7777);
  fixture.erase(0);
  EXPECT_EQ(fixture.read16(CardFixture::kPair + 100), 0x7777);
  fixture.program_word(CardFixture::kPair + 200, 0x4242);
  EXPECT_FALSE(fixture.core.line_level(fixture.now));
  fixture.now += fixture.core.spec().timing.word_program;
  EXPECT_EQ(fixture.csr(CardFixture::kPair), 0x8080);
  EXPECT_EQ(fixture.csr(0), 0x0000);
  EXPECT_EQ(fixture.peek16(CardFixture::kPair + 200), 0x4242);
}

TEST(Concurrency, other_pairs_status_is_its_own) {
  CardFixture fixture;
  fixture.command(0, command::kErase);
  fixture.command(0, command::kReadArray);
  EXPECT_NE(fixture.csr(0), 0x8080);
  EXPECT_EQ(fixture.csr(CardFixture::kPair), 0x8080);
}

TEST(Concurrency, one_component_of_a_pair_works_alone) {
  CardFixture fixture;
  fixture.write8(1, command::kErase);
  fixture.write8(1, command::kConfirm);
  EXPECT_EQ(fixture.csr(0), 0x0080) << "odd component busy, even one ready";
  ASSERT_EQ(fixture.observer.started.size(), 1U);
  EXPECT_EQ(fixture.observer.started[0].bytes, 64U * 1024);
  EXPECT_EQ(fixture.observer.started[0].components, 1);
  fixture.poke16(2, 0x0000);
  fixture.finish();
  EXPECT_EQ(fixture.peek16(2), 0xFF00);
}

TEST(Concurrency, components_that_parted_work_in_step_again_when_alike) {
  CardFixture fixture;
  fixture.write8(0, command::kReadCsr);
  fixture.read_array(0);  // both read the array now
  fixture.erase(0);
  ASSERT_EQ(fixture.observer.started.size(), 1U) << "one operation of two components";
  EXPECT_EQ(fixture.observer.started[0].components, 2);
}

TEST(Concurrency, abort_of_one_component_leaves_the_other_working_and_is_one_operation) {
  CardFixture fixture;
  fixture.erase(0);
  fixture.now += fixture.core.spec().timing.erase / 2;
  fixture.write8(0, command::kAbort);
  EXPECT_TRUE(fixture.observer.ended.empty());
  fixture.finish();
  ASSERT_EQ(fixture.observer.ended.size(), 1U);
  EXPECT_TRUE(fixture.observer.ended[0].failed);
  EXPECT_EQ(fixture.observer.ended[0].tag, 100U);
  const Picojoules whole = energy_of(fixture.core.spec().power.erase_uw.socket, fixture.core.spec().timing.erase);
  EXPECT_NEAR(to_joules(fixture.observer.ended[0].energy), to_joules(whole) * 1.5, 1e-4);
}

}  // namespace
}  // namespace ftlab::hw::testing
