// Random driving: whatever the host does, the books balance, everything begun ends, and evaluating lazily changes
// nothing against evaluating at every event.
#include <boost/random/taus88.hpp>
#include <boost/random/uniform_int_distribution.hpp>

#include "tests/device/onenand/onenand_fixture.h"

namespace ftlab::hw::testing {
namespace {

bool same(const DeviceOp& a, const DeviceOp& b) {
  return a.kind == b.kind && a.device == b.device && a.address == b.address && a.start == b.start && a.end == b.end &&
         a.busy == b.busy && a.energy == b.energy && a.failed == b.failed;
}

/// Two devices given the same accesses; `eager` is brought up to date at every change in between.
class Twins {
 public:
  explicit Twins(std::uint64_t seed)
      : lazy(part(), {seed, true, &lazy_log, true}), eager(part(), {seed, true, &eager_log, true}) {}

  static OneNandSpec part() {
    return onenand_part("flexonenand-8gb-ddp", {{"segments_per_die", "8"},
                                                {"bad_segments.reserve", "3"},
                                                {"bad_segments.initial_share", "0.2"},
                                                {"endurance.rated_cycles", "40"},
                                                {"endurance.rated_slc", "60"}});
  }
  void pass(Ticks time) {
    const Ticks until = now + time;
    for (Ticks next = eager.next_status_change(now); next <= until; next = eager.next_status_change(next)) {
      eager.advance_to(next);
    }
    now = until;
  }
  void write16(std::uint32_t address, std::uint16_t value) {
    const std::byte bytes[2] = {static_cast<std::byte>(value & 0xFF), static_cast<std::byte>(value >> 8)};
    lazy.bus().write(now, address, bytes);
    const Ticks time = eager.bus().write(now, address, bytes).time;
    pass(time);
  }
  std::uint16_t read16(std::uint32_t address) {
    std::array<std::byte, 2> a{};
    std::array<std::byte, 2> b{};
    const Ticks time = lazy.bus().read(now, address, a).time;
    eager.bus().read(now, address, b);
    EXPECT_EQ(a, b) << "address " << address;
    pass(time);
    return static_cast<std::uint16_t>(std::to_integer<unsigned>(a[0]) | std::to_integer<unsigned>(a[1]) << 8);
  }

  Recorder lazy_log;
  Recorder eager_log;
  OneNandCore lazy;
  OneNandCore eager;
  Ticks now{};
};

class OneNandRandom : public ::testing::TestWithParam<int> {};

TEST_P(OneNandRandom, books_balance_and_laziness_does_not_show) {
  Twins twins(static_cast<std::uint64_t>(GetParam()));
  boost::random::taus88 random(static_cast<std::uint32_t>(GetParam()));
  const auto draw = [&](int last) { return boost::random::uniform_int_distribution<int>(0, last)(random); };
  constexpr std::array<std::uint16_t, 18> kCodes{command::kLoad,
                                                 command::kSuperload,
                                                 command::kLsbRecoveryRead,
                                                 command::kProgram,
                                                 command::kProgram,
                                                 command::kProgram,
                                                 command::kCacheProgram,
                                                 command::kCacheProgram,
                                                 command::kErase,
                                                 command::kErase,
                                                 command::kEraseSuspend,
                                                 command::kEraseResume,
                                                 command::kUnlockAll,
                                                 command::kUnlockAll,
                                                 command::kOtpAccess,
                                                 command::kPartitionAccess,
                                                 command::kCoreReset,
                                                 0x55};
  std::uint16_t page = 0;
  for (int step = 0; step < 4000; ++step) {
    const auto die = static_cast<std::uint16_t>(draw(1) << 15);
    twins.write16(reg::kStartAddress1, static_cast<std::uint16_t>(die | draw(8)));
    twins.write16(reg::kStartAddress2, die);
    page = draw(3) == 0 ? static_cast<std::uint16_t>(draw(127)) : static_cast<std::uint16_t>((page + 1) % 128);
    twins.write16(reg::kStartAddress8, static_cast<std::uint16_t>(page << 2));
    twins.write16(reg::kStartBuffer, regs::kStartBufferPage);
    twins.write16(regs::area::kDataRam, static_cast<std::uint16_t>(step));
    if (draw(20) == 0) twins.write16(reg::kSystemConfig1, draw(1) == 0 ? 0xC1C0 : regs::config::kDefault);
    twins.write16(reg::kCommand, kCodes[static_cast<std::size_t>(draw(kCodes.size() - 1))]);
    twins.pass(Ticks{draw(3) == 0 ? draw(10'000) : draw(20'000'000)});
    for (const std::uint32_t address : {reg::kInterrupt, reg::kControllerStatus, reg::kEccStatus1, 0x1009EU}) {
      twins.read16(address);
    }
    EXPECT_EQ(twins.lazy.line_level(twins.now), twins.eager.line_level(twins.now));
    EXPECT_GT(twins.lazy.next_status_change(twins.now), twins.now);
    if (draw(100) == 0) {
      for (OneNandCore* core : {&twins.lazy, &twins.eager}) core->lose_power(twins.now);
      EXPECT_EQ(twins.lazy_log.started.size(), twins.lazy_log.ended.size()) << "a power loss ends everything";
      for (OneNandCore* core : {&twins.lazy, &twins.eager}) core->restore_power(twins.now);
    }
  }
  for (OneNandCore* core : {&twins.lazy, &twins.eager}) core->lose_power(twins.now);
  ASSERT_EQ(twins.lazy_log.ended.size(), twins.eager_log.ended.size());
  ASSERT_EQ(twins.lazy_log.started.size(), twins.lazy_log.ended.size());
  EXPECT_GT(twins.lazy_log.ended.size(), 1000U);
  // Each die by itself: between them the order of calls is not promised.
  for (std::uint32_t die = 0; die < 2; ++die) {
    std::vector<DeviceOp> a;
    std::vector<DeviceOp> b;
    for (const DeviceOp& op : twins.lazy_log.ended) {
      if (op.device == die) a.push_back(op);
    }
    for (const DeviceOp& op : twins.eager_log.ended) {
      if (op.device == die) b.push_back(op);
    }
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      ASSERT_TRUE(same(a[i], b[i])) << "die " << die << " operation " << i;
      EXPECT_GE(a[i].busy, Ticks::zero());
      EXPECT_LE(a[i].busy, a[i].end - a[i].start);
      EXPECT_GE(a[i].energy.count(), 0);
    }
  }
  Picojoules sum;
  for (const AccessTotal& total : twins.lazy.access_totals()) sum += total.energy;
  Picojoules seen;
  for (const DeviceOp& op : twins.lazy_log.accesses) seen += op.energy;
  EXPECT_EQ(sum, seen);
  for (std::uint32_t segment = 0; segment < 16; ++segment) {
    EXPECT_EQ(twins.lazy.erase_count(segment), twins.eager.erase_count(segment));
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, OneNandRandom, ::testing::Range(1, 7));

}  // namespace
}  // namespace ftlab::hw::testing
