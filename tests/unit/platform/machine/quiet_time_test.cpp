#include "platform/machine/quiet_time.h"

#include <gtest/gtest.h>

#include "platform/machine/ledger.h"

namespace ftlab::platform {
namespace {

constexpr Ticks kThreshold{10};

QuietTime from_zero() { return {Ticks{0}, kThreshold}; }

void operate(QuietTime& quiet, std::uint32_t device, std::int64_t start, std::int64_t end) {
  quiet.begin(device, Ticks{start});
  quiet.end(device, Ticks{start}, Ticks{end});
}

TEST(QuietTime, a_gap_counts_from_the_threshold_on) {
  QuietTime quiet = from_zero();
  operate(quiet, 0, 5, 20);     // gap of 5
  operate(quiet, 0, 30, 40);    // of 10: not longer than the threshold
  operate(quiet, 0, 100, 101);  // of 60
  EXPECT_EQ(quiet.advance_to(Ticks{101}), Ticks{50});
}

TEST(QuietTime, the_gap_to_the_end_counts_once) {
  QuietTime quiet = from_zero();
  operate(quiet, 0, 0, 10);
  EXPECT_EQ(quiet.advance_to(Ticks{50}), Ticks{30});
  EXPECT_EQ(quiet.advance_to(Ticks{55}), Ticks{0}) << "a new gap begins where the last one was counted";
}

TEST(QuietTime, a_die_reported_late_fills_the_gap_of_another) {
  QuietTime quiet = from_zero();
  quiet.begin(0, Ticks{0});
  operate(quiet, 1, 0, 10);
  operate(quiet, 1, 200, 210);
  operate(quiet, 1, 400, 410);
  quiet.end(0, Ticks{0}, Ticks{300});
  operate(quiet, 1, 500, 510);
  EXPECT_EQ(quiet.advance_to(Ticks{510}), Ticks{(100 - 10) + (90 - 10)});
}

TEST(QuietTime, an_operation_under_way_is_no_rest) {
  QuietTime quiet = from_zero();
  quiet.begin(0, Ticks{5});
  EXPECT_EQ(quiet.advance_to(Ticks{500}), Ticks{0});
  quiet.end(0, Ticks{5}, Ticks{700});
  EXPECT_EQ(quiet.advance_to(Ticks{720}), Ticks{10});
}

TEST(QuietTime, counts_nothing_without_a_threshold) {
  QuietTime quiet;
  operate(quiet, 0, 1000, 2000);
  EXPECT_EQ(quiet.advance_to(Ticks{9000}), Ticks{0});
}

TEST(Ledger, low_power_time_is_that_between_the_operations_of_the_device) {
  Ledger ledger;
  ledger.count_low_power(Ticks{100}, kThreshold);
  hw::DeviceOp program{.kind = hw::DeviceOpKind::buffer_program, .start = Ticks{150}};
  ledger.on_start(program);
  program.end = Ticks{160};
  ledger.on_end(program);
  ledger.advance_low_power_to(Ticks{200});
  EXPECT_EQ(ledger.totals().low_power, Ticks{40 + 30});
}

}  // namespace
}  // namespace ftlab::platform
