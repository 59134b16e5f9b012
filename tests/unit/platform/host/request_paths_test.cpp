// What requests spent their time on, by times set by hand: host, firmware and device are the test.
#include "platform/host/request_paths.h"

#include <map>
#include <stdexcept>

#include "firmware/port/probe_port.h"
#include "tests/unit/platform/host/host_fixture.h"

namespace ftlab::platform {
namespace {

using Named = std::map<std::string_view, std::int64_t>;

/// In us, without those that are nothing.
Named named(const LatencyParts& parts) {
  Named found;
  for (std::uint32_t i = 0; i < kLatencyParts; ++i) {
    const auto part = static_cast<LatencyPart>(i);
    if (parts[part] != Ticks::zero()) found[name_of(part)] = parts[part].count() / 10'000;
  }
  return found;
}

struct RequestPathsTest : testing::Test {
  /// An operation of the page, queued when the processor had slept so long.
  static Passage read_of(std::uint16_t page, std::int64_t queued, std::int64_t end, std::int64_t slept = 0) {
    return {.tag = page, .queued = us(queued), .end = us(end), .mark = us(slept), .transfer = us(20), .cells = us(50)};
  }
  void report(const Passage& passage, std::int64_t now) {
    paths.reported(passage);
    paths.page_reported(passage.tag, us(now));
  }
  Named complete(std::uint32_t tag, std::int64_t arrived, std::int64_t ended) {
    return named(paths.completed({.tag = tag, .arrived = us(arrived), .ended = us(ended)}));
  }
  void take(std::uint32_t tag, std::int64_t now) {
    paths.sent(tag, us(now));
    paths.taken(tag, us(now));
  }

  Ticks asleep{};
  RequestPaths paths{asleep};
};

TEST_F(RequestPathsTest, of_one_page_follow_its_operation) {
  take(1, 10);
  paths.page_begins(5, 1);
  report(read_of(5, 15, 115), 120);
  paths.answered(1, us(121));
  EXPECT_EQ(complete(1, 0, 121),
            (Named{{"queue", 10}, {"firmware", 5 + 5 + 1}, {"die", 30}, {"transfer", 20}, {"cells", 50}}));
}

TEST_F(RequestPathsTest, have_the_link_before_and_behind) {
  paths.sent(1, us(3));
  paths.crossed(1, us(2), us(4), us(5));
  paths.taken(1, us(20));
  paths.answered(1, us(21));
  EXPECT_EQ(complete(1, 0, 29), (Named{{"queue", 3 + 2}, {"link", 4}, {"firmware", 5 + 6 + 1}, {"back", 8}}));
}

TEST_F(RequestPathsTest, of_several_pages_follow_the_one_that_ended_last) {
  take(1, 0);
  paths.page_begins(5, 1);
  paths.page_begins(6, 1);
  report(read_of(5, 3, 73), 80);
  report(read_of(6, 4, 300), 300);
  paths.answered(1, us(300));
  EXPECT_EQ(complete(1, 0, 300), (Named{{"firmware", 4}, {"die", 296 - 70}, {"transfer", 20}, {"cells", 50}}));
}

TEST_F(RequestPathsTest, of_pages_one_after_the_other_follow_all) {
  take(1, 0);
  paths.page_begins(5, 1);
  report(read_of(5, 1, 71), 72);
  paths.page_begins(5, 1);
  report(read_of(5, 75, 145), 145);
  paths.answered(1, us(145));
  EXPECT_EQ(complete(1, 0, 145), (Named{{"firmware", 1 + 1 + 3}, {"transfer", 40}, {"cells", 100}}));
}

TEST_F(RequestPathsTest, call_a_wait_a_slot_where_the_processor_sleeps_and_no_command_of_theirs_is_queued) {
  take(1, 0);
  asleep = us(40);
  paths.page_begins(5, 1);
  report(read_of(5, 64, 134, 40), 134);
  paths.answered(1, us(134));
  EXPECT_EQ(complete(1, 0, 134), (Named{{"firmware", 24}, {"slot", 40}, {"transfer", 20}, {"cells", 50}}));
}

TEST_F(RequestPathsTest, follow_the_program_of_another_request_from_when_they_waited_for_it) {
  take(1, 0);
  paths.page_begins(5, 1);
  take(2, 50);
  paths.page_begins(6, 2);
  Passage program{
      .tag = 5, .queued = us(10), .end = us(510), .gathered = us(100), .transfer = us(30), .cells = us(360)};
  report(program, 512);
  paths.answered(2, us(512));
  EXPECT_EQ(complete(2, 50, 512),
            (Named{{"slot", 60}, {"die", 10}, {"transfer", 30}, {"cells", 360}, {"firmware", 2}}));
  paths.answered(1, us(512));
  EXPECT_EQ(complete(1, 0, 512),
            (Named{{"firmware", 12}, {"slot", 100}, {"die", 10}, {"transfer", 30}, {"cells", 360}}));
}

TEST_F(RequestPathsTest, leave_out_reports_from_before_they_were_taken_and_pages_of_nobody) {
  take(1, 0);
  paths.page_begins(5, 1);
  report(read_of(5, 2, 90), 90);
  paths.answered(1, us(90));
  (void)complete(1, 0, 90);
  take(2, 95);
  paths.answered(2, us(96));
  EXPECT_EQ(complete(2, 95, 96), (Named{{"firmware", 1}}));
  take(3, 100);
  paths.page_begins(5, ProbePort::kNoRequest);
  EXPECT_TRUE(paths.heard_of_pages());
  report(read_of(5, 102, 200), 200);
  paths.answered(3, us(200));
  EXPECT_EQ(complete(3, 100, 200), (Named{{"firmware", 2}, {"die", 28}, {"transfer", 20}, {"cells", 50}}))
      << "whoever's it is, the request was answered by it";
}

TEST_F(RequestPathsTest, are_of_no_page_that_was_on_its_way_before_anybody_asked) {
  take(0, 500);
  paths.page_begins(6, 0);
  report({.tag = 2, .queued = {}, .end = us(570)}, 572);
  paths.answered(0, us(572));
  EXPECT_EQ(complete(0, 500, 572), (Named{{"die", 70}, {"firmware", 2}})) << "the request waited for that one's report";
}

TEST_F(RequestPathsTest, of_what_is_sent_again_begin_anew) {
  take(1, 0);
  paths.page_begins(5, 1);
  report(read_of(5, 2, 90), 90);
  paths.drop();
  take(1, 500);
  paths.page_begins(7, 1);
  report(read_of(7, 502, 572), 572);
  paths.answered(1, us(572));
  EXPECT_EQ(complete(1, 0, 572), (Named{{"queue", 500}, {"firmware", 2}, {"transfer", 20}, {"cells", 50}}));
}

TEST_F(RequestPathsTest, of_what_the_drive_never_answers_end_with_a_wait) {
  paths.sent(1, us(5));
  paths.crossed(1, us(0), us(40), us(40));
  EXPECT_EQ(complete(1, 0, 50), (Named{{"queue", 5}, {"slot", 45}})) << "it never had it";
}

TEST_F(RequestPathsTest, that_do_not_add_up_are_a_fault) {
  take(1, 0);
  paths.page_begins(5, 1);
  Passage longer_than_itself = read_of(5, 2, 90);
  longer_than_itself.channel = us(19);
  report(longer_than_itself, 90);
  paths.answered(1, us(90));
  EXPECT_THROW((void)complete(1, 0, 90), std::logic_error);
  take(2, 100);
  paths.answered(2, us(109));
  EXPECT_THROW((void)complete(2, 100, 108), std::logic_error) << "before it was answered";
}

}  // namespace
}  // namespace ftlab::platform
