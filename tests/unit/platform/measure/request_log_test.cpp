// Rows of requests from a ledger of the test's own.
#include "platform/measure/request_log.h"

#include <stdexcept>

#include "tests/unit/platform/measure/log_fixture.h"

namespace ftlab::platform {
namespace {

using std::chrono::microseconds;

class RequestLogTest : public test::LogTest {
 protected:
  void SetUp() override { log_.watch(ledger_); }
  /// Time passes: under `cause`, some of it on the bus and some of it at work.
  void spend(Cause cause, Ticks time, Ticks bus = {}, Ticks work = {}) {
    ledger_.set_cause(cause);
    ledger_.elapse(time);
    ledger_.add_bus_time(bus);
    ledger_.add_work(Work::page_copy, 1, work);
  }
  static CompletedRequest write_of(std::uint32_t tag) {
    return {.tag = tag,
            .kind = HostRequestKind::write,
            .offset = 8192,
            .length = 4096,
            .arrived = microseconds{1},
            .begun = microseconds{2},
            .ended = microseconds{9}};
  }
  std::string row_at(std::size_t i) {
    log_.close();
    return lines().at(i);
  }
  Ledger ledger_;
  LogSpan span_;
  RequestLog log_{path_, span_};
};

TEST_F(RequestLogTest, columns_are_named) {
  EXPECT_EQ(row_at(0),
            "arrival_s,begin_s,end_s,kind,offset,bytes,status,bus_s,cpu_s,host_s,clean_s,migrate_s,wear_level_s,"
            "refresh_s,metadata_s,mount_s,idle_s");
}

TEST_F(RequestLogTest, a_row_holds_what_was_booked_while_the_request_was_in_flight) {
  spend(Cause::host, microseconds{100}, microseconds{50}, microseconds{50});
  log_.taken(7);
  spend(Cause::host, microseconds{4}, microseconds{1});
  spend(Cause::clean, microseconds{3}, microseconds{1}, microseconds{2});
  log_.completed(write_of(7));
  spend(Cause::host, microseconds{100});
  EXPECT_EQ(row_at(1),
            "0.0000010000,0.0000020000,0.0000090000,write,8192,4096,ok,0.0000020000,0.0000020000,0.0000040000,"
            "0.0000030000,0.0000000000,0.0000000000,0.0000000000,0.0000000000,0.0000000000,0.0000000000");
}

TEST_F(RequestLogTest, requests_in_flight_together_each_hold_the_time_they_shared) {
  log_.taken(1);
  spend(Cause::host, microseconds{1});
  log_.taken(2);
  spend(Cause::host, microseconds{2});
  log_.completed(write_of(2));
  spend(Cause::host, microseconds{4});
  log_.completed(write_of(1));
  log_.close();
  const std::vector<std::string> all = lines();
  ASSERT_EQ(all.size(), 3U) << "in order of completion";
  EXPECT_NE(all[1].find(",0.0000020000,0.0000000000,"), std::string::npos) << all[1];
  EXPECT_NE(all[2].find(",0.0000070000,0.0000000000,"), std::string::npos) << all[2];
}

TEST_F(RequestLogTest, status_says_why_a_request_failed_and_that_a_read_was_cached) {
  CompletedRequest read = write_of(1);
  read.kind = HostRequestKind::read;
  read.status = FtlStatus::read_failed;
  log_.taken(1);
  log_.completed(read);
  read.status = FtlStatus::ok;
  read.cached = true;
  log_.taken(1);
  log_.completed(read);
  log_.close();
  const std::vector<std::string> all = lines();
  EXPECT_NE(all.at(1).find(",read,8192,4096,read_failed,"), std::string::npos);
  EXPECT_NE(all.at(2).find(",read,8192,4096,cached,"), std::string::npos);
}

TEST_F(RequestLogTest, a_completion_that_was_never_taken_is_a_broken_contract) {
  EXPECT_THROW(log_.completed(write_of(1)), std::logic_error);
}

}  // namespace
}  // namespace ftlab::platform
