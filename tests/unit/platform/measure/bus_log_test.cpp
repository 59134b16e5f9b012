// Bursts from accesses of the test's own: which of them share a row, and how long they held the bus.
#include "platform/measure/bus_log.h"

#include "tests/unit/platform/measure/log_fixture.h"

namespace ftlab::platform {
namespace {

using hw::DeviceOpKind;
using std::chrono::nanoseconds;

constexpr Ticks kDeviceTime = nanoseconds{150};
constexpr Ticks kTaken = nanoseconds{400};

class BusLogTest : public test::LogTest {
 protected:
  void SetUp() override { log_.begin_phase("measure"); }
  void record(Ticks start, DeviceOpKind kind = DeviceOpKind::register_access, Cause cause = Cause::host) {
    log_.record({.kind = kind, .start = start, .busy = kDeviceTime, .end = start + kDeviceTime}, cause);
  }
  /// One transaction of one access.
  void access(Ticks start, DeviceOpKind kind = DeviceOpKind::register_access, Cause cause = Cause::host) {
    record(start, kind, cause);
    log_.occupy_bus(kTaken);
  }
  /// All rows once the log is closed.
  std::vector<std::string> rows() {
    log_.close();
    std::vector<std::string> all = lines();
    EXPECT_EQ(all.at(0), "start_s,busy_s,accesses,cause,phase");
    all.erase(all.begin());
    return all;
  }
  LogSpan span_;
  BusLog log_{path_, span_};
};

using Rows = std::vector<std::string>;

TEST_F(BusLogTest, accesses_close_to_each_other_are_one_row_and_gaps_are_not_busy) {
  access(nanoseconds{1000});
  access(nanoseconds{1500}, DeviceOpKind::buffer_load);
  access(nanoseconds{2800});
  EXPECT_EQ(rows(), Rows{"0.0000010000,0.0000012000,3,host,measure"});
}

TEST_F(BusLogTest, a_gap_of_a_microsecond_ends_a_burst) {
  access(nanoseconds{0});
  access(kTaken + kBurstGap - Ticks{1});
  access(2 * (kTaken + kBurstGap));
  EXPECT_EQ(rows(), (Rows{"0.0000000000,0.0000008000,2,host,measure", "0.0000028000,0.0000004000,1,host,measure"}));
}

TEST_F(BusLogTest, causes_and_phases_do_not_share_a_row) {
  access(nanoseconds{0});
  access(nanoseconds{400}, DeviceOpKind::register_access, Cause::clean);
  log_.begin_phase("another");
  access(nanoseconds{800}, DeviceOpKind::register_access, Cause::clean);
  EXPECT_EQ(rows(), (Rows{"0.0000000000,0.0000004000,1,host,measure", "0.0000004000,0.0000004000,1,clean,measure",
                          "0.0000008000,0.0000004000,1,clean,another"}));
}

TEST_F(BusLogTest, operations_of_the_array_are_left_out) {
  record(nanoseconds{0}, DeviceOpKind::erase);
  access(nanoseconds{0}, DeviceOpKind::array_read);
  EXPECT_EQ(rows(), Rows{});
}

TEST_F(BusLogTest, a_transaction_that_the_device_splits_holds_the_bus_once) {
  record(nanoseconds{0});
  record(nanoseconds{200});
  log_.occupy_bus(kTaken);
  EXPECT_EQ(rows(), Rows{"0.0000000000,0.0000004000,2,host,measure"});
}

TEST_F(BusLogTest, a_transaction_that_reads_the_array_in_part_counts_for_the_rest) {
  record(nanoseconds{0}, DeviceOpKind::array_read);
  record(nanoseconds{200});
  log_.occupy_bus(kTaken);
  EXPECT_EQ(rows(), Rows{"0.0000002000,0.0000002000,1,host,measure"});
}

TEST_F(BusLogTest, polls_not_simulated_are_accesses_like_others) {
  access(nanoseconds{0});
  log_.repeat_access(3, nanoseconds{900});
  access(nanoseconds{3600});
  access(nanoseconds{10000});
  log_.repeat_access(1, nanoseconds{2000});
  EXPECT_EQ(rows(), (Rows{"0.0000000000,0.0000020000,5,host,measure", "0.0000100000,0.0000004000,1,host,measure",
                          "0.0000120000,0.0000004000,1,host,measure"}));
}

}  // namespace
}  // namespace ftlab::platform
