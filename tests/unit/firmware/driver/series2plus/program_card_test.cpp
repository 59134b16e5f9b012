// Programs and reads on the card's core: data, times, failures.
#include "tests/unit/firmware/driver/series2plus/card_fixture.h"

namespace ftlab {
namespace {

using test::CardFixture;
using test::load_part;
using test::short_lived;

class ProgramOnCard : public CardFixture {};

struct Style {
  ProgramMethod method;
  DriverWait wait;
};
class ProgramStyle : public CardFixture, public testing::WithParamInterface<Style> {
 protected:
  void SetUp() override {
    config_.program_method = GetParam().method;
    config_.program_wait = GetParam().wait;
    start();
  }
};

TEST_P(ProgramStyle, data_comes_back_at_any_offset_and_length) {
  const std::size_t lengths[] = {1, 2, 3, 9, 10, 11, 12, 13, 255, 511, 512, 513, 1023, 1025};
  std::uint32_t at = 0;
  unsigned seed = 1;
  for (const std::size_t length : lengths) {
    for (std::uint32_t shift = 0; shift < 4; ++shift) {
      const std::uint32_t offset = at + 509 + shift;  // around the line of a page buffer
      const auto data = noise(length, ++seed);
      ASSERT_EQ(program(7, offset, data), PartStatus::ok) << length << " at " << offset;
      ASSERT_EQ(read(7, offset, length), data) << length << " at " << offset;
      ASSERT_EQ(peek(7, offset, length), data) << length << " at " << offset;
      ASSERT_EQ(peek(7, offset - 1, 1), filled(1, 0xFF)) << "byte before " << length << " at " << offset;
      ASSERT_EQ(peek(7, offset + static_cast<std::uint32_t>(length), 1), filled(1, 0xFF)) << "byte behind";
      at += 2048;
    }
  }
}

TEST_P(ProgramStyle, raw_reads_see_data_after_every_call) {
  const auto data = noise(4096, 9);
  ASSERT_EQ(program(0, 0, data), PartStatus::ok);
  ASSERT_EQ(program(0, 4096, filled(3, 0x77)), PartStatus::ok);
  std::vector<std::byte> raw(4096);
  common_->copy_from(0, raw);
  EXPECT_EQ(raw, data);
  EXPECT_EQ(common_->read16(4096), 0x7777);
}

INSTANTIATE_TEST_SUITE_P(Styles, ProgramStyle,
                         testing::Values(Style{ProgramMethod::page_buffer, DriverWait::interrupt},
                                         Style{ProgramMethod::page_buffer, DriverWait::poll},
                                         Style{ProgramMethod::word, DriverWait::poll}),
                         [](const auto& style) {
                           const bool word = style.param.method == ProgramMethod::word;
                           return std::string(word ? "word" : "page_buffer") +
                                  (style.param.wait == DriverWait::poll ? "_poll" : "_interrupt");
                         });

TEST_F(ProgramOnCard, last_and_first_segment_of_neighbouring_pairs_hold_their_own_data) {
  start("series2plus-8mb");
  const auto left = noise(512, 1);
  const auto right = noise(512, 2);
  ASSERT_EQ(program(31, 128 * 1024 - 512, left), PartStatus::ok);
  ASSERT_EQ(program(32, 0, right), PartStatus::ok);
  EXPECT_EQ(read(31, 128 * 1024 - 512, 512), left);
  EXPECT_EQ(read(32, 0, 512), right);
}

TEST_F(ProgramOnCard, interrupt_ends_each_wait_with_the_second_status_read) {
  start();
  ASSERT_EQ(program(0, 0, noise(4096, 1)), PartStatus::ok);
  EXPECT_EQ(bus_->wait_reads, 2U * 8U);
  EXPECT_EQ(probe_.of(Work::buffer_program), 8U);
  EXPECT_EQ(probe_.of(Work::driver_call), 1U);
  // Two attribute reads less: protection is asked once per call, Vpp was known.
  EXPECT_EQ(bus_->accesses, 1U + 1U + 8U * 11U + 2U * 8U + 1U) << "status, first 71h, 8 sequences, waits, read array";
}

TEST_F(ProgramOnCard, a_page_takes_the_device_time_and_little_more_by_interrupt) {
  start();
  const Ticks begun = bus_->now;
  ASSERT_EQ(program(0, 0, noise(4096, 1)), PartStatus::ok);
  const Ticks device = core_->spec().timing.buffer_program_byte * 256 * 8;
  const Ticks bus = core_->spec().timing.common_cycle * (8 * (256 + 16));
  EXPECT_GE(bus_->now - begun, device);
  EXPECT_LE(bus_->now - begun, device + bus + core_->spec().timing.attribute_cycle);
}

TEST_F(ProgramOnCard, polling_rounds_each_sequence_up_to_the_interval) {
  config_.program_wait = DriverWait::poll;
  config_.program_poll_ns = 10'000'000;
  start();
  const double begun = bus_->seconds();
  ASSERT_EQ(program(0, 0, noise(4096, 1)), PartStatus::ok);
  EXPECT_NEAR(bus_->seconds() - begun, 8 * 0.010, 0.002);
  EXPECT_EQ(bus_->wait_reads, 2U * 8U);
}

TEST_F(ProgramOnCard, short_poll_interval_reads_status_as_often_as_the_time_holds) {
  config_.program_wait = DriverWait::poll;
  config_.program_poll_ns = 50'000;
  start();
  ASSERT_EQ(program(0, 0, noise(512, 1)), PartStatus::ok);
  const double device = to_seconds(core_->spec().timing.buffer_program_byte * 256);
  EXPECT_NEAR(static_cast<double>(bus_->wait_reads), device / 50e-6 + 1, 2.0);
}

TEST_F(ProgramOnCard, vpp_lost_in_the_middle_is_reported_and_the_driver_goes_on_when_it_is_back) {
  start();
  bus_->on_access = [this] {
    if (bus_->accesses == 40) core_->set_vpp_pin(bus_->now, false);
  };
  EXPECT_EQ(program(0, 0, filled(4096, 0x5A)), PartStatus::no_vpp);
  EXPECT_EQ(program(0, 8192, filled(2, 0x5A)), PartStatus::no_vpp);
  bus_->on_access = nullptr;
  core_->set_vpp_pin(bus_->now, true);
  EXPECT_EQ(program(0, 8192, filled(4096, 0x5A)), PartStatus::ok);
  EXPECT_EQ(read(0, 8192, 4096), filled(4096, 0x5A));
}

TEST_F(ProgramOnCard, locked_segment_refuses_page_buffers_and_words) {
  insert(load_part("series2plus-24mb"));
  lock(20);
  ASSERT_EQ(attach(), AttachStatus::ok);
  EXPECT_EQ(program(20, 0, filled(512, 0)), PartStatus::write_protected);
  EXPECT_EQ(program(20, 0, filled(2, 0)), PartStatus::write_protected);
  EXPECT_EQ(program(20, 1, filled(1, 0)), PartStatus::write_protected);
  EXPECT_EQ(read(20, 0, 512), filled(512, 0xFF));
  EXPECT_EQ(program(21, 0, filled(512, 0)), PartStatus::ok) << "its neighbour is not locked";
}

TEST_F(ProgramOnCard, locks_can_be_overridden) {
  config_.honour_locks = false;
  insert(load_part("series2plus-24mb"));
  lock(20);
  ASSERT_EQ(attach(), AttachStatus::ok);
  EXPECT_EQ(program(20, 0, filled(512, 0)), PartStatus::ok);
  EXPECT_EQ(read(20, 0, 512), filled(512, 0));
}

TEST_F(ProgramOnCard, worn_out_segment_fails_programs_and_spares_its_neighbours) {
  config_.retries = 2;
  insert(short_lived(load_part("series2plus-4mb"), 2));
  ASSERT_EQ(attach(), AttachStatus::ok);
  PartStatus status = PartStatus::ok;
  for (int i = 0; i < 10 && status == PartStatus::ok; ++i) status = erase(5);
  ASSERT_EQ(status, PartStatus::erase_failed);
  const std::uint64_t before = probe_.of(Work::buffer_program);
  EXPECT_EQ(program(5, 0, noise(512, 1)), PartStatus::program_failed);
  EXPECT_EQ(probe_.of(Work::buffer_program) - before, 3U) << "one try, two more";
  EXPECT_EQ(program(5, 4096, filled(2, 0)), PartStatus::program_failed);
  const auto data = noise(5000, 4);
  EXPECT_EQ(program(6, 0, data), PartStatus::ok);
  EXPECT_EQ(read(6, 0, 5000), data);
}

TEST_F(ProgramOnCard, queue_takes_what_fits_and_the_rest_after_reaping) {
  start();
  std::byte byte{};
  std::vector<PartOp> ops(100);
  for (std::uint32_t i = 0; i < 100; ++i) {
    ops[i] = {.kind = PartOpKind::read, .segment = SegmentId{i}, .length = 1, .into = &byte, .tag = i};
  }
  const std::uint32_t depth = driver_->capabilities().queue_depth;
  EXPECT_EQ(driver_->submit(ops), depth);
  EXPECT_EQ(driver_->submit(std::span(ops).subspan(depth)), 0U);
  std::vector<PartDone> done(100);
  EXPECT_EQ(driver_->reap(done, true), depth);
  EXPECT_EQ(driver_->submit(std::span(ops).subspan(depth)), 100U - depth);
  EXPECT_EQ(driver_->reap(done, true), 100U - depth);
  EXPECT_EQ(done[0].tag, depth);
  EXPECT_EQ(driver_->reap(done, true), 0U) << "nothing is left to wait for";
}

TEST_F(ProgramOnCard, copy_is_not_offered_and_not_pretended) {
  start();
  EXPECT_FALSE(driver_->capabilities().copy_back);
  EXPECT_NE(run_one(*driver_, {.kind = PartOpKind::copy, .length = 512}), PartStatus::ok);
}

}  // namespace
}  // namespace ftlab
