// Whatever lies in memory can be executed: nothing breaks, and results do not depend on how a run is divided.
#include <gtest/gtest.h>

#include <random>

#include "tests/fixtures/repetitions.h"
#include "tests/unit/platform/machine/iss/any_timing.h"
#include "tests/unit/platform/machine/iss/arm/system_machine.h"

namespace ftlab::iss::arm {
namespace {

// Random bytes as code in flash and RAM, handlers that skip what has failed, a timer, and a line that wakes the core.
class Chaos {
 public:
  explicit Chaos(std::uint64_t seed)
      : machine_({.priority_bits = 8, .timing = any_timing(seed, 0, SystemMachine::kFlashBytes)}) {
    std::mt19937_64 random(seed);
    for (auto& byte : machine_.ram) {
      byte = static_cast<std::uint8_t>(random());
    }
    for (std::uint32_t i = SystemMachine::kMain; i < SystemMachine::kMain + 0x800; ++i) {
      machine_.flash[i] = static_cast<std::uint8_t>(random());
    }
    for (unsigned number = kHardFault; number <= kUsageFault; ++number) {
      machine_.put(machine_.handler(number),
                   {"ldr r0, [sp, #24]; adds r0, #2; str r0, [sp, #24]; bx lr", {0x9806, 0x3002, 0x9006, 0x4770}});
    }
    machine_.write(kSystRvr, 20 + random() % 200);
    machine_.write(kSystCsr, 3);
    machine_.write(kIser, 0xFF);
    machine_.write(kIpr, static_cast<std::uint32_t>(random()));
    machine_.write(kShcsr, random() % 2 == 0 ? 0 : kMemFaultEna | kBusFaultEna | kUsgFaultEna);
    for (unsigned i = 0; i < 13; ++i) {
      machine_.core.set_reg(i, SystemMachine::kRam + static_cast<std::uint32_t>(random()) % 0x1000);
    }
    machine_.on_access = [this] { machine_.core.stall(machine_.accesses.size() % 7); };
  }

  /// `piece` answers how many instructions to try next.
  template <class Piece>
  void run(std::uint64_t instructions, Piece piece) {
    const std::uint64_t end = machine_.core.instructions() + instructions;
    while (machine_.core.instructions() < end) {
      const std::uint64_t before = machine_.core.instructions();
      const std::uint64_t budget = std::min<std::uint64_t>(piece(), end - before);
      const CoreStop stop = machine_.core.run(budget);
      ASSERT_LE(machine_.core.instructions(), before + budget);
      if (stop.reason == StopReason::lockup) {
        return;
      }
      if (stop.reason == StopReason::wait_for_interrupt) {
        if (++sleeps_ > 1000) {
          return;
        }
        machine_.core.sleep(50);
        machine_.core.set_interrupt(sleeps_ % 8, true);
        machine_.core.set_interrupt(sleeps_ % 8, false);
        machine_.core.send_event();
        continue;
      }
      ASSERT_EQ(stop.reason, StopReason::budget);
      ASSERT_EQ(machine_.core.instructions(), before + budget);
    }
  }

  SystemMachine& machine() { return machine_; }

 private:
  SystemMachine machine_;
  unsigned sleeps_ = 0;
};

TEST(AnyCode, in_pieces_as_in_single_instructions) {
  constexpr std::uint64_t kInstructions = 1500;
  std::uint64_t executed = 0;
  for (std::uint64_t seed = 0; seed < tests::repetitions(400); ++seed) {
    Chaos single(seed);
    Chaos pieces(seed);
    std::mt19937_64 random(seed);
    single.run(kInstructions, [] { return 1; });
    pieces.run(kInstructions, [&] { return 1 + random() % 100; });
    ASSERT_FALSE(HasFatalFailure()) << seed;
    SystemMachine& a = single.machine();
    SystemMachine& b = pieces.machine();
    for (unsigned i = 0; i < 21; ++i) {
      ASSERT_EQ(a.core.reg(i), b.core.reg(i)) << seed << " register " << i;
    }
    ASSERT_EQ(a.core.instructions(), b.core.instructions()) << seed;
    ASSERT_EQ(a.core.cycles(), b.core.cycles()) << seed;
    ASSERT_EQ(a.ram, b.ram) << seed;
    ASSERT_EQ(a.accesses, b.accesses) << seed;
    executed += a.core.instructions();
  }
  EXPECT_GT(executed, tests::repetitions(400) * 100);
}

}  // namespace
}  // namespace ftlab::iss::arm
