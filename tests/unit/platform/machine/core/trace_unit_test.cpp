// What firmware counts and marks, over the socket.
#include "platform/machine/core/trace_unit.h"

#include <gtest/gtest.h>

#include "tests/unit/platform/machine/core/bus_master.h"

namespace ftlab::platform {
namespace {

namespace trace_reg = hw::trace::reg;
using std::chrono::nanoseconds;

struct TraceUnitTest : ::testing::Test {
  const CoreClock clock{10'000'000};
  TraceUnit trace{"trace", clock};
  BusMaster master{"master", trace};
};

TEST_F(TraceUnitTest, a_counter_adds_what_is_written_and_is_wider_than_its_register) {
  const std::uint32_t third = trace_reg::kCounter + 12;
  master.write(third, 5);
  master.write(third, 0xFFFFFFFF);
  EXPECT_EQ(master.read(third), 4U);
  EXPECT_EQ(trace.totals().counters[3], 0x100000004U);
  EXPECT_EQ(master.read(trace_reg::kCounter), 0U);
}

TEST_F(TraceUnitTest, a_mark_has_the_cycles_since_the_one_before_it) {
  master.write(trace_reg::kMark, 1, nanoseconds{1000});
  master.write(trace_reg::kMark, 2, nanoseconds{1500});
  master.write(trace_reg::kMark, 1, nanoseconds{1700});
  master.write(trace_reg::kMark, 2, nanoseconds{2700});
  EXPECT_EQ(trace.totals().marks[1], 2U);
  EXPECT_EQ(trace.totals().marks[2], 2U);
  EXPECT_EQ(trace.totals().mark_cycles[1], 2U);
  EXPECT_EQ(trace.totals().mark_cycles[2], 5U + 10U);
  trace.forget_mark();
  master.write(trace_reg::kMark, 2, nanoseconds{9000});
  EXPECT_EQ(trace.totals().mark_cycles[2], 15U) << "power was lost in between";
}

TEST_F(TraceUnitTest, what_a_phase_has_is_the_difference) {
  master.write(trace_reg::kCounter, 2);
  master.write(trace_reg::kMark, 0, nanoseconds{100});
  const TraceTotals before = trace.totals();
  master.write(trace_reg::kCounter, 3);
  master.write(trace_reg::kMark, 0, nanoseconds{300});
  const TraceTotals phase = trace.totals().since(before);
  EXPECT_EQ(phase.counters[0], 3U);
  EXPECT_EQ(phase.marks[0], 1U);
  EXPECT_EQ(phase.mark_cycles[0], 2U);
}

TEST_F(TraceUnitTest, has_so_many_counters_and_marks) {
  std::uint32_t value = hw::trace::kMarks;
  EXPECT_EQ(master.access(tlm::TLM_WRITE_COMMAND, trace_reg::kMark, value), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_FALSE(master.has(tlm::TLM_READ_COMMAND, trace_reg::kMark));
  EXPECT_FALSE(master.has(tlm::TLM_WRITE_COMMAND, 0x44));
  EXPECT_FALSE(master.has(tlm::TLM_WRITE_COMMAND, trace_reg::kCounter, 2));
}

}  // namespace
}  // namespace ftlab::platform
