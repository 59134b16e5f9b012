#include "platform/machine/ledger.h"

#include <gtest/gtest.h>

namespace ftlab::platform {
namespace {

using hw::DeviceOp;
using hw::DeviceOpKind;

TEST(Ledger, an_operation_is_booked_under_the_cause_in_force_when_it_was_issued) {
  Ledger ledger;
  ledger.set_cause(Cause::clean);
  DeviceOp erase{.kind = DeviceOpKind::erase};
  ledger.on_start(erase);
  ledger.set_cause(Cause::host);
  erase.energy = Picojoules{7};
  erase.busy = Ticks{30};
  ledger.on_end(erase);
  EXPECT_EQ(ledger.totals().by_cause(Cause::clean).energy, Picojoules{7});
  EXPECT_EQ(ledger.totals().by_cause(Cause::host).count, 0U);
  EXPECT_TRUE(ledger.totals().by_operation(DeviceOpKind::erase).busy == Ticks{30});
}

TEST(Ledger, accesses_belong_to_the_cause_in_force_while_they_happened) {
  Ledger ledger;
  hw::AccessTotals device{};
  hw::AccessTotal& reads = device[static_cast<std::size_t>(DeviceOpKind::array_read)];
  ledger.watch_accesses(&device);
  reads.accesses = 2;
  reads.energy = Picojoules{10};
  ledger.set_cause(Cause::clean);  // what happened so far was the host's
  reads.accesses = 5;
  reads.energy = Picojoules{40};
  ledger.collect_accesses();
  EXPECT_EQ(ledger.totals().by_cause(Cause::host).count, 2U);
  EXPECT_EQ(ledger.totals().by_cause(Cause::host).energy, Picojoules{10});
  EXPECT_EQ(ledger.totals().by_cause(Cause::clean).count, 3U);
  EXPECT_EQ(ledger.totals().by_cause(Cause::clean).energy, Picojoules{30});
}

TEST(Ledger, polls_not_simulated_are_booked_as_often_as_they_stand_for) {
  Ledger ledger;
  hw::AccessTotals device{};
  ledger.watch_accesses(&device);
  device[static_cast<std::size_t>(DeviceOpKind::register_access)].accesses = 1;
  device[static_cast<std::size_t>(DeviceOpKind::register_access)].energy = Picojoules{4};
  ledger.collect_accesses(25);
  EXPECT_EQ(ledger.totals().by_operation(DeviceOpKind::register_access).count, 25U);
  EXPECT_EQ(ledger.totals().by_operation(DeviceOpKind::register_access).energy, Picojoules{100});
}

TEST(Ledger, every_sum_holds_operations_that_last_as_long_as_the_clock_goes) {
  Ledger ledger;
  DeviceOp longest{.kind = DeviceOpKind::erase, .busy = kClockEnd, .energy = Picojoules{1'000'000} * kClockEnd.count()};
  for (int i = 0; i < 1000; ++i) {
    ledger.on_start(longest);
    ledger.on_end(longest);
  }
  const LedgerCell cell = ledger.totals().by_operation(DeviceOpKind::erase);
  EXPECT_TRUE(cell.busy == TickSum{kClockEnd} * 1000);
  EXPECT_EQ(cell.energy, longest.energy * 1000);
  EXPECT_EQ(ledger.totals().by_cause(Cause::host).energy, longest.energy * 1000);
}

TEST(Ledger, sums_of_the_device_that_outgrow_64_bits_are_collected_whole) {
  Ledger ledger;
  hw::OperationTotals operations{};
  hw::AccessTotals accesses{};
  ledger.watch_accesses(&accesses);
  ledger.watch_operations(&operations);
  operations[0] = {.operations = 9, .busy = TickSum{kClockEnd} * 4096, .energy = Picojoules{1} * INT64_MAX * 4096};
  accesses[1] = {.accesses = 9, .busy = TickSum{kClockEnd} * 64, .energy = Picojoules{1} * INT64_MAX * 64};
  ledger.collect_accesses(3);
  const LedgerTotals& totals = ledger.totals();
  EXPECT_TRUE(totals.by_operation(static_cast<DeviceOpKind>(0)).busy == operations[0].busy);
  EXPECT_EQ(totals.by_operation(static_cast<DeviceOpKind>(0)).energy, operations[0].energy);
  EXPECT_TRUE(totals.by_operation(static_cast<DeviceOpKind>(1)).busy == accesses[1].busy * 3);
  EXPECT_EQ(totals.by_operation(static_cast<DeviceOpKind>(1)).energy, accesses[1].energy * 3);
}

TEST(Ledger, one_poll_that_stands_for_others_is_booked_with_them_and_on_the_bus) {
  Ledger ledger;
  hw::AccessTotals device{};
  ledger.watch_accesses(&device);
  device[static_cast<std::size_t>(DeviceOpKind::register_access)].accesses = 1;
  ledger.collect_polls(24, Ticks{100}, Ticks{3});
  EXPECT_EQ(ledger.totals().by_operation(DeviceOpKind::register_access).count, 25U);
  EXPECT_EQ(ledger.totals().bus_time, Ticks{72});
}

TEST(Ledger, accesses_of_registers_that_nobody_hears_of_can_be_repeated) {
  Ledger ledger;
  EXPECT_FALSE(ledger.can_repeat_accesses()) << "nobody sums them";
  hw::AccessTotals device{};
  ledger.watch_accesses(&device);
  EXPECT_TRUE(ledger.can_repeat_accesses());
  device[static_cast<std::size_t>(DeviceOpKind::array_read)].accesses = 1;
  EXPECT_FALSE(ledger.can_repeat_accesses());
  ledger.collect_accesses();
  device[static_cast<std::size_t>(DeviceOpKind::register_access)].accesses = 2;
  EXPECT_TRUE(ledger.can_repeat_accesses());
  ledger.repeat_accesses(24, Ticks{3});
  EXPECT_EQ(ledger.totals().by_operation(DeviceOpKind::register_access).count, 50U);
  EXPECT_EQ(ledger.totals().by_operation(DeviceOpKind::array_read).count, 1U);
  EXPECT_EQ(ledger.totals().bus_time, Ticks{72});
}

TEST(Ledger, a_phase_is_the_difference_of_two_copies) {
  Ledger ledger;
  ledger.elapse(Ticks{5});
  ledger.add_work(Work::page_copy, 2, Ticks{3});
  const LedgerTotals before = ledger.totals();
  ledger.set_cause(Cause::idle);
  ledger.elapse(Ticks{11});
  ledger.add_work(Work::page_copy, 1, Ticks{1});
  LedgerTotals phase = ledger.totals();
  phase -= before;
  EXPECT_EQ(phase.simulated(), Ticks{11});
  EXPECT_EQ(phase.elapsed[static_cast<std::size_t>(Cause::host)], Ticks{0});
  EXPECT_EQ(phase.work[static_cast<std::size_t>(Work::page_copy)], 1U);
}

TEST(Ledger, what_power_loss_took_off_is_taken_off_the_cause_that_had_queued_it) {
  Ledger ledger;
  hw::OperationTotals operations{};
  hw::UndoneTotals undone{};
  ledger.watch_operations(&operations, &undone);
  EXPECT_EQ(*ledger.label(), static_cast<std::uint8_t>(Cause::host));
  operations[5] = {.operations = 8, .bytes = 800, .busy = Ticks{80}, .die_time = Ticks{8}, .energy = Picojoules{80}};
  ledger.set_cause(Cause::clean);
  EXPECT_EQ(*ledger.label(), static_cast<std::uint8_t>(Cause::clean));
  operations[5] = {
      .operations = 10, .bytes = 1000, .busy = Ticks{100}, .die_time = Ticks{10}, .energy = Picojoules{99}};
  ledger.set_cause(Cause::mount);
  // Three of the host never began, and one of the cleaning was torn.
  operations[5] = {
      .operations = 7, .bytes = 700, .busy = Ticks{65}, .die_time = Ticks{6}, .energy = Picojoules{60}, .failed = 1};
  undone[0][5] = {.operations = 3, .bytes = 300, .busy = Ticks{30}, .die_time = Ticks{3}, .energy = Picojoules{30}};
  undone[1][5] = {.busy = Ticks{5}, .die_time = Ticks{1}, .energy = Picojoules{9}, .failed = std::uint64_t{0} - 1};
  ledger.take_off_undone();
  ledger.collect_accesses();
  const auto& row = ledger.totals().ops[5];
  EXPECT_EQ(row[0].count, 5U);
  EXPECT_EQ(row[0].bytes, 500U);
  EXPECT_EQ(row[0].energy, Picojoules{50});
  EXPECT_EQ(row[0].die_time, TickSum{Ticks{5}});
  EXPECT_EQ(row[0].failed, 0U);
  EXPECT_EQ(row[1].count, 2U);
  EXPECT_EQ(row[1].busy, TickSum{Ticks{15}});
  EXPECT_EQ(row[1].energy, Picojoules{10});
  EXPECT_EQ(row[1].failed, 1U);
  EXPECT_EQ(row[static_cast<std::size_t>(Cause::mount)], LedgerCell{});
  --operations[5].operations;
  EXPECT_THROW(ledger.take_off_undone(), std::logic_error) << "whose it was is not told";
}

}  // namespace
}  // namespace ftlab::platform
