// Page buffers: loads of both kinds, count order, swap, read back, wrap-around, overlap of load and program.
#include "tests/device/series2plus/card_fixture.h"

namespace ftlab::hw::testing {
namespace {

TEST(PageBuffer, sequential_load_and_write_program_a_page) {
  CardFixture fixture;
  const auto data = pattern(512);
  fixture.page_program(1024, data);
  fixture.finish();
  EXPECT_EQ(fixture.peek(1024, 512), data);
  EXPECT_EQ(fixture.peek16(1022), 0xFFFF);
  EXPECT_EQ(fixture.peek16(1536), 0xFFFF);
  EXPECT_EQ(fixture.csr(0), 0x8080);
}

TEST(PageBuffer, unaligned_page_wraps_in_the_buffer_and_lands_in_order) {
  CardFixture fixture;
  const auto data = pattern(512);
  fixture.page_program(1024 + 98, data);
  fixture.finish();
  EXPECT_EQ(fixture.peek(1024 + 98, 512), data);
}

TEST(PageBuffer, odd_component_address_sends_the_high_count_first) {
  CardFixture fixture;
  const auto data = pattern(20);
  fixture.command(2, command::kSequentialLoad);
  fixture.write16(2, 0x0000);
  fixture.write16(2, 0x0909);
  fixture.burst(2, data);
  fixture.command(2, command::kPageBufferWrite);
  fixture.write16(2, 0x0000);
  fixture.write16(2, 0x0909);
  fixture.finish();
  EXPECT_EQ(fixture.peek(2, 20), data);
}

TEST(PageBuffer, load_accepts_either_count_order) {
  CardFixture fixture;
  const auto data = pattern(20);
  fixture.command(0, command::kSequentialLoad);
  fixture.write16(0, 0x0000);
  fixture.write16(0, 0x0909);
  fixture.burst(0, data);
  fixture.write_buffer(0, 20);
  fixture.finish();
  EXPECT_EQ(fixture.peek(0, 20), data);
}

TEST(PageBuffer, single_load_writes_one_byte_per_component) {
  CardFixture fixture;
  fixture.load(0, pattern(512));
  fixture.command(0, command::kSingleLoad);
  fixture.write16(40, 0xBEEF);
  fixture.command(0, command::kReadPageBuffer);
  EXPECT_EQ(fixture.read16(40), 0xBEEF);
  for (const std::uint32_t at : {38U, 42U})
    EXPECT_EQ(fixture.read8(at), std::to_integer<std::uint8_t>(pattern(512)[at])) << at;
}

TEST(PageBuffer, one_odd_byte_is_loaded_and_written_by_one_component) {
  CardFixture fixture;
  fixture.write8(101, command::kSingleLoad);
  fixture.write8(101, 0x5A);
  fixture.write8(101, command::kPageBufferWrite);
  fixture.write8(101, 0);
  fixture.write8(101, 0);
  fixture.finish();
  EXPECT_EQ(fixture.peek16(100), 0x5AFF);
}

TEST(PageBuffer, swap_changes_what_loads_and_reads_go_to) {
  CardFixture fixture;
  fixture.load(0, std::vector<std::byte>(512, std::byte{0x11}));
  fixture.command(0, command::kSwapPageBuffer);
  EXPECT_EQ(fixture.gsr(0), 0x8787);
  fixture.load(0, std::vector<std::byte>(512, std::byte{0x22}));
  fixture.command(0, command::kReadPageBuffer);
  EXPECT_EQ(fixture.read16(0), 0x2222);
  fixture.command(0, command::kSwapPageBuffer);
  EXPECT_EQ(fixture.read16(0), 0x1111);
}

TEST(PageBuffer, content_is_random_at_power_up_but_reproducible) {
  CardFixture a(part_spec("series2plus-8mb"), true, 1);
  CardFixture b(part_spec("series2plus-8mb"), true, 1);
  CardFixture c(part_spec("series2plus-8mb"), true, 2);
  std::vector<std::uint16_t> words[3];
  CardFixture* fixtures[] = {&a, &b, &c};
  for (int i = 0; i < 3; ++i) {
    fixtures[i]->command(0, command::kReadPageBuffer);
    for (std::uint32_t at = 0; at < 512; at += 2) words[i].push_back(fixtures[i]->read16(at));
  }
  EXPECT_EQ(words[0], words[1]);
  EXPECT_NE(words[0], words[2]);
}

TEST(PageBuffer, second_buffer_fills_while_the_first_programs) {
  CardFixture fixture;
  const auto first = pattern(512, 1);
  const auto second = pattern(512, 2);
  fixture.page_program(0, first);
  EXPECT_EQ(fixture.gsr(0), 0x0707) << "buffers swapped at the start, the other one is free";
  fixture.page_program(512, second);
  EXPECT_EQ(fixture.gsr(0), 0x0000);
  const Ticks program = fixture.core.spec().timing.buffer_program_byte * 256;
  fixture.now = fixture.observer.started[0].start + program;
  EXPECT_EQ(fixture.gsr(0), 0x0606) << "the first is done, the second runs";
  fixture.finish();
  EXPECT_EQ(fixture.observer.ended.at(1).end, fixture.observer.started[0].start + program * 2) << "back to back";
  EXPECT_EQ(fixture.peek(0, 512), first);
  EXPECT_EQ(fixture.peek(512, 512), second);
  EXPECT_EQ(fixture.gsr(0), 0x8686);
}

TEST(PageBuffer, block_status_turns_ready_when_its_program_ends) {
  CardFixture fixture;
  fixture.page_program(0, pattern(512));
  EXPECT_EQ(fixture.bsr(0) & 0x8080, 0);
  fixture.wait_ready();
  EXPECT_EQ(fixture.bsr(0), 0x8080);
}

TEST(PageBuffer, identical_components_count_as_one_operation_of_512_bytes) {
  CardFixture fixture;
  fixture.page_program(0, pattern(512));
  fixture.finish();
  ASSERT_EQ(fixture.observer.ended.size(), 1U);
  EXPECT_EQ(fixture.observer.ended[0].bytes, 512U);
  EXPECT_EQ(fixture.observer.ended[0].components, 2);
  EXPECT_EQ(fixture.observer.ended[0].tag, fixture.observer.started[0].tag);
}

}  // namespace
}  // namespace ftlab::hw::testing
