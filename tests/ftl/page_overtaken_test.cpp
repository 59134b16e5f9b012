// Programs that fail while other requests of their page are in flight.
#include <gtest/gtest.h>

#include "tests/fixtures/array_volume.h"
#include "tests/fixtures/repetitions.h"

namespace ftlab::tests {
namespace {

class PageOvertaken : public PartsFixture {
 protected:
  /// A write of page 0 whose program has failed, and that waits to be written again; its tag.
  std::uint32_t fail_a_write() {
    array_->fail_next(1);
    const std::uint32_t tag = submit(host_->write(0, kAll));
    step();
    EXPECT_FALSE(host_->is_answered(tag));
    return tag;
  }
};

TEST_F(PageOvertaken, what_failed_is_written_again_in_another_segment) {
  start();
  put(0);
  const std::uint64_t programs = array_->programs();
  array_->fail_next(1);
  for (std::uint32_t page = 0; page < 6; ++page) put(page);
  EXPECT_EQ(array_->programs() - programs, 7U);
  expect_all_right();
}

TEST_F(PageOvertaken, a_write_that_failed_does_not_undo_a_trim_where_no_record_of_it_is_kept) {
  start(1, 0);
  put(0);
  fail_a_write();
  submit(host_->trim(0, 1));
  drain();
  const std::uint64_t reads = array_->reads();
  std::array<std::byte, kPageBytes> data{};
  EXPECT_EQ(ftl_->read(0, data, 0), FtlStatus::ok);
  EXPECT_EQ(array_->reads(), reads) << "the page lies somewhere";
}

TEST_F(PageOvertaken, whatever_fails_and_whatever_comes_meanwhile_requests_are_answered_in_the_order_they_came) {
  for (std::uint64_t seed = 1; seed <= repetitions(3000) && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    start(1 + seed % 2);
    constexpr std::uint32_t kPages = 5;
    for (std::uint32_t page = 1; page < kPages; ++page) put(page - 1);
    const std::uint32_t kinds = random.below(3) == 0 ? 4 : 9;
    for (std::uint32_t left = 10 + random.below(30); left > 0; --left) {
      if (random.below(3) == 0) array_->fail_next(1);
      const std::uint32_t page = random.below(2) * random.below(kPages);
      const std::uint32_t unit = page * kAll + random.below(kAll);
      const std::uint32_t kind = random.below(kinds);
      if (kind < kinds / 2) {
        if (ftl_->in_flight() > 0) step();
      } else if (kind < 6) {
        submit(host_->write_page(page));
      } else if (kind == 6) {
        submit(host_->write(unit, 1));
      } else {
        submit(kind == 7 ? host_->read(unit, 1) : host_->trim(page, 1));
      }
    }
    if (random.below(2) == 0) expect_all_right();
    EXPECT_NE(host_->first_failure(), FtlStatus::read_failed);
    lose_power();
  }
}

TEST_F(PageOvertaken, many_keep_no_die_from_being_cleaned) {
  start(2);
  for (int round = 0; round < 3; ++round) {
    put(0);
    fail_a_write();
    submit(host_->write(0, kAll));
    drain();
    for (std::uint32_t i = 0; i < 3 * config_.logical_pages; ++i) put(i * 7 % config_.logical_pages);
  }
  EXPECT_GT(ftl_->stats().cleanings, 0U);
  expect_all_right();
}

TEST_F(PageOvertaken, a_read_behind_a_failed_erase_does_not_see_what_was_there) {
  start();
  // Eight pages in turn fill a segment of eight, so that each place takes the same page again.
  for (const std::uint64_t formatted = array_->erases(); array_->erases() < formatted + 3;)
    for (std::uint32_t page = 0; page < 8; ++page) put(page);
  array_->fail_next_erase();
  const std::uint64_t erases = array_->erases();
  submit(host_->write(0, kAll));
  const std::uint32_t read = submit(host_->read(0, kAll));
  const std::uint32_t part = submit(host_->write(1, 1));
  expect_all_right();
  EXPECT_EQ(array_->erases(), erases + 2) << "no erase failed";
  EXPECT_EQ(host_->answer(read), FtlStatus::ok);
  EXPECT_EQ(host_->answer(part), FtlStatus::ok);
}

TEST_F(PageOvertaken, a_segment_whose_erase_failed_before_it_was_wanted_is_bad_at_once) {
  keeps_erased_ = true;
  start();
  const std::uint64_t programs = array_->programs();
  const std::uint64_t erases = array_->erases();
  array_->fail_next_erase();
  std::uint32_t i = 0;
  while (array_->erases() == erases) put(i++ % 8);
  // Long before its turn comes.
  for (std::uint32_t more = 0; more < 4; ++more) put(i++ % 8);
  EXPECT_EQ(ftl_->stats().bad_segments, 1U);
  EXPECT_EQ(array_->programs() - programs, ftl_->stats().pages_written) << "no program failed";
  expect_all_right();
}

TEST_F(PageOvertaken, idle_time_erases_what_no_request_has_to_wait_for_then) {
  keeps_erased_ = true;
  start();
  const std::uint64_t formatted = array_->erases();
  std::uint32_t i = 0;
  while (ftl_->stats().cleanings < 2) put(i++ % 8);
  const std::uint64_t erased = array_->erases();
  EXPECT_LT(erased, formatted + 2) << "the last victim waits";
  const std::uint64_t next = ftl_->idle(5, UINT64_MAX);
  EXPECT_GT(next, 5U);
  ASSERT_NE(next, kNoIdleWork) << "somebody has to see that it ends";
  array_->wait(UINT64_MAX);
  EXPECT_EQ(array_->erases(), erased + 1);
  EXPECT_EQ(ftl_->idle(next, UINT64_MAX), kNoIdleWork);
  submit(host_->read(0, kAll));
  expect_all_right();
  EXPECT_EQ(array_->erases(), erased + 1);
}

}  // namespace
}  // namespace ftlab::tests
