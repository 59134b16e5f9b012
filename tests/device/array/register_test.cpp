// Registers: what the part is, status, control, and accesses that are refused.
#include "tests/device/array/array_fixture.h"

namespace ftlab::hw::testing {
namespace {

namespace reg = array::reg;

TEST(ArrayRegisters, identity_is_that_of_the_part) {
  ArrayFixture fixture(array_part({{"content", "tag"}}));
  EXPECT_EQ(fixture.read32(reg::kMagicAt), array::kMagic);
  EXPECT_EQ(fixture.read16(reg::kVersionAt), array::kVersion);
  EXPECT_EQ(fixture.read16(reg::kChannels), 2);
  EXPECT_EQ(fixture.read16(reg::kDiesPerChannel), 2);
  EXPECT_EQ(fixture.read16(reg::kPlanes), 2);
  EXPECT_EQ(fixture.read32(reg::kSegments), 64U);
  EXPECT_EQ(fixture.read32(reg::kPagesPerSegment), 6U);
  EXPECT_EQ(fixture.read32(reg::kPageBytes), 2048U);
  EXPECT_EQ(fixture.read32(reg::kRatedCycles), 1000U);
  EXPECT_EQ(fixture.read16(reg::kBitsPerCell), 2);
  EXPECT_EQ(fixture.read16(reg::kContent), 1);
  EXPECT_EQ(fixture.read16(reg::kBufferSlots), 0) << "there is no data RAM without data";
}

TEST(ArrayRegisters, fixed_registers_are_read_in_one_burst) {
  ArrayFixture fixture;
  std::array<std::uint16_t, reg::kIdentityBytes / 2> words{};
  ASSERT_EQ(fixture.core.common().read(fixture.now, 0, std::as_writable_bytes(std::span(words))).error, BusError::none);
  for (std::uint32_t i = 0; i < words.size(); ++i) EXPECT_EQ(words[i], fixture.read16(2 * i)) << i;
}

TEST(ArrayRegisters, content_bytes_brings_slots_and_a_window_for_them) {
  ArrayFixture fixture(array_part({{"content", "bytes"}, {"controller.buffer_slots", "3"}}));
  EXPECT_EQ(fixture.read16(reg::kContent), 2);
  EXPECT_EQ(fixture.read16(reg::kBufferSlots), 3);
  ASSERT_EQ(fixture.core.windows().size(), 2U);
  EXPECT_EQ(fixture.core.windows()[1]->shape().name, "data");
  EXPECT_EQ(fixture.core.windows()[1]->shape().bytes, 3U * 2048);
}

TEST(ArrayRegisters, content_says_whether_capacitors_hold_the_drive_up) {
  ArrayFixture fixture(array_part({{"content", "bytes"}, {"controller.power_loss_protection", "true"}}));
  EXPECT_EQ(fixture.read16(reg::kContent), array::kHoldsUp | 2);
  EXPECT_EQ(fixture.core.spec().open_wordlines, hw::OpenWordlines::capacitors);
}

TEST(ArrayRegisters, without_stored_content_bytes_become_tags) {
  ArrayFixture fixture(array_part({{"content", "bytes"}}), {.store_content = false});
  EXPECT_EQ(fixture.read16(reg::kContent), 1);
  EXPECT_EQ(fixture.core.windows().size(), 1U);
}

TEST(ArrayRegisters, status_shows_work_and_completions) {
  ArrayFixture fixture;
  EXPECT_EQ(fixture.read16(reg::kStatus), 0);
  fixture.submit(ArrayFixture::descriptor(Op::erase, 0));
  EXPECT_EQ(fixture.read16(reg::kStatus), array::status::kBusy);
  fixture.now = fixture.core.next_ready_edge(fixture.now) - Ticks{1};
  EXPECT_EQ(fixture.read16(reg::kStatus), array::status::kBusy);
  fixture.now += Ticks{1};
  EXPECT_EQ(fixture.read16(reg::kStatus), array::status::kLine | 1 << array::status::kReadableShift);
  EXPECT_EQ(fixture.take().status, Status::ok);
  EXPECT_EQ(fixture.read16(reg::kStatus), 0);
  EXPECT_EQ(fixture.take().op, Op::none);
}

TEST(ArrayRegisters, the_line_waits_for_as_many_completions_as_the_register_says) {
  ArrayFixture fixture;
  fixture.write16(reg::kGather, 3);
  EXPECT_EQ(fixture.read16(reg::kGather), 3);
  std::vector<Descriptor> burst(5, ArrayFixture::descriptor(Op::erase, 0));
  ASSERT_EQ(fixture.submit(burst).error, BusError::none);
  const Ticks begin = fixture.now;
  const Ticks third = fixture.core.next_ready_edge(begin);
  fixture.now = third - Ticks{1};
  EXPECT_EQ(fixture.read16(reg::kStatus), array::status::kBusy | 2 << array::status::kReadableShift);
  EXPECT_FALSE(fixture.core.line_level(fixture.now));
  fixture.now = third;
  EXPECT_TRUE(fixture.core.line_level(fixture.now));
  EXPECT_EQ(fixture.core.next_ready_edge(fixture.now), kNever) << "it is high";
  for (int i = 0; i < 3; ++i) EXPECT_EQ(fixture.take().status, Status::ok);
  EXPECT_FALSE(fixture.core.line_level(fixture.now));
  // The two that are left are fewer: then the end of everything raises it.
  fixture.now = fixture.core.next_ready_edge(fixture.now);
  EXPECT_EQ(fixture.read16(reg::kStatus), array::status::kLine | 2 << array::status::kReadableShift);
}

TEST(ArrayRegisters, a_power_loss_forgets_what_the_line_waits_for) {
  ArrayFixture fixture;
  fixture.write16(reg::kGather, 3);
  fixture.power_cycle();
  EXPECT_EQ(fixture.read16(reg::kGather), 0);
}

TEST(ArrayRegisters, control_keeps_the_bits_there_are) {
  ArrayFixture fixture;
  fixture.write16(reg::kControl, 0xFFFF);
  EXPECT_EQ(fixture.read16(reg::kControl), 3);
  fixture.write16(reg::kMagicAt, 0);
  EXPECT_EQ(fixture.read32(reg::kMagicAt), array::kMagic) << "fixed ones take no write";
}

TEST(ArrayRegisters, descriptors_are_written_whole_and_from_the_first_one) {
  ArrayFixture fixture;
  const std::vector<std::byte> bytes(array::kMaxBurst * 32 + 64);
  AddressWindow& window = fixture.core.common();
  const auto write = [&](std::uint32_t address, std::size_t size, bool repeat = false) {
    return window.write(fixture.now, address, std::span(bytes).first(size), repeat).error;
  };
  EXPECT_EQ(write(array::kDescriptors, 2), BusError::misaligned);
  EXPECT_EQ(write(array::kDescriptors, 30), BusError::misaligned);
  EXPECT_EQ(write(array::kDescriptors, 48), BusError::misaligned);
  EXPECT_EQ(write(array::kDescriptors, 31), BusError::misaligned);
  EXPECT_EQ(write(array::kDescriptors + 32, 32), BusError::misaligned);
  EXPECT_EQ(write(array::kDescriptors - 2, 34), BusError::misaligned);
  EXPECT_EQ(write(array::kDescriptors, 32, true), BusError::misaligned);
  EXPECT_EQ(write(array::kDescriptors, (array::kMaxBurst + 1) * 32), BusError::out_of_range);
  EXPECT_EQ(write(0x10000, 2), BusError::out_of_range);
  for (const AccessTotal& total : fixture.core.access_totals()) EXPECT_EQ(total.accesses, 0U);
  EXPECT_EQ(fixture.core.next_status_change(fixture.now), kNever) << "nothing was taken";
}

TEST(ArrayRegisters, completions_are_read_in_whole_records) {
  ArrayFixture fixture;
  fixture.run(ArrayFixture::descriptor(Op::erase, 0));
  fixture.submit(ArrayFixture::descriptor(Op::erase, 0));
  fixture.now += us(100'000);
  std::array<std::byte, 48> bytes{};
  const auto read = [&](std::size_t size) {
    return fixture.core.common().read(fixture.now, array::kCompletions, std::span(bytes).first(size)).error;
  };
  EXPECT_EQ(read(2), BusError::misaligned);
  EXPECT_EQ(read(48), BusError::misaligned);
  EXPECT_EQ(fixture.read16(reg::kStatus) >> array::status::kReadableShift, 1) << "a refused read takes nothing";
}

TEST(ArrayRegisters, an_access_costs_descriptors_or_words) {
  ArrayFixture fixture;
  const std::vector<Descriptor> burst(5, ArrayFixture::descriptor(Op::erase, 0));
  EXPECT_EQ(fixture.submit(burst).time, ticks_from_ns(500));
  std::array<std::byte, 64> bytes{};
  EXPECT_EQ(fixture.core.common().read(fixture.now, array::kCompletions, bytes).time, ticks_from_ns(32));
  const AccessTotal& total = fixture.core.access_totals()[static_cast<std::size_t>(DeviceOpKind::register_access)];
  EXPECT_EQ(total.accesses, 2U);
  EXPECT_EQ(total.bytes, 5U * 32 + 64);
  EXPECT_EQ(total.busy, ticks_from_ns(532));
}

}  // namespace
}  // namespace ftlab::hw::testing
