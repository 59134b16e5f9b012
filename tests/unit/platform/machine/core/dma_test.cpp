// Registers of the DMA and its time, with a mover of the test's own; then beside an ARM core.
#include "platform/machine/core/dma.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "hw/regs/dma_regs.h"
#include "tests/unit/platform/machine/core/bus_master.h"
#include "tests/unit/platform/machine/core/processor_fixture.h"
#include "tests/unit/platform/machine/core/small_program.h"
#include "tests/unit/platform/machine/core/thumb_code.h"

namespace ftlab::platform {
namespace {

namespace dma_reg = hw::dma::reg;

struct Moved final : Dma::Mover {
  bool move(const Dma::Transfer& transfer, std::uint64_t& cycles, std::string& why) override {
    last = transfer;
    cycles = 100;
    why = "the test says so";
    return transfer.bytes != 0;
  }
  Dma::Transfer last;
};

struct DmaTest : ::testing::Test {
  static constexpr Ticks kCycle = nanoseconds{100};
  std::uint32_t read(std::uint32_t offset, std::uint64_t cycle) {
    return master.read(offset, kCycle * static_cast<std::int64_t>(cycle));
  }
  void write(std::uint32_t offset, std::uint32_t value, std::uint64_t cycle) {
    master.write(offset, value, kCycle * static_cast<std::int64_t>(cycle));
  }
  void start(std::uint64_t cycle, std::uint32_t bytes) {
    write(dma_reg::kFrom, 0x70000000, cycle);
    write(dma_reg::kTo, 0x68000000, cycle);
    write(dma_reg::kBytes, bytes, cycle);
    write(dma_reg::kState, hw::dma::kBusy, cycle);
  }
  Moved mover;
  const CoreClock clock{kHz};
  Dma dma{"dma", clock, mover};
  BusMaster master{"master", dma};
};

TEST_F(DmaTest, a_transfer_is_under_way_until_its_end_where_the_line_rises) {
  EXPECT_EQ(dma.edge(), CoreClock::kNeverCycle);
  start(1000, 64);
  EXPECT_EQ(mover.last.from, 0x70000000U);
  EXPECT_EQ(mover.last.to, 0x68000000U);
  EXPECT_EQ(mover.last.bytes, 64U);
  EXPECT_EQ(dma.edge(), 1100U);
  EXPECT_EQ(read(dma_reg::kState, 1099), hw::dma::kBusy);
  EXPECT_EQ(read(dma_reg::kState, 1100), 0U);
  EXPECT_EQ(dma.steady_until(dma_reg::kState, kCycle * 1099), kCycle * 1100);
  EXPECT_EQ(dma.steady_until(dma_reg::kState, kCycle * 1100), kNever);
  EXPECT_EQ(dma.steady_until(dma_reg::kBytes, kCycle * 1099), kNever);
  dma.line_has_risen();
  EXPECT_EQ(dma.edge(), CoreClock::kNeverCycle);
  EXPECT_EQ(read(dma_reg::kBytes, 1100), 64U);
  start(1100, 2);
  EXPECT_EQ(dma.edge(), 1200U);
  EXPECT_EQ(dma.misuse(), "");
  dma.reset();
  EXPECT_EQ(dma.edge(), CoreClock::kNeverCycle);
  EXPECT_EQ(read(dma_reg::kState, 1101), 0U);
  EXPECT_EQ(read(dma_reg::kFrom, 1101), 0U);
}

TEST_F(DmaTest, registers_are_words_that_exist) {
  for (const std::uint32_t offset : {0x01U, 0x02U, 0x0EU, 0x10U}) {
    EXPECT_FALSE(master.has(tlm::TLM_READ_COMMAND, offset)) << offset;
    EXPECT_FALSE(master.has(tlm::TLM_WRITE_COMMAND, offset)) << offset;
  }
  EXPECT_FALSE(master.has(tlm::TLM_READ_COMMAND, dma_reg::kState, 2));
}

TEST_F(DmaTest, what_firmware_may_not_do_is_named) {
  start(0, 64);
  write(dma_reg::kFrom, 5, 99);
  EXPECT_EQ(dma.misuse(), "writes 0x5 to register 0x0 of the DMA while a transfer is under way");
  dma.reset();
  start(0, 0);
  EXPECT_EQ(dma.misuse(), "has the DMA move 0 bytes from 0x70000000 to 0x68000000: the test says so");
  EXPECT_EQ(dma.edge(), CoreClock::kNeverCycle);
}

constexpr std::uint16_t kStoreR1At4 = 0x6041;   // str r1, [r0, #4]
constexpr std::uint16_t kStoreR1At8 = 0x6081;   // str r1, [r0, #8]
constexpr std::uint16_t kStoreR1At12 = 0x60C1;  // str r1, [r0, #12]
constexpr std::uint16_t set_r1(unsigned value) { return static_cast<std::uint16_t>(0x2100U | value); }

constexpr std::uint32_t kCopyAt = target::kRam + 0x40;
constexpr unsigned kBytes = 64;

/// Lets the DMA move from `from` to `to`, does `then`, reports. The literals lie behind the 16th halfword.
Code moving(std::uint32_t from, std::uint32_t to, unsigned bytes, std::uint16_t then) {
  Code code{load(0, 8), set_r1(4),   kStoreR1,      load(0, 8),  load(1, 8), kStoreR1,
            load(1, 8), kStoreR1At4, set_r1(bytes), kStoreR1At8, set_r1(1),  kStoreR1At12,
            load(2, 6), then,        load(0, 6),    kStoreR1,    kStay,      kNothing};
  for (const std::uint32_t literal :
       {0xE000E100U, target::kDma, from, to, target::kCommonWindow, target::kHostQueue + 0x14, 0x4770U}) {
    code.push_back(static_cast<std::uint16_t>(literal));
    code.push_back(static_cast<std::uint16_t>(literal >> 16));
  }
  return code;
}
constexpr std::uint32_t kHandler = 60;  ///< of moving(): bx lr

TEST(CoreProcessorDma, a_burst_of_the_part_fills_memory_and_its_end_wakes_the_core) {
  Fixture fixture(small_program(moving(target::kCommonWindow, kCopyAt, kBytes, kWait), kHandler), [](Fixture& f) {
    f.start();
    // 32 cells at the bridge's pace, from the twelfth instruction on; then the handler and three more.
    EXPECT_EQ(f.cpu.now(), nanoseconds{100} * 11 + nanoseconds{500} * 32 + nanoseconds{100} * 3);
    const auto copy = f.cpu.memory().bytes(kCopyAt, kBytes);
    EXPECT_TRUE(std::ranges::all_of(copy, [](std::uint8_t byte) { return byte == 0x80; }));
    EXPECT_EQ(f.ledger.totals().bus_time, nanoseconds{500} * 32);
  });
  fixture.cpu.rethrow_error();
}

TEST(CoreProcessorDma, the_core_waits_for_the_bus_that_a_transfer_holds) {
  constexpr std::uint16_t kReadHalfR1ByR2 = 0x8811;  // ldrh r1, [r2]
  Fixture fixture(small_program(moving(kCopyAt, target::kCommonWindow, kBytes, kReadHalfR1ByR2), kHandler),
                  [](Fixture& f) {
                    f.start();
                    // 32 cells of 200 ns, the part's own pace in one burst of the double's; then the read.
                    const Ticks begun = nanoseconds{100} * 11;
                    EXPECT_EQ(f.part.written_at, begun);
                    EXPECT_GE(f.cpu.now(), begun + nanoseconds{100} * 32 + nanoseconds{500});
                  });
  fixture.cpu.rethrow_error();
}

TEST(CoreProcessorDma, memory_moves_to_memory_by_words) {
  Fixture fixture(small_program(moving(0, kCopyAt, kBytes, kWait), kHandler), [](Fixture& f) {
    f.start();
    EXPECT_EQ(f.cpu.memory().value<std::uint32_t>(kCopyAt), kStackTop) << "the first vector";
    EXPECT_EQ(f.ledger.totals().bus_time, Ticks::zero());
  });
  fixture.cpu.rethrow_error();
}

TEST(CoreProcessorDma, what_would_write_flash_is_named) {
  const std::string text = failure(small_program(moving(kCopyAt, 0x100, kBytes, kNothing), kHandler));
  EXPECT_NE(text.find("has the DMA move 64 bytes from 0x20000040 to 0x00000100: one end has to be memory"),
            std::string::npos)
      << text;
}

TEST(CoreProcessorDma, an_overrun_of_static_data_is_named) {
  constexpr std::uint32_t kAcrossTheirEnd = target::kRam + 0x1F0;
  const std::string text = failure(small_program(moving(0, kAcrossTheirEnd, kBytes, kNothing), kHandler));
  EXPECT_NE(text.find("to 0x200001f0: that reaches between static data and the stack"), std::string::npos) << text;
}

TEST(CoreProcessorDma, an_address_of_nothing_is_named) {
  const std::string text = failure(small_program(moving(0x50000000, kCopyAt, kBytes, kNothing), kHandler));
  EXPECT_NE(text.find("has the DMA move 64 bytes from 0x50000000"), std::string::npos) << text;
}

TEST(CoreProcessorDma, a_transfer_during_another_one_is_named) {
  const std::string text =
      failure(small_program(moving(target::kCommonWindow, kCopyAt, kBytes, kStoreR1At12), kHandler));
  EXPECT_NE(text.find("writes 0x1 to register 0xc of the DMA while a transfer is under way"), std::string::npos)
      << text;
}

}  // namespace
}  // namespace ftlab::platform
