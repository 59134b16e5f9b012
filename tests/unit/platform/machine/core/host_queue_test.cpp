// The host queue over its socket.
#include "platform/machine/core/host_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "common/input_error.h"
#include "tests/unit/platform/machine/core/bus_master.h"

namespace ftlab::platform {
namespace {

using hw::host_queue::Kind;
namespace reg = hw::host_queue::reg;

constexpr std::uint32_t kMemoryAt = 0x70000000;

struct Board : HostQueue::Watcher {
  Board() { queue.clear(2); }
  void cause_is(Cause cause) override { causes.push_back(cause); }
  void answered() override { ++answers; }

  std::uint32_t read(std::uint32_t offset) { return master.read(offset); }
  void write(std::uint32_t offset, std::uint32_t value) { master.write(offset, value); }
  void complete(std::uint32_t tag) {
    write(reg::kDoneTag, tag);
    write(reg::kDone, 0);
  }

  std::array<std::uint8_t, 4096> memory{};
  std::vector<Cause> causes;
  int answers = 0;
  HostQueue queue{"queue", memory, kMemoryAt, *this};
  BusMaster master{"master", queue};
};

TEST(HostQueue, shows_requests_in_order_and_takes_completions_in_any) {
  Board board;
  const std::array<std::byte, 3> from{std::byte{7}, std::byte{8}, std::byte{9}};
  std::array<std::byte, 2> into{};
  EXPECT_EQ(board.read(reg::kWaiting), 0U);
  EXPECT_TRUE(board.queue.post({.kind = Kind::write,
                                .tag = 11,
                                .offset = 0x100000002,
                                .length = 3,
                                .from = from.data(),
                                .hint = {.stream = 5, .read_only = true, .data_class = 2, .rewritten_in = 6}}));
  EXPECT_FALSE(board.queue.post({.kind = Kind::read, .tag = 12, .offset = 4, .length = 2, .into = into.data()}));
  EXPECT_EQ(board.read(reg::kWaiting), 1U);
  EXPECT_EQ(board.read(reg::kTag), 11U);
  EXPECT_EQ(board.read(reg::kOffsetLow), 2U);
  EXPECT_EQ(board.read(reg::kOffsetHigh), 1U);
  EXPECT_EQ(board.read(reg::kStream), 5U);
  EXPECT_EQ(board.read(reg::kPlacement), 0x201U);
  EXPECT_EQ(board.read(reg::kRewritten), 6U);
  const std::uint32_t written_at = board.read(reg::kData) - kMemoryAt;
  EXPECT_EQ(std::memcmp(board.memory.data() + written_at, from.data(), from.size()), 0);
  board.write(reg::kNext, 1);
  EXPECT_EQ(board.read(reg::kKind), static_cast<std::uint32_t>(Kind::read));
  std::fill_n(board.memory.data() + (board.read(reg::kData) - kMemoryAt), 2, std::uint8_t{3});
  board.write(reg::kNext, 1);
  EXPECT_EQ(board.read(reg::kWaiting), 0U);
  board.complete(12);
  board.complete(11);
  EXPECT_EQ(into[1], std::byte{3});
  EXPECT_EQ(board.queue.take_done()->tag, 12U);
  EXPECT_EQ(board.queue.take_done()->tag, 11U);
  EXPECT_FALSE(board.queue.take_done());
  EXPECT_EQ(board.queue.unanswered(), 0U);
  EXPECT_EQ(board.answers, 2);
  EXPECT_EQ(board.queue.misuse(), "");
}

TEST(HostQueue, tells_the_clock_of_the_core_and_the_cause_that_holds) {
  Board board;
  board.queue.set_core_hz(48'000'000);
  EXPECT_EQ(board.read(reg::kCoreHz), 48'000'000U);
  board.queue.set_cause(Cause::mount);
  EXPECT_EQ(board.read(reg::kCause), static_cast<std::uint32_t>(Cause::mount));
  board.write(reg::kCause, static_cast<std::uint32_t>(Cause::clean));
  EXPECT_EQ(board.causes, (std::vector<Cause>{Cause::mount, Cause::clean}));
  EXPECT_FALSE(board.master.has(tlm::TLM_WRITE_COMMAND, reg::kCoreHz));
}

TEST(HostQueue, names_what_firmware_may_not_do) {
  Board board;
  board.write(reg::kNext, 1);
  EXPECT_EQ(board.queue.misuse(), "takes a request from the host queue, where none waits");
  board.queue.clear(1);
  board.write(reg::kCause, kCauses);
  EXPECT_EQ(board.queue.misuse(), "names a cause that there is not, number 8");
  EXPECT_TRUE(board.causes.empty());
  board.queue.clear(1);
  board.queue.post({.kind = Kind::flush, .tag = 1});
  board.write(reg::kNext, 1);
  board.write(reg::kDoneTag, 1);
  board.write(reg::kDone, 99);
  EXPECT_EQ(board.queue.misuse(), "completes a request with the number 99, which is no FtlStatus");
  board.queue.clear(1);
  board.write(reg::kReport, 0x20000000);
  EXPECT_EQ(board.queue.misuse(), "");
  board.write(reg::kReport, 0x20000000);
  EXPECT_EQ(board.queue.misuse().find("writes its report once more"), 0U) << "nothing has reset it";
}

TEST(HostQueue, refuses_what_is_no_access_of_a_word_to_a_register) {
  Board board;
  std::uint32_t value = 0;
  EXPECT_EQ(board.master.access(tlm::TLM_READ_COMMAND, reg::kWaiting, value, 2), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(board.master.access(tlm::TLM_READ_COMMAND, reg::kDone, value), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(board.master.access(tlm::TLM_WRITE_COMMAND, reg::kTag, value), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(board.master.access(tlm::TLM_READ_COMMAND, hw::host_queue::kWindowBytes, value),
            tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

TEST(HostQueue, a_request_without_room_in_the_memory_is_refused) {
  Board board;
  std::vector<std::byte> data(2049);
  EXPECT_THROW(board.queue.post({.kind = Kind::read, .length = data.size(), .into = data.data()}), InputError);
}

TEST(HostQueue, says_when_the_next_request_comes) {
  Board board;
  EXPECT_EQ(board.read(reg::kArrival), hw::host_queue::kUnknown);
  board.queue.set_next_arrival(std::chrono::nanoseconds{2500});
  EXPECT_EQ(board.read(reg::kArrival), 2U);
}

TEST(HostQueue, the_time_to_a_request_reads_the_same_within_a_microsecond) {
  Board board;
  const Ticks next = std::chrono::microseconds{5};
  EXPECT_EQ(board.queue.steady_until(reg::kArrival, Ticks::zero()), kNever) << "not known";
  board.queue.set_next_arrival(next);
  EXPECT_EQ(board.queue.steady_until(reg::kWaiting, Ticks::zero()), kNever);
  for (Ticks now{}; now <= next;) {
    const std::uint32_t us = board.master.read(reg::kArrival, now);
    const Ticks until = board.queue.steady_until(reg::kArrival, now);
    if (now == next) {
      EXPECT_EQ(until, kNever);
      break;
    }
    ASSERT_GT(until, now);
    EXPECT_EQ(board.master.read(reg::kArrival, until - Ticks{1}), us);
    EXPECT_EQ(board.master.read(reg::kArrival, until), us > 0 ? us - 1 : 0);
    now = std::min(until, next);
  }
}

}  // namespace
}  // namespace ftlab::platform
