// Erases on the card's core: waited for, in the background, suspended, failing.
#include <cmath>
#include <set>

#include "tests/unit/firmware/driver/series2plus/card_fixture.h"

namespace ftlab {
namespace {

using test::CardFixture;
using test::load_part;
using test::short_lived;

class EraseOnCard : public CardFixture {
 protected:
  [[nodiscard]] double erase_seconds() const { return to_seconds(core_->spec().timing.erase); }
  [[nodiscard]] static PartOp erase_op(std::uint32_t segment, std::uint32_t tag) {
    return {.kind = PartOpKind::erase, .segment = SegmentId{segment}, .tag = tag};
  }
  void begin_erase(std::uint32_t segment, std::uint32_t tag) {
    const PartOp op = erase_op(segment, tag);
    ASSERT_EQ(driver_->submit({&op, 1}), 1U);
  }
  /// The next result; waits for it.
  PartDone next_done() {
    PartDone done{.tag = 9999, .status = PartStatus::uncorrectable};
    EXPECT_EQ(driver_->reap({&done, 1}, true), 1U);
    return done;
  }
  std::size_t done_now() {
    PartDone done[8];
    return driver_->reap(done, false);
  }
};

TEST_F(EraseOnCard, polled_erase_ends_at_the_next_poll) {
  start();
  poke(9, 0, filled(4096, 0));
  const double begun = bus_->seconds();
  ASSERT_EQ(erase(9), PartStatus::ok);
  EXPECT_EQ(read(9, 0, 4096), filled(4096, 0xFF));
  EXPECT_EQ(core_->erase_count(9), 1U);
  const double polls = std::ceil(erase_seconds() / 0.1);
  EXPECT_NEAR(bus_->seconds() - begun, polls * 0.1, 0.1);
  EXPECT_NEAR(static_cast<double>(bus_->wait_reads), polls + 1, 1.0);
}

TEST_F(EraseOnCard, interrupt_ends_an_erase_at_once) {
  config_.erase_wait = DriverWait::interrupt;
  start();
  const double begun = bus_->seconds();
  ASSERT_EQ(erase(9), PartStatus::ok);
  EXPECT_NEAR(bus_->seconds() - begun, erase_seconds(), 0.001);
  EXPECT_EQ(bus_->wait_reads, 2U);
}

TEST_F(EraseOnCard, erasing_every_segment_of_a_small_card_works) {
  config_.erase_wait = DriverWait::interrupt;
  start("series2plus-4mb");
  for (std::uint32_t segment = 0; segment < 32; ++segment) {
    poke(segment, 64, filled(512, 0));
    ASSERT_EQ(erase(segment), PartStatus::ok);
    ASSERT_EQ(peek(segment, 64, 512), filled(512, 0xFF));
  }
}

TEST_F(EraseOnCard, locked_segment_is_refused_and_untouched) {
  insert(load_part("series2plus-24mb"));
  poke(33, 0, filled(16, 0x42));
  lock(33);
  ASSERT_EQ(attach(), AttachStatus::ok);
  EXPECT_EQ(erase(33), PartStatus::write_protected);
  EXPECT_EQ(read(33, 0, 16), filled(16, 0x42));
  EXPECT_EQ(core_->erase_count(33), 0U);
}

TEST_F(EraseOnCard, worn_out_segment_fails_after_the_retries) {
  config_.retries = 2;
  insert(short_lived(load_part("series2plus-4mb"), 2));
  ASSERT_EQ(attach(), AttachStatus::ok);
  std::uint32_t good = 0;
  while (erase(5) == PartStatus::ok) ++good;
  EXPECT_EQ(good, core_->endurance_limit(5));
  EXPECT_EQ(core_->erase_count(5), good + 3) << "one attempt and two retries";
  EXPECT_EQ(erase(6), PartStatus::ok);
}

TEST_F(EraseOnCard, vpp_lost_during_an_erase_is_reported) {
  start();
  bus_->on_access = [this] {
    if (bus_->accesses == 12) core_->set_vpp_pin(bus_->now, false);
  };
  EXPECT_EQ(erase(9), PartStatus::no_vpp);
  bus_->on_access = nullptr;
  core_->set_vpp_pin(bus_->now, true);
  EXPECT_EQ(erase(9), PartStatus::ok);
  EXPECT_EQ(read(9, 0, 64), filled(64, 0xFF));
}

class BackgroundErase : public EraseOnCard {
 protected:
  BackgroundErase() { config_.background_erase = config_.suspend_erase = true; }
};

TEST_F(BackgroundErase, capabilities_say_so) {
  start();
  EXPECT_TRUE(driver_->capabilities().background_erase);
}

TEST_F(BackgroundErase, erases_of_different_pairs_run_at_the_same_time) {
  start();
  const double begun = bus_->seconds();
  const std::uint32_t per_pair = core_->spec().segments_per_pair;
  for (std::uint32_t pair = 0; pair < core_->spec().pairs; ++pair) begin_erase(pair * per_pair + 3, pair);
  EXPECT_LT(bus_->seconds() - begun, 0.01);
  std::set<std::uint32_t> tags;
  for (std::uint32_t pair = 0; pair < core_->spec().pairs; ++pair) {
    const PartDone done = next_done();
    EXPECT_EQ(done.status, PartStatus::ok);
    tags.insert(done.tag);
  }
  EXPECT_EQ(tags.size(), core_->spec().pairs) << "each is reaped once";
  EXPECT_LT(bus_->seconds() - begun, erase_seconds() + 0.11);
  EXPECT_EQ(done_now(), 0U);
}

TEST_F(BackgroundErase, reap_without_waiting_gives_what_has_ended) {
  start();
  begin_erase(3, 77);
  EXPECT_EQ(done_now(), 0U);
  common_->delay_ns(static_cast<std::uint64_t>(erase_seconds() * 1e9));
  PartDone done;
  ASSERT_EQ(driver_->reap({&done, 1}, false), 1U);
  EXPECT_EQ(done.tag, 77U);
  EXPECT_EQ(done.status, PartStatus::ok);
  EXPECT_EQ(common_->read16(3 * 128 * 1024), 0xFFFF) << "the pair shows data again";
}

TEST_F(BackgroundErase, other_pairs_program_at_device_speed_meanwhile) {
  start();
  begin_erase(0, 1);
  const Ticks begun = bus_->now;
  const auto data = noise(4096, 1);
  ASSERT_EQ(program(180, 0, data), PartStatus::ok);
  EXPECT_LE(bus_->now - begun, core_->spec().timing.buffer_program_byte * 256 * 8 + Ticks{5'000'000})
      << "the ready line reports the program although another pair erases";
  EXPECT_EQ(read(180, 0, 4096), data);
  EXPECT_EQ(next_done().status, PartStatus::ok);
}

TEST_F(BackgroundErase, reads_of_the_erasing_pair_suspend_it) {
  start();
  const auto data = noise(4096, 1);
  poke(0, 0, filled(512, 0));
  poke(1, 0, data);
  begin_erase(0, 5);
  for (int i = 0; i < 20; ++i) {
    const double begun = bus_->seconds();
    ASSERT_EQ(read(1, 0, 4096), data);
    ASSERT_LT(bus_->seconds() - begun, 0.001) << "no read waits for the erase";
    common_->delay_ns(1'000'000);
  }
  EXPECT_EQ(next_done().status, PartStatus::ok);
  EXPECT_EQ(read(0, 0, 512), filled(512, 0xFF));
}

TEST_F(BackgroundErase, consecutive_reads_share_one_suspension) {
  start();
  begin_erase(0, 5);
  std::byte bytes[8];
  PartOp ops[4];
  for (std::uint32_t i = 0; i < 4; ++i) {
    ops[i] = {.kind = PartOpKind::read, .segment = SegmentId{i + 1}, .length = 8, .into = bytes};
  }
  bus_->accesses = 0;
  ASSERT_EQ(driver_->submit({ops, 1}), 1U);
  const std::uint64_t one = bus_->accesses;
  bus_->accesses = 0;
  ASSERT_EQ(driver_->submit(ops), 4U);
  EXPECT_LE(bus_->accesses, one + 3) << "three more bursts, no more commands";
}

TEST_F(BackgroundErase, suspended_time_is_not_erase_time) {
  start();
  begin_erase(0, 5);
  common_->delay_ns(static_cast<std::uint64_t>(erase_seconds() * 1e9) - 20'000'000);
  // 128 KiB take about 10 ms of bus time during which the erase stands still.
  for (int i = 0; i < 6; ++i) read(1, 0, 128 * 1024);
  EXPECT_EQ(done_now(), 0U) << "the erase has not come to its end meanwhile";
  EXPECT_EQ(next_done().status, PartStatus::ok);
}

TEST_F(BackgroundErase, programs_interleave_with_the_erase_of_their_pair) {
  start();
  poke(0, 0, filled(512, 0));
  begin_erase(0, 5);
  const auto data = noise(3001, 1);
  const double begun = bus_->seconds();
  ASSERT_EQ(program(1, 1, data), PartStatus::ok);
  ASSERT_EQ(program(1, 8000, filled(3, 0x12)), PartStatus::ok);
  EXPECT_LT(bus_->seconds() - begun, 0.2) << "not as long as the erase";
  EXPECT_EQ(done_now(), 0U);
  EXPECT_EQ(next_done().status, PartStatus::ok);
  EXPECT_EQ(read(1, 1, 3001), data);
  EXPECT_EQ(read(1, 8000, 3), filled(3, 0x12));
  EXPECT_EQ(read(0, 0, 512), filled(512, 0xFF));
}

TEST_F(BackgroundErase, read_then_program_of_an_erasing_pair_in_one_submit) {
  start();
  const auto data = noise(600, 1);
  poke(1, 0, data);
  begin_erase(0, 5);
  std::vector<std::byte> into(600);
  const PartOp ops[] = {
      {.kind = PartOpKind::read, .segment = SegmentId{1}, .length = 600, .into = into.data(), .tag = 1},
      {.kind = PartOpKind::program, .segment = SegmentId{2}, .length = 600, .from = data.data(), .tag = 2}};
  ASSERT_EQ(driver_->submit(ops), 2U);
  EXPECT_EQ(next_done().tag, 1U);
  EXPECT_EQ(next_done().tag, 2U);
  EXPECT_EQ(into, data);
  EXPECT_EQ(next_done().tag, 5U);
  EXPECT_EQ(read(2, 0, 600), data);
}

TEST_F(BackgroundErase, without_suspend_reads_of_the_pair_wait_for_the_end) {
  config_.suspend_erase = false;
  start();
  begin_erase(0, 5);
  const double begun = bus_->seconds();
  std::byte byte{};
  const PartOp op{.kind = PartOpKind::read, .segment = SegmentId{1}, .length = 1, .into = &byte, .tag = 6};
  ASSERT_EQ(driver_->submit({&op, 1}), 1U);
  EXPECT_GT(bus_->seconds() - begun, erase_seconds() - 0.01);
  EXPECT_EQ(next_done().tag, 5U);
  EXPECT_EQ(next_done().tag, 6U);
}

TEST_F(BackgroundErase, program_into_the_erasing_segment_comes_after_the_erase) {
  start();
  poke(0, 0, filled(600, 0));
  begin_erase(0, 5);
  const auto data = noise(600, 2);
  const PartOp op{.kind = PartOpKind::program, .segment = SegmentId{0}, .length = 600, .from = data.data(), .tag = 6};
  ASSERT_EQ(driver_->submit({&op, 1}), 1U);
  EXPECT_EQ(next_done().tag, 5U);
  EXPECT_EQ(next_done().tag, 6U);
  EXPECT_EQ(read(0, 0, 600), data);
}

TEST_F(BackgroundErase, second_erase_on_a_pair_waits_for_the_first) {
  start();
  const PartOp ops[] = {erase_op(0, 1), erase_op(1, 2)};
  ASSERT_EQ(driver_->submit(ops), 2U);
  EXPECT_EQ(next_done().tag, 1U);
  EXPECT_EQ(done_now(), 0U);
  EXPECT_EQ(next_done().tag, 2U);
  EXPECT_EQ(core_->erase_count(0), 1U);
  EXPECT_EQ(core_->erase_count(1), 1U);
}

TEST_F(BackgroundErase, failing_program_beside_an_erase_does_not_spoil_the_erase) {
  config_.retries = 1;
  insert(short_lived(load_part("series2plus-4mb"), 2));
  ASSERT_EQ(attach(), AttachStatus::ok);
  PartStatus status = PartStatus::ok;
  while (status == PartStatus::ok) {
    begin_erase(5, 1);
    status = next_done().status;
  }
  ASSERT_EQ(status, PartStatus::erase_failed);
  poke(6, 0, filled(4096, 0));
  begin_erase(6, 2);
  EXPECT_EQ(program(5, 0, noise(600, 1)), PartStatus::program_failed);
  EXPECT_EQ(program(5, 0, filled(1, 0)), PartStatus::program_failed);
  const PartDone done = next_done();
  EXPECT_EQ(done.tag, 2U);
  EXPECT_EQ(done.status, PartStatus::ok);
  EXPECT_EQ(read(6, 0, 4096), filled(4096, 0xFF));
}

TEST_F(BackgroundErase, release_ends_erases_and_keeps_their_results) {
  start();
  begin_erase(0, 1);
  begin_erase(180, 2);
  driver_->release();
  EXPECT_EQ(common_->read16(0), 0xFFFF);
  EXPECT_EQ(common_->read16(180 * 128 * 1024), 0xFFFF);
  EXPECT_EQ(next_done().status, PartStatus::ok);
  EXPECT_EQ(next_done().status, PartStatus::ok);
}

}  // namespace
}  // namespace ftlab
