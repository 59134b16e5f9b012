// A burst is its single cycles and two components in step are two components: random traffic on two cards, compared.
#include <random>

#include "tests/device/series2plus/card_fixture.h"
#include "tests/fixtures/repetitions.h"

namespace ftlab::hw::testing {
namespace {

constexpr std::uint8_t kCodes[] = {0xFF, 0x90, 0x70, 0x71, 0x50, 0x40, 0x10, 0xFB, 0x20, 0xA7, 0xD0, 0xB0,
                                   0x72, 0x74, 0x75, 0xE0, 0x0C, 0x77, 0x97, 0x99, 0x96, 0xF0, 0x80, 0x33};

class Traffic {
 public:
  explicit Traffic(std::uint32_t seed) : random_(seed) {}
  std::uint32_t below(std::uint32_t n) { return random_() % n; }
  /// A few segments of both pairs, near starts, ends and the pair boundary.
  std::uint32_t address() {
    constexpr std::uint32_t kBases[] = {0, CardFixture::kSegment, CardFixture::kPair - CardFixture::kSegment,
                                        CardFixture::kPair};
    return kBases[below(4)] + (below(8) == 0 ? CardFixture::kSegment - 512 : 0) + below(256) * 2;
  }
  std::uint16_t value() {
    const std::uint8_t code = kCodes[below(std::size(kCodes))];
    switch (below(10)) {
      case 0:
        return static_cast<std::uint16_t>(random_());
      case 1:
        return below(16);
      default:
        return regs::doubled(code);
    }
  }
  Ticks pause() {
    switch (below(4)) {
      case 0:
        return Ticks{below(100'000)};
      case 1:
        return std::chrono::milliseconds{below(400)};
      default:
        return Ticks::zero();
    }
  }
  std::vector<std::byte> data(std::size_t size) { return pattern(size, random_()); }

 private:
  std::mt19937 random_;
};

AccessTotal summed(const AccessTotals& totals, DeviceOpKind kind) { return totals[static_cast<std::size_t>(kind)]; }

void expect_same_books(const CardCore& a, const CardCore& b) {
  for (std::uint32_t kind = 0; kind < kDeviceOpKinds; ++kind) {
    const AccessTotal& x = summed(a.access_totals(), static_cast<DeviceOpKind>(kind));
    const AccessTotal& y = summed(b.access_totals(), static_cast<DeviceOpKind>(kind));
    EXPECT_EQ(x.bytes, y.bytes) << kind;
    EXPECT_EQ(x.energy.count(), y.energy.count()) << kind;
  }
}

Picojoules operation_energy(const Recorder& recorder) {
  Picojoules sum;
  for (const DeviceOp& op : recorder.ended) sum += op.energy;
  return sum;
}

void expect_same_card(CardFixture& a, CardFixture& b, Ticks end) {
  a.core.advance_to(end);
  b.core.advance_to(end);
  EXPECT_EQ(operation_energy(a.observer).count(), operation_energy(b.observer).count());
  EXPECT_EQ(a.peek(0, 2 * CardFixture::kPair), b.peek(0, 2 * CardFixture::kPair));
  for (std::uint32_t segment = 0; segment < 64; ++segment) {
    ASSERT_EQ(a.core.erase_count(segment), b.core.erase_count(segment)) << segment;
    ASSERT_EQ(a.core.locked(segment), b.core.locked(segment)) << segment;
  }
  EXPECT_EQ(a.core.state_energy(end).total(), b.core.state_energy(end).total());
}

class RandomTraffic : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(RandomTraffic, burst_equals_its_single_cycles) {
  CardFixture a;
  CardFixture b;
  Traffic traffic(GetParam());
  const Ticks cycle = a.core.spec().timing.common_cycle;
  for (int step = 0; step < 3000 && !HasFailure(); ++step) {
    const std::uint32_t address = traffic.address();
    const bool write = traffic.below(4) != 0;
    if (traffic.below(8) == 0) {  // 8-bit
      const std::uint32_t at = address + traffic.below(2);
      if (write) {
        const auto value = static_cast<std::uint8_t>(traffic.value());
        a.write8(at, value);
        b.write8(at, value);
      } else {
        ASSERT_EQ(a.read8(at), b.read8(at)) << step;
      }
    } else if (write) {
      const bool longer = traffic.below(3) == 0;
      std::vector<std::byte> data = traffic.data(longer ? 2 * (1 + traffic.below(256)) : 2);
      if (!longer) {
        const std::uint16_t value = traffic.value();
        data = {static_cast<std::byte>(value & 0xFF), static_cast<std::byte>(value >> 8)};
      }
      a.core.common().write(a.now, address, data);
      for (std::size_t i = 0; i < data.size(); i += 2) {
        const auto at = static_cast<std::uint32_t>(address + i);
        b.core.common().write(b.now + cycle * static_cast<std::int64_t>(i / 2), at, std::span(data).subspan(i, 2));
      }
      a.now += cycle * static_cast<std::int64_t>(data.size() / 2);
    } else {
      const std::size_t size = 2 * (1 + traffic.below(300));
      std::vector<std::byte> whole(size);
      std::vector<std::byte> pieces(size);
      a.core.common().read(a.now, address, whole);
      for (std::size_t i = 0; i < size; i += 2) {
        const auto at = static_cast<std::uint32_t>(address + i);
        b.core.common().read(b.now + cycle * static_cast<std::int64_t>(i / 2), at, std::span(pieces).subspan(i, 2));
      }
      a.now += cycle * static_cast<std::int64_t>(size / 2);
      ASSERT_EQ(whole, pieces) << step;
    }
    a.now += traffic.pause();
    b.now = a.now;
    ASSERT_EQ(a.core.line_level(a.now), b.core.line_level(b.now)) << step;
    ASSERT_EQ(a.core.next_ready_edge(a.now), b.core.next_ready_edge(b.now)) << step;
  }
  expect_same_card(a, b, a.now + std::chrono::hours{1});
  expect_same_books(a.core, b.core);
}

TEST_P(RandomTraffic, word_cycle_equals_a_byte_cycle_on_each_component) {
  CardFixture a;
  CardFixture b;
  Traffic traffic(GetParam() + 1000);
  for (int step = 0; step < 6000 && !HasFailure(); ++step) {
    const std::uint32_t address = traffic.address();
    if (traffic.below(4) != 0) {
      const std::uint16_t value = traffic.value();
      if ((value & 0xFF) == command::kAbort || (value >> 8) == command::kAbort) continue;  // draws random numbers
      const Ticks now = a.now;
      a.write16(address, value);
      b.now = now;
      b.write8(address, static_cast<std::uint8_t>(value & 0xFF));
      b.now = now;
      b.write8(address + 1, static_cast<std::uint8_t>(value >> 8));
    } else {
      const Ticks now = a.now;
      const std::uint16_t word = a.read16(address);
      b.now = now;
      const unsigned even = b.read8(address);
      b.now = now;
      ASSERT_EQ(word, even | static_cast<unsigned>(b.read8(address + 1)) << 8) << step;
    }
    a.now += traffic.pause();
    b.now = a.now;
    ASSERT_EQ(a.core.next_ready_edge(a.now), b.core.next_ready_edge(b.now)) << step;
    ASSERT_EQ(a.core.next_status_change(a.now), b.core.next_status_change(b.now)) << step;
  }
  expect_same_card(a, b, a.now + std::chrono::hours{1});
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomTraffic,
                         ::testing::Range(1U, 1U + static_cast<std::uint32_t>(tests::repetitions(12))));

TEST(Burst, repeated_address_reads_status_again_and_again) {
  CardFixture fixture;
  fixture.erase(0);
  fixture.command(0, command::kReadCsr);
  const Ticks end = fixture.core.next_ready_edge(fixture.now);
  std::vector<std::byte> status(20);
  fixture.core.common().read(end - fixture.core.spec().timing.common_cycle * 5, 0, status, true);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(status[i], std::byte(i < 10 ? 0x00 : 0x80)) << i;
}

TEST(BusAccess, impossible_ones_are_refused_without_effect) {
  CardFixture fixture;
  std::vector<std::byte> data(3);
  EXPECT_EQ(fixture.core.common().read(fixture.now, 1, std::span(data).first(2)).error, BusError::misaligned);
  EXPECT_EQ(fixture.core.common().read(fixture.now, 0, data).error, BusError::misaligned);
  EXPECT_EQ(fixture.core.common().write(fixture.now, 0, {}).error, BusError::misaligned);
  EXPECT_EQ(fixture.core.common().write(fixture.now, 2 * CardFixture::kPair, std::span(data).first(2)).error,
            BusError::out_of_range);
  EXPECT_EQ(fixture.core.attribute().read(fixture.now, 0x10000, std::span(data).first(1)).error,
            BusError::out_of_range);
  EXPECT_TRUE(fixture.observer.accesses.empty());
}

TEST(Burst, paced_cycles_take_effect_when_a_slower_master_makes_them) {
  constexpr Ticks kPace = std::chrono::nanoseconds{450};
  const std::vector<std::byte> data = pattern(512);
  const std::uint16_t start[] = {regs::doubled(command::kPageBufferWrite), regs::doubled(0xFF), 0,
                                 regs::doubled(command::kReadExtendedStatus)};
  std::vector<Ticks> begun;
  for (const bool as_burst : {false, true}) {
    CardFixture fixture;
    fixture.load(0, data);
    if (as_burst) {
      const auto bytes = std::as_bytes(std::span(start));
      const BusResult result = fixture.core.common().write(fixture.now, 0, bytes, true, kPace);
      EXPECT_EQ(result.time, kPace * 4);
    } else {
      for (const std::uint16_t word : start) {
        const Ticks before = fixture.now;
        fixture.write16(0, word);
        fixture.now = before + kPace;
      }
    }
    ASSERT_EQ(fixture.observer.started.size(), 1U);
    begun.push_back(fixture.observer.started[0].start);
    fixture.finish();
    EXPECT_EQ(fixture.peek(0, 512), data);
  }
  EXPECT_EQ(begun[0], begun[1]);
}

}  // namespace
}  // namespace ftlab::hw::testing
