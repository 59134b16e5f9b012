// Sums of operations, their energy, standby, and what the observer hears.
#include "tests/device/array/array_fixture.h"

namespace ftlab::hw::testing {
namespace {

TEST(ArrayAccounting, energy_is_counts_times_energies) {
  ArrayFixture fixture;
  for (std::uint32_t page = 0; page < 6; ++page) fixture.run(make(Op::program, page));
  for (std::uint32_t page = 0; page < 3; ++page) fixture.run(make(Op::read, page));
  fixture.run(make(Op::copy, 1, 6));       // within the die
  fixture.run(make(Op::copy, 2, 6 * 16));  // to another one
  fixture.run(make(Op::erase, 0));
  const ArraySpec& spec = fixture.core.spec();
  const auto read = [&](int type) { return energy_of(spec.power.read_uw, spec.timing.read[type]); };
  const auto program = [&](int type) { return energy_of(spec.power.program_uw, spec.timing.program[type]); };
  const Picojoules transfer = spec.power.transfer;

  const OperationTotal& programs = fixture.total(DeviceOpKind::buffer_program);
  EXPECT_EQ(programs.operations, 8U);
  EXPECT_EQ(programs.bytes, 8U * 2048);
  EXPECT_EQ(programs.energy, program(0) * 5 + program(1) * 3 + transfer * 7);
  EXPECT_EQ(programs.busy, us(5 * 400 + 3 * 2200 + 8 * 1 + 7 * 20));

  const OperationTotal& loads = fixture.total(DeviceOpKind::load);
  EXPECT_EQ(loads.operations, 5U);
  EXPECT_EQ(loads.energy, read(0) * 3 + read(1) * 2 + transfer * 4);
  EXPECT_EQ(loads.busy, us(3 * 50 + 2 * 75 + 5 * 1 + 4 * 20));

  const OperationTotal& erases = fixture.total(DeviceOpKind::erase);
  EXPECT_EQ(erases.operations, 1U);
  EXPECT_EQ(erases.bytes, 6U * 2048);
  EXPECT_EQ(erases.energy, energy_of(spec.power.erase_uw, spec.timing.erase));
  EXPECT_EQ(erases.busy, us(3001));
}

TEST(ArrayAccounting, decoder_and_ram_take_their_share_of_each_byte_that_crosses) {
  const auto joules = [](const ArrayOverrides& more) {
    ArrayFixture fixture(array_part(more));
    for (std::uint32_t page = 0; page < 6; ++page) fixture.run(make(Op::program, page));
    for (std::uint32_t page = 0; page < 3; ++page) fixture.run(make(Op::read, page));
    fixture.run(make(Op::copy, 1, 6));
    fixture.run(make(Op::copy, 2, 6 * 16));
    return std::pair{fixture.total(DeviceOpKind::buffer_program).energy, fixture.total(DeviceOpKind::load).energy};
  };
  const auto pj = [](int value) { return "{ value = " + std::to_string(value) + ", unit = 'pJ', source = 'test' }"; };
  const auto plain = joules({});
  const auto drive = joules({{"power.decoder_per_byte", pj(70)}, {"power.ram_per_byte", pj(300)}});
  const std::int64_t page = 2048 + array_part().spare_bytes;
  EXPECT_EQ(drive.first - plain.first, Picojoules{7 * 300 * page}) << "not of the copy within its die";
  EXPECT_EQ(drive.second - plain.second, Picojoules{4 * (70 + 300) * page});
}

TEST(ArrayAccounting, checks_and_marks_are_other_operations) {
  ArrayFixture fixture;
  fixture.run(make(Op::check, 0));
  fixture.run(make(Op::mark_bad, 0));
  EXPECT_EQ(fixture.total(DeviceOpKind::other).operations, 2U);
  EXPECT_EQ(fixture.total(DeviceOpKind::other).busy, us(51 + 401));
}

TEST(ArrayAccounting, sums_count_when_a_descriptor_is_written) {
  ArrayFixture fixture;
  fixture.submit(make(Op::program, 0));
  EXPECT_EQ(fixture.total(DeviceOpKind::buffer_program).operations, 1U);
}

TEST(ArrayAccounting, standby_is_of_all_dies_while_there_is_supply) {
  ArrayFixture fixture;
  const auto nanowatts = fixture.core.spec().power.standby_nw * 4;
  EXPECT_EQ(fixture.core.state_energy(std::chrono::seconds{10}).standby,
            long_energy_of(nanowatts, std::chrono::seconds{10}));
  fixture.core.lose_power(std::chrono::seconds{10});
  EXPECT_EQ(fixture.core.state_energy(std::chrono::seconds{15}).total(),
            long_energy_of(nanowatts, std::chrono::seconds{10}));
  fixture.core.restore_power(std::chrono::seconds{20});
  EXPECT_EQ(fixture.core.state_energy(std::chrono::seconds{21}).standby,
            long_energy_of(nanowatts, std::chrono::seconds{11}));
}

TEST(ArrayObserver, hears_both_halves_of_a_copy_with_the_times_of_each) {
  ArrayRecorder recorder;
  ArrayFixture fixture(array_part(), {.observer = &recorder});
  fixture.run(make(Op::program, 0));
  const Ticks begin = fixture.now + ticks_from_ns(100);
  fixture.run(make(Op::copy, 0, 6));
  ASSERT_EQ(recorder.started.size(), 3U);
  const DeviceOp& load = recorder.started[1];
  const DeviceOp& program = recorder.started[2];
  EXPECT_EQ(load.kind, DeviceOpKind::load);
  EXPECT_EQ(load.address, 0U);
  EXPECT_EQ(load.start, begin);
  EXPECT_EQ(load.end, begin + us(51));
  EXPECT_EQ(program.kind, DeviceOpKind::buffer_program);
  EXPECT_EQ(program.address, 6U * 2048);
  EXPECT_EQ(program.start, load.end);
  EXPECT_EQ(program.end, begin + us(51 + 401));
  ASSERT_EQ(recorder.ended.size(), 3U);
  EXPECT_EQ(recorder.ended[1].tag, 101U) << "the observer's own word comes back";
}

TEST(ArrayObserver, may_ask_for_sums_only) {
  ArrayRecorder recorder;
  ArrayFixture fixture(array_part(), {.observer = &recorder, .observe_operations = false});
  fixture.run(make(Op::program, 0));
  EXPECT_TRUE(recorder.started.empty());
  EXPECT_TRUE(recorder.ended.empty());
  EXPECT_FALSE(recorder.accesses.empty());
  EXPECT_EQ(fixture.total(DeviceOpKind::buffer_program).operations, 1U);
}

TEST(ArrayObserver, may_leave_accesses_to_their_sums) {
  ArrayRecorder recorder;
  ArrayFixture fixture(array_part(), {.observer = &recorder, .observe_accesses = false});
  fixture.run(make(Op::program, 0));
  EXPECT_TRUE(recorder.accesses.empty());
  EXPECT_EQ(recorder.ended.size(), 1U);
}

}  // namespace
}  // namespace ftlab::hw::testing
