// Programs only clear bits, in every way of programming and for every operand.
#include "tests/device/series2plus/card_fixture.h"

namespace ftlab::hw::testing {
namespace {

TEST(Program, only_clears_bits) {
  CardFixture fixture;
  for (const std::uint16_t old : {0xFFFF, 0x0F0F, 0x1234, 0x0000}) {
    for (const std::uint16_t data : {0xFFFF, 0xF0F0, 0x00FF, 0x0000}) {
      fixture.poke16(0, old);
      fixture.program_word(0, data);
      fixture.finish();
      EXPECT_EQ(fixture.peek16(0), old & data);
      EXPECT_EQ(fixture.csr(0), 0x8080) << "clearing nothing or setting a bit is no error of the part";
    }
  }
}

TEST(Program, from_the_page_buffer_only_clears_bits) {
  CardFixture fixture;
  const auto old = pattern(512, 1);
  const auto data = pattern(512, 2);
  fixture.core.poke(0, old);
  fixture.page_program(0, data);
  fixture.finish();
  const auto now = fixture.peek(0, 512);
  for (std::size_t i = 0; i < 512; ++i) EXPECT_EQ(now[i], old[i] & data[i]) << i;
}

TEST(Program, one_byte_per_component_by_8_bit_cycles) {
  CardFixture fixture;
  fixture.write8(7, command::kProgram);
  fixture.write8(7, 0x42);
  fixture.finish();
  EXPECT_EQ(fixture.peek16(6), 0x42FF);
  EXPECT_EQ(fixture.observer.ended.at(0).bytes, 1U);
}

TEST(Program, two_bytes_the_first_address_says_which_half_comes_first) {
  CardFixture fixture;
  fixture.command(0, command::kTwoByteProgram);
  fixture.write16(0, 0x1111);  // component address 0: low half first
  fixture.write16(0, 0x2222);
  fixture.finish();
  EXPECT_EQ(fixture.peek16(0), 0x1111);
  EXPECT_EQ(fixture.peek16(2), 0x2222);
  fixture.command(6, command::kTwoByteProgram);
  fixture.write16(6, 0x3333);  // component address 3: high half first
  fixture.write16(6, 0x4444);
  fixture.finish();
  EXPECT_EQ(fixture.peek16(6), 0x3333);
  EXPECT_EQ(fixture.peek16(4), 0x4444);
}

TEST(Program, busy_part_answers_with_status_at_every_address) {
  CardFixture fixture;
  fixture.poke16(500, 0x1234);
  fixture.program_word(0, 0);
  EXPECT_EQ(fixture.read16(500), 0x0000);
  EXPECT_EQ(fixture.read16(CardFixture::kSegment), 0x0000);
  fixture.wait_ready();
  EXPECT_EQ(fixture.read16(500), 0x8080) << "still status until read array is written";
}

TEST(Program, without_content_reads_ff_and_counts_the_same) {
  CardCore core(part_spec("series2plus-8mb"), {1, false, nullptr, true});
  core.set_vpp_pin(Ticks::zero(), true);
  const std::byte program[2] = {std::byte{command::kProgram}, std::byte{command::kProgram}};
  const std::byte zero[2] = {};
  Ticks now = core.common().write(Ticks::zero(), 0, program).time;
  now += core.common().write(now, 0, zero).time;
  EXPECT_EQ(core.next_ready_edge(now), now + core.spec().timing.word_program);
  std::byte read[2] = {};
  core.peek(0, read);
  EXPECT_EQ(read[0], std::byte{0xFF});
}

}  // namespace
}  // namespace ftlab::hw::testing
