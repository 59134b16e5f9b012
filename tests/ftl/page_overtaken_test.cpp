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

TEST_F(PageOvertaken, what_failed_is_written_again) {
  start();
  put(0);
  fail_a_write();
  expect_all_right();
}

TEST_F(PageOvertaken, what_failed_is_written_again_in_another_segment) {
  start();
  put(0);
  const std::uint64_t programs = array_->programs();
  array_->fail_next(1);
  for (std::uint32_t page = 0; page < 6; ++page) put(page);
  EXPECT_EQ(array_->programs() - programs, 7U);
  expect_all_right();
}

TEST_F(PageOvertaken, a_write_that_failed_does_not_come_back_over_a_newer_one) {
  start();
  put(0);
  fail_a_write();
  submit(host_->write(0, kAll));
  expect_all_right();
}

TEST_F(PageOvertaken, a_write_that_failed_does_not_come_back_over_a_newer_one_that_failed_too) {
  start();
  put(0);
  fail_a_write();
  array_->fail_next(1);
  submit(host_->write(0, kAll));
  expect_all_right();
}

TEST_F(PageOvertaken, a_write_that_failed_does_not_undo_a_trim) {
  start();
  put(0);
  fail_a_write();
  submit(host_->trim(0, 1));
  expect_all_right();
  lose_power();
}

TEST_F(PageOvertaken, the_first_write_of_a_page_that_failed_does_not_undo_a_trim) {
  start();
  fail_a_write();
  submit(host_->trim(0, 1));
  expect_all_right();
  lose_power();
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

TEST_F(PageOvertaken, whatever_fails_in_a_row_what_was_answered_is_there_after_a_power_loss) {
  for (std::uint64_t seed = 1; seed <= repetitions(3000) && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    start(2);
    for (std::uint32_t page = 0; page < 4; ++page) put(page);
    for (std::uint32_t left = 10 + random.below(30); left > 0; --left) {
      if (random.below(3) == 0) array_->fail_next(1);
      if (random.below(2) == 0)
        submit(host_->write(random.below(2) * random.below(4) * kAll, kAll));
      else if (ftl_->in_flight() > 0)
        step();
    }
    lose_power();
  }
}

TEST_F(PageOvertaken, a_write_that_failed_is_answered_when_the_newer_one_is_on_the_array) {
  for (const bool fails_first : {false, true}) {
    start();
    put(0);
    if (!fails_first) array_->fail_next(1);
    const std::uint32_t older = fails_first ? fail_a_write() : submit(host_->write(0, kAll));
    submit(host_->write(0, kAll));
    if (!fails_first) step();
    EXPECT_FALSE(host_->is_answered(older)) << "a power loss leaves a version older than both";
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

TEST_F(PageOvertaken, a_read_behind_a_program_that_fails_is_read_where_the_page_is_written_again) {
  start();
  put(0);
  array_->fail_next(1);
  submit(host_->write(0, kAll));
  const std::uint32_t read = submit(host_->read(1, 2));
  expect_all_right();
  EXPECT_EQ(host_->answer(read), FtlStatus::ok);
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

TEST_F(PageOvertaken, a_read_of_what_waits_to_be_written_again_waits_for_it) {
  start();
  put(0);
  fail_a_write();
  const std::uint32_t read = submit(host_->read(1, 2));
  expect_all_right();
  EXPECT_EQ(host_->answer(read), FtlStatus::ok);
}

TEST_F(PageOvertaken, a_part_behind_a_program_that_fails_keeps_the_rest_of_it) {
  for (const bool failed_before : {false, true}) {
    start();
    put(0);
    if (failed_before) {
      fail_a_write();
    } else {
      array_->fail_next(1);
      submit(host_->write(0, kAll));
    }
    const std::uint32_t part = submit(host_->write(2, 1));
    expect_all_right();
    EXPECT_EQ(host_->answer(part), FtlStatus::ok);
    lose_power();
  }
}

TEST_F(PageOvertaken, a_shared_program_that_fails_is_written_again_for_all) {
  start();
  put(0);
  submit(host_->write(0, 1));
  submit(host_->write(2, 1));
  step();
  array_->fail_next(2);
  expect_all_right();
  EXPECT_EQ(host_->first_failure(), FtlStatus::ok);
}

}  // namespace
}  // namespace ftlab::tests
