// The bare-metal window on plain memory, with a clock that the test turns.
#include "firmware/target/pointer_port.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <functional>
#include <vector>

#include "firmware/target/clock.h"
#include "firmware/target/dma.h"

namespace {
std::uint64_t now_ns = 0;
std::function<void()> on_interrupt;
bool held = false;
std::size_t moved_by_dma = 0;
}  // namespace

namespace ftlab::target {

// Stands in for the core's timer: each look takes 10 ns, an interrupt comes every millisecond.
std::uint64_t Clock::now_ns() { return ::now_ns += 10; }
void Clock::wait_for_interrupt() {
  ::now_ns += 1'000'000;
  if (on_interrupt) on_interrupt();
}
void Clock::hold_interrupts() { held = true; }
void Clock::release_interrupts() { held = false; }

void Dma::move(std::uintptr_t from, std::uintptr_t to, std::size_t bytes) {
  std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
  moved_by_dma += bytes;
}

namespace {

class PointerPortTest : public testing::Test {
 protected:
  PointerPortTest() {
    now_ns = 0;
    on_interrupt = nullptr;
    moved_by_dma = 0;
  }
  alignas(2) std::array<std::uint8_t, 64> memory_{};
  PointerPort port_{reinterpret_cast<std::uintptr_t>(memory_.data()), false};
};

TEST_F(PointerPortTest, low_byte_lies_at_the_even_address) {
  port_.write16(4, 0xA1B2);
  EXPECT_EQ(memory_[4], 0xB2);
  EXPECT_EQ(memory_[5], 0xA1);
  EXPECT_EQ(port_.read8(5), 0xA1);
  port_.write8(4, 0x77);
  EXPECT_EQ(port_.read16(4), 0xA177);
}

TEST_F(PointerPortTest, copies_take_buffers_of_any_alignment) {
  std::vector<std::byte> data(9);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = std::byte(i + 1);
  port_.copy_to(10, std::span(data).subspan(1));
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(memory_[10 + i], i + 2);
  EXPECT_EQ(memory_[9], 0);
  EXPECT_EQ(memory_[18], 0);
  std::vector<std::byte> back(9);
  port_.copy_from(10, std::span(back).subspan(1));
  for (std::size_t i = 1; i < 9; ++i) EXPECT_EQ(back[i], data[i]);
}

TEST_F(PointerPortTest, longer_copies_go_by_dma_where_it_is_to_be_used) {
  PointerPort port(reinterpret_cast<std::uintptr_t>(memory_.data()), true);
  std::vector<std::byte> data(PointerPort::kMinByDma);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = std::byte(i + 1);
  port.copy_to(6, std::span(data).first(data.size() - 2));
  EXPECT_EQ(moved_by_dma, 0U);
  port.copy_to(8, data);
  EXPECT_EQ(moved_by_dma, data.size());
  std::vector<std::byte> back(data.size());
  port.copy_from(8, back);
  EXPECT_EQ(back, data);
  EXPECT_EQ(moved_by_dma, 2 * data.size());
  port_.copy_from(8, back);
  EXPECT_EQ(moved_by_dma, 2 * data.size());
}

TEST_F(PointerPortTest, condition_that_holds_is_met_without_waiting) {
  memory_[8] = 0x80;
  const WaitResult result =
      port_.wait_until({.address = 8, .mask = 0x80, .expected = 0x80, .style = WaitStyle::sleep, .deadline_ns = 1000});
  EXPECT_TRUE(result.met);
  EXPECT_EQ(result.value, 0x80);
  EXPECT_LT(now_ns, 100U);
}

TEST_F(PointerPortTest, interrupt_reads_again_at_once) {
  int interrupts = 0;
  on_interrupt = [&] {
    memory_[8] = ++interrupts == 3 ? 0x80 : 0;
    EXPECT_TRUE(held) << "it might have come between the look and the sleep";
  };
  const WaitResult result = port_.wait_until({.address = 8,
                                              .mask = 0x80,
                                              .expected = 0x80,
                                              .style = WaitStyle::ready_interrupt,
                                              .deadline_ns = 1'000'000'000});
  EXPECT_TRUE(result.met);
  EXPECT_EQ(interrupts, 3);
  EXPECT_FALSE(held);
}

TEST_F(PointerPortTest, sleep_lasts_the_poll_interval) {
  on_interrupt = [&] { memory_[8] = 0x80; };
  const WaitResult result = port_.wait_until({.address = 8,
                                              .mask = 0x80,
                                              .expected = 0x80,
                                              .style = WaitStyle::sleep,
                                              .poll_interval_ns = 100'000'000,
                                              .deadline_ns = 1'000'000'000});
  EXPECT_TRUE(result.met);
  EXPECT_GE(now_ns, 100'000'000U);
  EXPECT_LT(now_ns, 102'000'000U);
}

TEST_F(PointerPortTest, deadline_ends_every_style) {
  for (const WaitStyle style : {WaitStyle::spin, WaitStyle::sleep, WaitStyle::ready_interrupt}) {
    now_ns = 0;
    const WaitResult result = port_.wait_until({.address = 8,
                                                .mask = 0x80,
                                                .expected = 0x80,
                                                .style = style,
                                                .poll_interval_ns = 1'000'000,
                                                .deadline_ns = 50'000'000});
    EXPECT_FALSE(result.met);
    EXPECT_GE(now_ns, 50'000'000U);
    EXPECT_LT(now_ns, 53'000'000U);
  }
}

TEST_F(PointerPortTest, delay_lasts_at_least_as_long_as_asked) {
  port_.delay_ns(12'345);
  EXPECT_GE(now_ns, 12'345U);
}

}  // namespace
}  // namespace ftlab::target
