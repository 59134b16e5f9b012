// Reads that ECC is not enough for go on in steps: their time on die and channel, their energy, and what a segment
// remembers of them.
#include "tests/device/array/two_steps.h"
#include "tests/fixtures/error_text.h"

namespace ftlab::hw::testing {
namespace {

constexpr double kCommand = 1;    // us
constexpr double kRead = 50;      // tR of an LSB page
constexpr double kTransfer = 20;  // of a page
constexpr double kDescriptor = 0.1;
constexpr double kPlain = kCommand + kRead + kTransfer;
constexpr double kSecond = kCommand + 3 * kRead + 2 * kTransfer;  // the second step
constexpr double kAll = kPlain + 7 + kPlain + 7 + kSecond;

const array::PageReads& lsb(const ArrayFixture& fixture) { return fixture.core.page_reads()[0]; }

TEST(ArrayReadRetry, a_read_takes_its_steps_and_the_next_one_begins_with_that_which_was_enough) {
  ArrayFixture fixture(array_part(two_steps()));
  fixture.run(make(Op::program, 0));
  EXPECT_EQ(fixture.run(make(Op::read, 0), Status::corrected), us(kDescriptor + kAll));
  EXPECT_EQ(fixture.run(make(Op::read, 0), Status::corrected), us(kDescriptor + kSecond)) << "remembered";
  fixture.run(make(Op::program, fixture.page(1, 0)));
  EXPECT_EQ(fixture.run(make(Op::read, fixture.page(1, 0)), Status::corrected), us(kDescriptor + kAll))
      << "by each segment for itself";
  EXPECT_EQ(lsb(fixture).reads, 3U);
  EXPECT_EQ(lsb(fixture).retries, 4U);
  EXPECT_EQ(lsb(fixture).unreadable, 0U);
  EXPECT_EQ(lsb(fixture).lost_codewords, 0U) << "of the steps before nobody asks";
  EXPECT_NEAR(lsb(fixture).wrong_bits, 3 * 2048 * 8 * 0.01, 1e-6);
  EXPECT_EQ(fixture.core.page_reads()[1].reads, 0U);
}

TEST(ArrayReadRetry, erase_and_loss_of_power_make_it_forget) {
  ArrayFixture fixture(array_part(two_steps()));
  fixture.run(make(Op::program, 0));
  fixture.run(make(Op::read, 0), Status::corrected);
  fixture.run(make(Op::erase, 0));
  fixture.run(make(Op::program, 0));
  EXPECT_EQ(fixture.run(make(Op::read, 0), Status::corrected), us(kDescriptor + kAll));
  fixture.power_cycle();
  EXPECT_EQ(fixture.run(make(Op::read, 0), Status::corrected), us(kDescriptor + kAll));
}

TEST(ArrayReadRetry, time_and_energy_of_the_steps_are_those_of_the_read) {
  ArrayFixture fixture(array_part(two_steps()));
  const ArraySpec& spec = fixture.core.spec();
  fixture.run(make(Op::program, 0));
  fixture.run(make(Op::read, 0), Status::corrected);
  const OperationTotal& load = fixture.total(DeviceOpKind::load);
  EXPECT_EQ(load.operations, 1U);
  EXPECT_EQ(load.busy, TickSum{us(kAll)});
  EXPECT_EQ(load.die_time, TickSum{us(kAll)});
  const Picojoules sensing = energy_of(spec.power.read_uw, us(kRead));
  EXPECT_EQ(load.energy, (Picojoules{sensing.count() * 5 + spec.power.transfer.count() * 4}));
  EXPECT_EQ(fixture.core.channel_times()[0], us(kCommand + kTransfer) + us(4 * kTransfer)) << "with the program's";
}

TEST(ArrayReadRetry, behind_the_last_step_it_is_unreadable) {
  ArrayFixture fixture(array_part(two_steps({{"read_retry.gain", "[0.9, 0.8]"}})));
  fixture.run(make(Op::program, 0));
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(fixture.run(make(Op::read, 0), Status::uncorrectable), us(kDescriptor + kAll)) << "nothing to remember";
  }
  EXPECT_EQ(lsb(fixture).unreadable, 2U);
  EXPECT_EQ(lsb(fixture).lost_codewords, 4U) << "both of each";
  EXPECT_NEAR(static_cast<double>(lsb(fixture).lost_bits), 2 * 2048 * 8 * 0.008, 50) << "of the last step";
  EXPECT_EQ(fixture.total(DeviceOpKind::load).failed, 2U);
}

TEST(ArrayReadRetry, what_is_torn_is_tried_with_every_step) {
  ArrayFixture fixture(array_part(two_steps()));
  fixture.submit(make(Op::program, 0));
  fixture.power_cycle(us(100));
  EXPECT_EQ(fixture.run(make(Op::read, 0), Status::uncorrectable), us(kDescriptor + kAll));
}

TEST(ArrayReadRetry, data_must_move_only_when_no_step_is_left) {
  const auto moves = [](const char* gain) {
    ArrayFixture fixture(array_part(two_steps({{"read_retry.gain", gain}, {"errors.move_bits", "1"}})));
    fixture.run(make(Op::program, 0));
    fixture.submit(make(Op::read, 0));
    return fixture.wait().must_move != 0;
  };
  EXPECT_FALSE(moves("[0.1, 0.05]"));
  EXPECT_TRUE(moves("[0.9, 0.1]"));
}

TEST(ArrayReadRetry, the_channel_is_free_while_a_step_is_sensed) {
  ArrayFixture fixture(array_part(two_steps()));
  const std::uint32_t other = 32;  // the second die of the channel
  ASSERT_EQ(fixture.core.spec().segments_per_die() * 2, other);
  fixture.run(make(Op::program, 0));
  fixture.run(make(Op::program, fixture.page(other, 0)));
  const std::vector<Descriptor> both = {make(Op::read, 0), make(Op::read, fixture.page(other, 0))};
  const Ticks begin = fixture.now;
  fixture.submit(both);
  EXPECT_EQ(fixture.wait().page, 0U);
  EXPECT_EQ(fixture.now - begin, us(kDescriptor + kAll)) << "nobody is ahead of the first one";
  EXPECT_EQ(fixture.wait().page, fixture.page(other, 0));
  EXPECT_LT(fixture.now - begin, us(2 * kDescriptor + kAll + 4 * kTransfer + 1)) << "it waits for transfers alone";
}

TEST(ArrayReadRetry, copies_read_in_steps_too) {
  ArrayFixture fixture(array_part(two_steps()));
  const std::uint32_t to = fixture.page(2, 0);
  fixture.run(make(Op::program, 0));
  const Ticks program = fixture.core.spec().timing.program[0];
  const Ticks within = fixture.run(make(Op::copy, 0, to), Status::corrected);
  const double steps = (kCommand + kRead) * 2 + kCommand + 3 * kRead + 2 * 7;
  EXPECT_EQ(within, us(kDescriptor + steps + kCommand) + program) << "nothing crosses the channel";
  const Ticks before = fixture.now;
  fixture.run(make(Op::copy, to, fixture.page(16, 0)), Status::corrected);
  EXPECT_EQ(fixture.now - before, us(kDescriptor + kAll + kCommand + kTransfer) + program) << "to another die";
}

/// Busy times and energies of loads are again what they were before something queued never began.
void undo(const Descriptor& first, const Descriptor& second) {
  ArrayFixture fixture(array_part(two_steps()));
  fixture.run(make(Op::program, 0));
  fixture.run(make(Op::program, fixture.page(1, 0)));
  fixture.submit(first);
  const OperationTotal one = fixture.total(DeviceOpKind::load);
  fixture.submit(second);
  EXPECT_NE(fixture.total(DeviceOpKind::load).busy, one.busy);
  fixture.power_cycle(us(60));
  const OperationTotal& left = fixture.total(DeviceOpKind::load);
  EXPECT_EQ(left.operations, 1U);
  EXPECT_EQ(left.torn, 1U);
  const double spent = to_seconds(us(60)) / to_seconds(us(kAll));
  EXPECT_NEAR(static_cast<double>(left.energy.count()), static_cast<double>(one.energy.count()) * spent,
              0.01 * static_cast<double>(one.energy.count()));
}

TEST(ArrayReadRetry, what_power_loss_undoes_is_taken_off_with_its_steps) {
  const std::uint32_t other = 6;  // the first page of the next segment
  undo(make(Op::read, 0), make(Op::read, other));
  undo(make(Op::read, 0), make(Op::copy, other, 12));
  undo(make(Op::read, 0), make(Op::copy, other, 16 * 6));
}

TEST(ArrayReadRetry, pages_that_are_sensed_together_go_through_the_steps_together) {
  std::string reason;
  const auto spec = in_units(array_part(two_steps({{"page_bytes", "4096"}, {"channel.rate", "204.8"}})), 2048, reason);
  ASSERT_TRUE(spec) << reason;
  ArrayFixture fixture(*spec);
  const std::vector<Descriptor> programs = {make(Op::program, 0), make(Op::program, 1)};
  fixture.submit(programs);
  fixture.drain();
  const std::vector<Descriptor> reads = {make(Op::read, 0), make(Op::read, 1)};
  const Ticks begin = fixture.now;
  fixture.submit(reads);
  EXPECT_EQ(fixture.wait().status, Status::corrected);
  EXPECT_EQ(fixture.now - begin, us(2 * kDescriptor + kAll)) << "both halves cross with each step";
  EXPECT_EQ(fixture.total(DeviceOpKind::load).operations, 1U);
  EXPECT_EQ(fixture.total(DeviceOpKind::load).busy, TickSum{us(kAll)});
}

TEST(ArrayReadRetry, without_errors_nothing_is_read_again) {
  ArrayFixture fixture(array_part(two_steps({{"errors.base", "0"}})));
  fixture.run(make(Op::program, 0));
  EXPECT_EQ(fixture.run(make(Op::read, 0)), us(kDescriptor + kPlain));
  EXPECT_EQ(lsb(fixture).reads, 0U);
}

TEST(ArrayReadRetry, steps_that_no_controller_has_are_refused_with_their_key) {
  const auto refusal = [](const ArrayOverrides& more) {
    return test::error_text([&] { array_part(two_steps(more)); }, "");
  };
  const std::pair<ArrayOverrides, const char*> cases[] = {
      {{{"read_retry.source", "\"\""}}, "where the steps come from"},
      {{{"read_retry.gain", "[]"}}, "1 to 15 steps"},
      {{{"read_retry.gain", "[0.5, 1.5]"}}, "out of range"},
      {{{"read_retry.sensings", "[1]"}}, "one for each of read_retry.gain"},
      {{{"read_retry.transfers", "[1, 1.5]"}}, "whole numbers"},
      {{{"read_retry.decode", "50 ms"}}, "more than 100 ms"},
      {{{"read_retry.tries", "3"}}, "read_retry.tries"}};
  expect_refusals(refusal, cases);
}

}  // namespace
}  // namespace ftlab::hw::testing
