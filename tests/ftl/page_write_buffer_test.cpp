// Writes that are answered before they are programmed: when, what reads find meanwhile, and what a flush makes of them.
#include <vector>

#include "tests/fixtures/array_volume.h"
#include "tests/fixtures/dice.h"

namespace ftlab::tests {
namespace {

class PageWriteBuffer : public ArrayVolume {
 protected:
  static constexpr std::uint32_t kUnit = 4;  ///< pages of a program

  /// `buffers`: 0: the array keeps no data.
  void start(std::uint32_t room, std::uint32_t dies = 2, std::uint32_t buffers = 64, bool holds_up = false) {
    make({.segments = 20 * dies,
          .pages_per_segment = 16,
          .page_bytes = 256,
          .pages_at_once = kUnit,
          .dies = dies,
          .rated_erase_cycles = 1000,
          .buffers = buffers,
          .holds_up = holds_up});
    config_.write_buffer = room;
    fill_share(0.5);
    begin_volume();
    reads_ = array_->reads();
    programs_ = array_->programs();
  }
  void flush() {
    ASSERT_EQ(ftl_->flush(0), FtlStatus::ok);
    drain();
    oracle_->acknowledge_flush();
  }
  [[nodiscard]] std::uint64_t reads() const { return array_->reads() - reads_; }
  [[nodiscard]] std::uint64_t programs() const { return array_->programs() - programs_; }

 private:
  std::uint64_t reads_ = 0;
  std::uint64_t programs_ = 0;
};

TEST_F(PageWriteBuffer, a_write_is_answered_at_once_and_its_program_waits_for_others) {
  start(32);
  for (std::uint32_t page = 0; page < kUnit - 1; ++page) {
    const std::uint32_t write = submit(host_->write_page(page));
    EXPECT_TRUE(host_->is_answered(write));
  }
  EXPECT_EQ(ftl_->in_flight(), 0U);
  step();
  EXPECT_EQ(ftl_->idle(0, 1'000'000'000), config_.write_buffer_idle_ns);
  EXPECT_EQ(programs(), 0U) << "nobody waits for it";
  submit(host_->write_page(9));
  flush();
  EXPECT_EQ(programs(), kUnit);
  EXPECT_EQ(ftl_->stats().pages_padded, 0U);
  expect_all_right();
}

TEST_F(PageWriteBuffer, a_flush_fills_the_program_and_makes_it_durable) {
  start(32);
  submit(host_->write_page(5));
  flush();
  EXPECT_EQ(programs(), kUnit);
  EXPECT_EQ(ftl_->stats().pages_padded, kUnit - 1);
  lose_power();
  EXPECT_EQ(oracle_->last(5), PageOracle::Version({1, 1, 1, 1}));
  expect_all_right();
}

TEST_F(PageWriteBuffer, a_long_pause_fills_the_program_and_makes_it_durable) {
  config_.write_buffer_idle_ns = 5000;
  start(32);
  submit(host_->write_page(5));
  EXPECT_EQ(ftl_->idle(1000, 1'000'000), 6000U);
  EXPECT_EQ(ftl_->idle(5999, 1'000'000), 6000U);
  submit(host_->write_page(6));
  EXPECT_EQ(ftl_->idle(6000, 1'000'000), 11'000U) << "a request is the end of a pause";
  EXPECT_EQ(programs(), 0U);
  EXPECT_EQ(ftl_->idle(11'000, 1'000'000), kNoIdleWork);
  array_->wait(UINT64_MAX);
  EXPECT_EQ(programs(), kUnit);
  EXPECT_EQ(ftl_->stats().pages_padded, kUnit - 2);
  oracle_->acknowledge_flush();
  lose_power();
  EXPECT_EQ(oracle_->last(5), PageOracle::Version({1, 1, 1, 1}));
  EXPECT_EQ(ftl_->idle(1'000'000, UINT64_MAX), kNoIdleWork) << "there is nothing to write";
}

TEST_F(PageWriteBuffer, without_such_a_time_data_ram_waits_for_the_host) {
  config_.write_buffer_idle_ns = 0;
  start(32);
  submit(host_->write_page(5));
  EXPECT_EQ(ftl_->idle(1000, UINT64_MAX), kNoIdleWork);
  EXPECT_EQ(ftl_->idle(UINT64_MAX - 1, UINT64_MAX), kNoIdleWork);
  EXPECT_EQ(programs(), 0U);
}

TEST_F(PageWriteBuffer, with_capacitors_a_flush_is_answered_at_once_and_they_write_it_out) {
  start(32, 2, 64, true);
  submit(host_->write_page(5));
  ASSERT_EQ(ftl_->flush(0), FtlStatus::ok);
  EXPECT_EQ(programs(), 0U);
  ASSERT_EQ(ftl_->write_out(0), FtlStatus::ok);
  EXPECT_EQ(programs(), kUnit);
  oracle_->acknowledge_flush();
  lose_power();
  EXPECT_EQ(oracle_->last(5), PageOracle::Version({1, 1, 1, 1}));
  expect_all_right();
}

TEST_F(PageWriteBuffer, without_them_both_program_what_was_answered) {
  start(32);
  submit(host_->write_page(5));
  ASSERT_EQ(ftl_->write_out(0), FtlStatus::ok);
  EXPECT_EQ(programs(), kUnit);
}

TEST_F(PageWriteBuffer, a_program_that_fails_while_capacitors_hold_up_is_repeated) {
  start(32, 2, 64, true);
  for (std::uint32_t page = 0; page < kUnit; ++page) submit(host_->write_page(page));
  array_->fail_next(1);
  ASSERT_EQ(ftl_->write_out(0), FtlStatus::ok);
  oracle_->acknowledge_flush();
  lose_power();
  EXPECT_EQ(oracle_->last(3), PageOracle::Version({4, 4, 4, 4}));
  expect_all_right();
}

TEST_F(PageWriteBuffer, what_is_answered_and_in_data_ram_alone_is_known_by_its_place) {
  start(32);
  const auto answered = [this] {
    std::vector<std::uint32_t> places;
    ftl_->for_each_answered([&places](std::uint32_t page) { places.push_back(page); });
    return places;
  };
  for (const std::uint32_t page : {5U, 6U, 5U}) submit(host_->write_page(page));
  EXPECT_EQ(answered().size(), 2U) << "of a page the newest content";
  for (const std::uint32_t place : answered()) EXPECT_LT(place, array_->geometry().segments * 16U);
  flush();
  EXPECT_TRUE(answered().empty());
}

TEST_F(PageWriteBuffer, a_power_loss_takes_what_no_flush_came_behind) {
  start(32);
  submit(host_->write_page(5));
  lose_power();
  EXPECT_EQ(oracle_->last(5), PageOracle::Version{});
  expect_all_right();
}

TEST_F(PageWriteBuffer, a_write_that_finds_no_room_is_answered_when_a_program_has_ended) {
  start(kUnit);
  for (std::uint32_t page = 0; page < kUnit; ++page) submit(host_->write_page(page));
  const std::uint32_t fifth = submit(host_->write_page(kUnit));
  EXPECT_FALSE(host_->is_answered(fifth));
  EXPECT_EQ(ftl_->in_flight(), 1U);
  while (programs() == 0) step();
  EXPECT_TRUE(host_->is_answered(fifth));
  EXPECT_EQ(ftl_->stats().pages_padded, 0U) << "its own program was not filled for it";
  expect_all_right();
}

TEST_F(PageWriteBuffer, reads_find_the_newest_version_in_data_ram) {
  start(32);
  submit(host_->write_page(3));
  submit(host_->read(3 * kAll, kAll));
  submit(host_->write_page(3));
  submit(host_->read(3 * kAll + 1, 2));
  EXPECT_EQ(ftl_->in_flight(), 0U);
  EXPECT_EQ(reads(), 0U);
  EXPECT_EQ(ftl_->stats().pages_read_buffered, 2U);
  EXPECT_EQ(host_->wrong(), "");
  expect_all_right();
}

TEST_F(PageWriteBuffer, reads_find_the_newest_version_whichever_die_ends_first) {
  start(40, 4);
  Dice dice(7);
  for (std::uint32_t i = 0; i < 4000; ++i) {
    const std::uint32_t page = dice.below(3);
    submit(dice.chance(500) ? host_->write_page(page) : host_->read(page * kAll, kAll));
    if (ftl_->in_flight() > 0) step();
    // Dies go on while the host reads.
    for (std::uint32_t left = dice.chance(50) ? 12 : 0; left > 0 && ftl_->log().is_at_work(); --left) {
      ftl_->log().submit_before_wait();
      array_->wait(UINT64_MAX);
      submit(host_->read(left % 3 * kAll, kAll));
    }
    ASSERT_EQ(host_->wrong(), "") << i;
  }
  expect_all_right();
}

TEST_F(PageWriteBuffer, parts_are_put_into_a_page_that_is_in_data_ram) {
  start(32);
  submit(host_->write_page(3));
  submit(host_->write(3 * kAll + 1, 1));
  while (ftl_->in_flight() > 0) step();
  EXPECT_EQ(reads(), 0U);
  EXPECT_EQ(programs(), 0U);
  submit(host_->read(3 * kAll, kAll));
  EXPECT_EQ(host_->wrong(), "");
  flush();
  EXPECT_EQ(reads(), 0U);
  expect_all_right();
}

TEST_F(PageWriteBuffer, trimmed_pages_are_found_nowhere_and_trims_are_answered_when_they_are_durable) {
  start(32);
  submit(host_->write_page(3));
  const std::uint32_t trim = submit(host_->trim(3, 1));
  EXPECT_FALSE(host_->is_answered(trim));
  submit(host_->read(3 * kAll, kAll));
  EXPECT_EQ(host_->wrong(), "");
  while (!host_->is_answered(trim)) step();
  lose_power();
  EXPECT_EQ(oracle_->last(3), PageOracle::Version{});
  expect_all_right();
}

TEST_F(PageWriteBuffer, where_no_record_makes_trims_wait_a_trimmed_page_is_found_nowhere_all_the_same) {
  start(32, 2, 0);
  submit(host_->write_page(3));
  const std::uint32_t trim = submit(host_->trim(3, 1));
  EXPECT_TRUE(host_->is_answered(trim));
  submit(host_->read(3 * kAll, kAll));
  EXPECT_EQ(ftl_->stats().pages_read_buffered, 0U);
}

TEST_F(PageWriteBuffer, an_answered_write_whose_program_fails_is_written_again) {
  start(32);
  array_->fail_next(1);
  for (std::uint32_t page = 0; page < kUnit; ++page) submit(host_->write_page(page));
  flush();
  EXPECT_GT(programs(), kUnit);
  lose_power();
  for (std::uint32_t page = 0; page < kUnit; ++page) EXPECT_NE(oracle_->last(page), PageOracle::Version{}) << page;
  expect_all_right();
}

TEST_F(PageWriteBuffer, an_answered_write_that_finds_no_place_stays_readable_and_the_flush_says_so) {
  start(32);
  array_->fail_next(100'000);
  for (std::uint32_t page = 0; page < kUnit; ++page) submit(host_->write_page(page));
  EXPECT_EQ(ftl_->flush(0), FtlStatus::read_only);
  for (std::uint32_t page = 0; page < kUnit; ++page) submit(host_->read(page * kAll, kAll));
  drain();
  EXPECT_EQ(ftl_->write(0, std::vector<std::byte>(256), {}, 0), FtlStatus::read_only);
}

TEST_F(PageWriteBuffer, an_answered_write_is_read_again_when_the_one_that_overtook_it_is_refused) {
  const auto content = [this] {
    std::vector<std::byte> bytes(kUnit * 256);
    EXPECT_EQ(ftl_->read(0, bytes, 0), FtlStatus::ok);
    return bytes;
  };
  start(kUnit);
  array_->fail_next(100'000);
  for (std::uint32_t page = 0; page < kUnit; ++page) submit(host_->write_page(page));
  const std::vector<std::byte> answered = content();
  for (std::uint32_t page = 0; page < kUnit; ++page) submit(host_->write_page(page));
  EXPECT_EQ(ftl_->flush(0), FtlStatus::read_only);
  EXPECT_TRUE(content() == answered);
}

}  // namespace
}  // namespace ftlab::tests
