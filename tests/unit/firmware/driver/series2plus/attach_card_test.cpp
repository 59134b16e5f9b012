// Identifying cards and bringing them to a known state, whatever was left on them.
#include "tests/unit/firmware/driver/series2plus/card_fixture.h"

namespace ftlab {
namespace {

using test::CardFixture;
using test::load_part;

class Attach : public CardFixture {};
class AttachPart : public CardFixture, public testing::WithParamInterface<const char*> {};

TEST_P(AttachPart, geometry_is_that_of_the_part) {
  const hw::CardSpec spec = load_part(GetParam());
  insert(spec);
  ASSERT_EQ(attach(), AttachStatus::ok);
  EXPECT_EQ(driver_->geometry().segments, spec.segments());
  EXPECT_EQ(driver_->geometry().segment_bytes, spec.segment_bytes);
  EXPECT_EQ(driver_->geometry().segment_bytes, 128U * 1024);
  EXPECT_EQ(driver_->geometry().parallel_units, spec.pairs);
  EXPECT_EQ(driver_->geometry().program_unit_bytes, 1U);
  EXPECT_EQ(driver_->geometry().rated_erase_cycles, 100'000U);
  EXPECT_TRUE(driver_->capabilities().in_place_clear);
  const std::uint32_t last = spec.segments() - 1;
  const auto data = noise(1000, 1);
  EXPECT_EQ(program(last, 128 * 1024 - 1000, data), PartStatus::ok);
  EXPECT_EQ(peek(last, 128 * 1024 - 1000, 1000), data);
}

INSTANTIATE_TEST_SUITE_P(Parts, AttachPart,
                         testing::Values("series2plus-4mb", "series2plus-8mb", "series2plus-20mb", "series2plus-24mb",
                                         "series2plus-24mb-dd", "series2plus-40mb"),
                         [](const auto& part) {
                           std::string name = part.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST_F(Attach, overridden_segment_sizes_are_taken_from_the_card) {
  for (const std::uint32_t kib : {32U, 64U, 256U}) {
    hw::CardSpec spec = load_part("series2plus-8mb");
    spec.segment_bytes = kib * 1024;
    spec.segments_per_pair = 4096 / kib;
    insert(spec);
    ASSERT_EQ(attach(), AttachStatus::ok) << kib;
    EXPECT_EQ(driver_->geometry().segment_bytes, kib * 1024);
    EXPECT_EQ(driver_->geometry().segments, 8192 / kib);
    EXPECT_EQ(driver_->geometry().parallel_units, 2U);
  }
}

TEST_F(Attach, data_that_looks_like_status_or_identifiers_does_not_deceive) {
  for (const unsigned value : {0x80U, 0x89U, 0xA0U, 0x00U}) {
    const hw::CardSpec spec = load_part("series2plus-20mb");
    insert(spec);
    for (std::uint32_t segment = 0; segment < spec.segments(); ++segment) poke(segment, 0, filled(16, value));
    ASSERT_EQ(attach(), AttachStatus::ok);
    EXPECT_EQ(driver_->geometry().parallel_units, spec.pairs) << "cells full of " << value;
  }
}

TEST_F(Attach, every_pair_shows_data_afterwards) {
  const hw::CardSpec spec = load_part("series2plus-24mb");
  insert(spec);
  for (std::uint32_t segment = 0; segment < spec.segments(); ++segment) poke(segment, 0, filled(2, segment & 0xFFU));
  ASSERT_EQ(attach(), AttachStatus::ok);
  for (std::uint32_t segment = 0; segment < spec.segments(); ++segment) {
    EXPECT_EQ(common_->read8(segment * spec.segment_bytes), segment & 0xFFU);
  }
}

TEST_F(Attach, empty_socket_has_no_card_information) {
  insert(load_part("series2plus-4mb"));
  core_->lose_power(bus_->now);
  EXPECT_EQ(attach(), AttachStatus::no_card_information);
}

TEST_F(Attach, protected_card_can_be_read_and_nothing_else) {
  insert(load_part("series2plus-24mb"));
  const auto data = noise(100, 2);
  poke(100, 7, data);
  core_->set_write_protect_switch(true);
  ASSERT_EQ(attach(), AttachStatus::ok);
  EXPECT_EQ(driver_->geometry().segments, 192U);
  EXPECT_EQ(driver_->geometry().parallel_units, 1U) << "its division cannot be seen";
  EXPECT_EQ(read(100, 7, 100), data);
  EXPECT_EQ(program(100, 0, filled(4, 0)), PartStatus::write_protected);
  EXPECT_EQ(erase(3), PartStatus::write_protected);
  EXPECT_EQ(peek(100, 7, 100), data);
}

TEST_F(Attach, switch_moved_later_refuses_writes_and_reads_go_on) {
  start();
  const auto data = noise(3000, 3);
  ASSERT_EQ(program(5, 0, data), PartStatus::ok);
  core_->set_write_protect_switch(true);
  EXPECT_EQ(read(5, 0, 3000), data);
  EXPECT_EQ(program(5, 4096, data), PartStatus::write_protected);
  EXPECT_EQ(erase(5), PartStatus::write_protected);
  core_->set_write_protect_switch(false);
  EXPECT_EQ(program(5, 4096, data), PartStatus::ok);
}

TEST_F(Attach, erase_left_running_by_others_is_waited_for) {
  insert(load_part("series2plus-8mb"));
  poke(1, 0, filled(64, 0));
  common_->write16(128 * 1024, 0x2020);
  common_->write16(128 * 1024, 0xD0D0);
  const double begun = bus_->seconds();
  ASSERT_EQ(attach(), AttachStatus::ok);
  EXPECT_GE(bus_->seconds() - begun, to_seconds(core_->spec().timing.erase) - 0.001);
  EXPECT_EQ(read(1, 0, 64), filled(64, 0xFF));
}

TEST_F(Attach, erase_left_suspended_by_others_is_resumed_and_ended) {
  insert(load_part("series2plus-8mb"));
  poke(33, 0, filled(64, 0));  // second pair
  const std::uint32_t base = 33 * 128 * 1024;
  common_->write16(base, 0x2020);
  common_->write16(base, 0xD0D0);
  common_->delay_ns(1'000'000);
  common_->write16(base, 0xB0B0);
  common_->delay_ns(1'000'000);
  ASSERT_EQ(attach(), AttachStatus::ok);
  EXPECT_EQ(read(33, 0, 64), filled(64, 0xFF));
  EXPECT_EQ(program(34, 0, filled(600, 0x11)), PartStatus::ok);
}

TEST_F(Attach, sleeping_and_powered_down_cards_are_woken) {
  insert(load_part("series2plus-8mb"));
  for (const std::uint32_t base : {0U, 4U << 20}) common_->write16(base, 0xF0F0);
  attribute_->write8(0x4002, 0x04);
  attribute_->write8(0x4140, 0x01);
  ASSERT_EQ(attach(), AttachStatus::ok);
  EXPECT_EQ(program(40, 0, filled(600, 0x22)), PartStatus::ok);
  EXPECT_EQ(read(40, 0, 600), filled(600, 0x22));
}

TEST_F(Attach, driver_recovers_after_power_was_lost) {
  start("series2plus-8mb");
  ASSERT_EQ(program(2, 0, filled(600, 0x22)), PartStatus::ok);
  core_->lose_power(bus_->now);
  core_->restore_power(bus_->now);
  core_->set_vpp_pin(bus_->now, true);
  ASSERT_EQ(driver_->attach(), AttachStatus::ok);
  EXPECT_EQ(read(2, 0, 600), filled(600, 0x22));
  EXPECT_EQ(program(2, 600, filled(600, 0x33)), PartStatus::ok);
}

TEST_F(Attach, generator_replaces_the_sockets_vpp_and_is_released) {
  config_.use_vpp_generator = true;
  insert(load_part("series2plus-24mb"));
  core_->set_vpp_pin(bus_->now, false);
  ASSERT_EQ(attach(), AttachStatus::ok);
  EXPECT_EQ(program(9, 0, filled(512, 0x44)), PartStatus::ok);
  EXPECT_EQ(attribute_->read8(0x410C) & 0x03, 0x03);
  driver_->release();
  EXPECT_EQ(attribute_->read8(0x410C) & 0x01, 0x00);
}

TEST_F(Attach, without_vpp_a_card_is_readable_and_writes_are_refused_until_it_comes) {
  insert(load_part("series2plus-24mb"));
  core_->set_vpp_pin(bus_->now, false);
  ASSERT_EQ(attach(), AttachStatus::ok);
  EXPECT_EQ(read(0, 0, 8), filled(8, 0xFF));
  EXPECT_EQ(program(0, 0, filled(512, 0)), PartStatus::no_vpp);
  EXPECT_EQ(erase(0), PartStatus::no_vpp);
  core_->set_vpp_pin(bus_->now, true);
  EXPECT_EQ(program(0, 0, filled(512, 0)), PartStatus::ok);
}

}  // namespace
}  // namespace ftlab
