// Random requests of parts of pages, many of the same page in flight: with programs that fail, and with power losses.
#include <gtest/gtest.h>

#include <string>

#include "tests/fixtures/parts_session.h"
#include "tests/fixtures/repetitions.h"

namespace ftlab::tests {
namespace {

class Session final : public PartsSession {
 public:
  Session(const PartsMedium& medium, std::uint64_t seed)
      : PartsSession(medium.kind,
                     {.dies = medium.dies,
                      .segments = 24,
                      .pages = medium.lsb_every > 0            ? 12 * medium.pages_at_once
                               : medium.kind == PartKind::nand ? 8 * medium.pages_at_once
                                                               : 8,
                      .page_bytes = 256,
                      .faults = {.program_one_in = 150, .erase_one_in = 500},
                      .pages_at_once = medium.pages_at_once,
                      .lsb_every = medium.lsb_every},
                     seed) {
    config_.selection = "greedy";
    if (medium.lsb_every > 0) {
      config_.frontiers = VolumeConfig::Frontiers::host_and_cleaning;
      config_.slc_segments = 1 + static_cast<std::uint32_t>(seed % 3);
      config_.checkpoint_every = seed % 2 == 0 ? 0 : 100;
    }
    begin(0.7);
  }

 private:
  /// Most requests go to a few pages, so that they meet.
  HostRequest next() override {
    const std::uint32_t page = random_.below(4) != 0 ? random_.below(6) : random_.below(config_.logical_pages - 3);
    const std::uint32_t kind = random_.below(100);
    if (kind < 8) return host_->trim(page, 1 + random_.below(3));
    if (kind < 20) return host_->write(page * kAll, kAll);
    const std::uint32_t first = page * kAll + random_.below(kAll);
    const std::uint32_t parts = kind % 3 == 0 ? 1 + random_.below(2 * kAll) : 1;
    return kind < 35 ? host_->read(first, parts) : host_->write(first, parts);
  }
};

class PagePartsProperty : public testing::TestWithParam<PartsMedium> {};

TEST_P(PagePartsProperty, requests_of_a_page_take_effect_in_their_order) {
  for (std::uint64_t seed = 0; seed < repetitions(4); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Session session(GetParam(), seed);
    for (const std::uint32_t depth : {1U, 4U, 16U, 60U}) {
      session.run(500, depth);
      session.drain();
      session.host_->check_live(*session.ftl_);
      if (HasFatalFailure()) return;
    }
    EXPECT_EQ(session.host_->first_failure, FtlStatus::ok);
    EXPECT_EQ(session.part_->illegal(), 0U);
    EXPECT_EQ(session.ftl_->slc_counts().pages_to_slc > 0, GetParam().lsb_every > 0);
  }
}

TEST_P(PagePartsProperty, programs_that_fail_change_nothing) {
  for (std::uint64_t seed = 0; seed < repetitions(16); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Session session(GetParam(), seed);
    session.part_->wear_out();
    session.boot();
    ASSERT_EQ(session.ftl_->format(0), FtlStatus::ok);
    for (int round = 0; round < 6 && session.host_->first_failure == FtlStatus::ok; ++round) {
      session.run(150, 40);
      session.drain();
      session.host_->check_live(*session.ftl_);
      if (HasFatalFailure()) return;
    }
    EXPECT_NE(session.host_->first_failure, FtlStatus::read_failed);
    EXPECT_EQ(session.part_->illegal(), 0U);
  }
}

TEST_P(PagePartsProperty, power_losses_leave_each_page_as_some_request_left_it) {
  for (std::uint64_t seed = 0; seed < repetitions(16); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Session session(GetParam(), seed);
    // Of an array programs fail meanwhile, too.
    if (GetParam().kind == PartKind::array && seed % 2 == 1) session.part_->wear_out();
    for (int round = 0; round < 6 && session.host_->first_failure == FtlStatus::ok; ++round) {
      session.lose_power(20 + session.random_.below(300), 1 + session.random_.below(40));
      if (HasFatalFailure()) return;
    }
    EXPECT_EQ(session.part_->illegal(), 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(Media, PagePartsProperty,
                         testing::Values(PartsMedium{PartKind::array, 1}, PartsMedium{PartKind::array, 3},
                                         PartsMedium{PartKind::nor, 2}, PartsMedium{PartKind::nand, 2},
                                         PartsMedium{PartKind::array, 3, 4}, PartsMedium{PartKind::nand, 2, 2},
                                         PartsMedium{PartKind::nand, 1, 4}, PartsMedium{PartKind::array, 1, 1, 2},
                                         PartsMedium{PartKind::array, 2, 1, 3}, PartsMedium{PartKind::array, 2, 4, 3}),
                         name_of_medium);

}  // namespace
}  // namespace ftlab::tests
