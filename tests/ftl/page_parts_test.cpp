// Writes of parts of pages: the rest is kept, and only requests of the same page wait for it.
#include <gtest/gtest.h>

#include "tests/fixtures/array_volume.h"

namespace ftlab::tests {
namespace {

class PageParts : public PartsFixture {
 protected:
  std::uint32_t write_part(std::uint32_t page, std::uint32_t part) {
    return submit(host_->write(page * kAll + part, 1));
  }
};

TEST_F(PageParts, the_rest_of_a_page_never_written_reads_as_blank_and_is_not_read) {
  start();
  const std::uint64_t reads = array_->reads();
  write_part(3, 1);
  drain();
  EXPECT_EQ(array_->reads(), reads);
  expect_all_right();
}

TEST_F(PageParts, that_come_while_the_rest_is_read_share_one_program) {
  start();
  put(3);
  const std::uint64_t programs = array_->programs();
  const std::uint64_t reads = array_->reads();
  const std::uint64_t written = ftl_->stats().pages_written;
  for (const std::uint32_t part : {2U, 0U, 1U, 2U, 3U}) write_part(3, part);
  drain();
  EXPECT_EQ(array_->programs() - programs, 1U);
  EXPECT_EQ(array_->reads() - reads, 1U);
  EXPECT_EQ(ftl_->stats().pages_written - written, 1U) << "pages that are programmed";
  expect_all_right();
}

TEST_F(PageParts, the_next_of_a_page_that_is_programmed_share_the_next_program) {
  start();
  put(3);
  const std::uint64_t programs = array_->programs();
  const std::uint32_t first = write_part(3, 0);
  step();
  write_part(3, 1);
  EXPECT_FALSE(host_->is_answered(first));
  write_part(3, 2);
  drain();
  EXPECT_LE(array_->programs() - programs, 2U);
  expect_all_right();
}

TEST_F(PageParts, other_pages_do_not_wait_for_the_rest) {
  start(4);
  put(3);
  const std::uint32_t part = write_part(3, 0);
  // The dies work in any order: the first page that ends is hardly ever that of the part, which takes two operations.
  std::uint32_t before = 0;
  for (std::uint32_t page = 10; page < 30; ++page) submit(host_->write(page * kAll, kAll));
  while (!host_->is_answered(part)) {
    const std::size_t in_flight = host_->in_flight();
    step();
    before += static_cast<std::uint32_t>(in_flight - host_->in_flight());
  }
  EXPECT_GT(before, 1U);
  expect_all_right();
}

TEST_F(PageParts, a_read_sees_the_parts_that_came_before_it_and_none_that_came_after) {
  start();
  put(3);
  write_part(3, 0);
  const std::uint32_t read = submit(host_->read(3 * kAll, kAll));
  const std::uint32_t later = write_part(3, 1);
  while (!host_->is_answered(read)) {
    EXPECT_FALSE(host_->is_answered(later));
    step();
  }
  expect_all_right();
}

TEST_F(PageParts, do_not_undo_a_trim_where_no_record_of_it_is_kept) {
  start(1, 0);
  put(3);
  write_part(3, 0);
  submit(host_->trim(3, 1));
  drain();
  const std::uint64_t reads = array_->reads();
  std::array<std::byte, kPageBytes> data{};
  EXPECT_EQ(ftl_->read(3 * kPageBytes, data, 0), FtlStatus::ok);
  EXPECT_EQ(array_->reads(), reads) << "the page lies somewhere";
}

TEST_F(PageParts, are_refused_where_the_rest_cannot_be_read_and_leave_the_page_alone) {
  start();
  put(3);
  array_->lose_page(place_of(3));
  const std::uint32_t first = write_part(3, 0);
  const std::uint32_t second = write_part(3, 1);
  const std::uint64_t programs = array_->programs();
  drain();
  EXPECT_EQ(host_->answer(first), FtlStatus::read_failed);
  EXPECT_EQ(host_->answer(second), FtlStatus::read_failed);
  EXPECT_EQ(array_->programs(), programs) << "what is left of the page may still be of use";
  std::array<std::byte, kPageBytes> data{};
  EXPECT_EQ(ftl_->read(3 * kPageBytes, data, 0), FtlStatus::read_failed);
  submit(host_->write(3 * kAll, kAll));
  drain();
  EXPECT_EQ(ftl_->read(3 * kPageBytes, data, 0), FtlStatus::ok);
}

TEST_F(PageParts, need_no_rest_where_a_whole_page_comes_meanwhile) {
  start();
  put(3);
  array_->lose_page(place_of(3));
  write_part(3, 0);
  submit(host_->write(3 * kAll, kAll));
  write_part(3, 2);
  expect_all_right();
  EXPECT_EQ(host_->first_failure(), FtlStatus::ok);
}

TEST_F(PageParts, a_flush_waits_for_all_of_them) {
  start(2);
  put(3);
  const std::uint32_t part = write_part(3, 0);
  EXPECT_EQ(ftl_->flush(0), FtlStatus::ok);
  EXPECT_TRUE(host_->is_answered(part));
  lose_power();
}

TEST_F(PageParts, of_one_page_may_be_more_than_there_are_buffers) {
  start();
  put(3);
  for (std::uint32_t i = 0; i < 300; ++i) {
    write_part(3, i % kAll);
    submit(host_->read(3 * kAll + i % 3, 2));
  }
  expect_all_right();
}

}  // namespace
}  // namespace ftlab::tests
