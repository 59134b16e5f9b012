// Every policy of firmware/policy on the page-mapped layer's log: random requests, many in flight, with programs that
// fail, losses of power and mounts. What the policies keep is held against the tables, and these against the log.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "firmware/ftl/fms/fms_config.h"
#include "tests/fixtures/parts_session.h"
#include "tests/fixtures/policies_on_dies.h"
#include "tests/fixtures/repetitions.h"

namespace ftlab::tests {
namespace {

FmsConfig drawn(std::uint64_t seed) {
  Random random(seed);
  return draw_policies_on_dies([&](std::uint32_t below) { return random.below(below); });
}

class Session final : public PartsSession {
 public:
  Session(const PartsMedium& medium, std::uint64_t seed, const FmsConfig& fms)
      : PartsSession(medium.kind,
                     {.dies = medium.dies,
                      .segments = 40,
                      .pages = 8 * medium.pages_at_once,
                      .page_bytes = 512,
                      .faults = {.program_one_in = 400, .erase_one_in = 800},
                      .pages_at_once = medium.pages_at_once},
                     seed),
        choice_(fms::choice_of(fms)) {
    config_ = fms::volume_of(fms, choice_);
    config_.checkpoint_every = seed % 3 == 0 ? 1 + random_.below(200) : 0;
    if (volume::max_logical_pages(config_, part_->port().geometry()) == 0) config_.checkpoint_every = 0;
    begin((5 + random_.below(4)) / 10.0);
  }

  /// For so many steps, or until there is nothing to do at once.
  void be_idle(std::uint32_t most) {
    for (std::uint32_t steps = 0; steps < most && ftl_->idle(steps, 1'000'000'000) == steps; ++steps)
      ASSERT_LT(steps, 100'000U);
    check();
  }

 private:
  /// Most writes go to a tenth of the pages.
  HostRequest next() override {
    const std::uint32_t pages = config_.logical_pages - 3;
    const std::uint32_t page = random_.below(random_.below(4) != 0 ? 1 + pages / 10 : pages);
    const std::uint32_t kind = random_.below(100);
    if (kind < 3) return host_->trim(page, 1 + random_.below(3));
    if (kind < 8) return host_->read(page * kAll, kAll);
    HostRequest request = host_->write(page * kAll, kind < 12 ? 1 : kAll);
    request.hint.read_only = page % 7 == 0;
    return request;
  }

  fms::PolicyChoice choice_;
};

class PagePoliciesProperty : public testing::TestWithParam<PartsMedium> {};

TEST_P(PagePoliciesProperty, policies_keep_what_the_log_holds_and_room_is_found) {
  for (std::uint64_t seed = 0; seed < repetitions(60); ++seed) {
    const FmsConfig fms = drawn(seed);
    SCOPED_TRACE("seed " + std::to_string(seed) + " " + policies_text(fms));
    Session session(GetParam(), seed, fms);
    ASSERT_EQ(fms::check(fms, session.part_->port().geometry()), nullptr);
    for (const std::uint32_t depth : {1U, 8U, 40U}) {
      for (std::uint32_t pause = 0; pause < 8; ++pause) {
        session.run(session.config_.logical_pages / 8, depth);
        session.drain();
        session.be_idle(session.random_.below(8));
      }
      session.be_idle(UINT32_MAX);
      session.host_->check_live(*session.ftl_);
      if (HasFatalFailure()) return;
    }
    // Where many segments are open, little lies in others.
    for (std::uint32_t more = 0; more < 40 && session.ftl_->stats().cleanings == 0; ++more)
      session.run(session.config_.logical_pages / 8, 8);
    session.drain();
    EXPECT_EQ(session.host_->first_failure, FtlStatus::ok);
    EXPECT_EQ(session.part_->illegal(), 0U);
    EXPECT_GT(session.ftl_->stats().cleanings, 0U);
  }
}

TEST_P(PagePoliciesProperty, power_losses_and_faults_leave_each_page_as_some_request_left_it) {
  constexpr std::uint64_t kRounds = std::max<std::uint64_t>(repetitions(6), 3);
  for (std::uint64_t seed = 0; seed < repetitions(60); ++seed) {
    const FmsConfig fms = drawn(seed + 1000);
    SCOPED_TRACE("seed " + std::to_string(seed) + " " + policies_text(fms));
    Session session(GetParam(), seed, fms);
    if (GetParam().kind == PartKind::array && seed % 2 == 1) session.part_->wear_out();
    for (std::uint64_t round = 0; round < kRounds && session.host_->first_failure == FtlStatus::ok; ++round) {
      session.lose_power(20 + session.random_.below(600), 1 + session.random_.below(40));
      if (HasFatalFailure()) return;
      session.be_idle(session.random_.below(20));
    }
    EXPECT_EQ(session.part_->illegal(), 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(Media, PagePoliciesProperty,
                         testing::Values(PartsMedium{PartKind::array, 1}, PartsMedium{PartKind::array, 3},
                                         PartsMedium{PartKind::array, 8}, PartsMedium{PartKind::nor, 2},
                                         PartsMedium{PartKind::nand, 2}, PartsMedium{PartKind::array, 3, 4},
                                         PartsMedium{PartKind::nand, 2, 2}),
                         name_of_medium);

}  // namespace
}  // namespace ftlab::tests
