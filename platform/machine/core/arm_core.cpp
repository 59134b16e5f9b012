// The Cortex-M4 of the board.
#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

#include "platform/machine/core/core_clock.h"
#include "platform/machine/core/target_core.h"
#include "platform/machine/iss/arm/cortex_m.h"

namespace ftlab::platform {
namespace {

namespace arm = iss::arm;

constexpr std::uint64_t kWithoutEnd = std::uint64_t{1} << 62;
constexpr unsigned kStackPointer = 13;
constexpr unsigned kLinkRegister = 14;
constexpr unsigned kProgramCounter = 15;
constexpr unsigned kStatus = 16;

constexpr std::string_view kArmDescription =
    R"(<?xml version="1.0"?><!DOCTYPE target SYSTEM "gdb-target.dtd"><target><architecture>arm</architecture>)"
    R"(<feature name="org.gnu.gdb.arm.m-profile">)"
    R"(<reg name="r0" bitsize="32"/><reg name="r1" bitsize="32"/><reg name="r2" bitsize="32"/>)"
    R"(<reg name="r3" bitsize="32"/><reg name="r4" bitsize="32"/><reg name="r5" bitsize="32"/>)"
    R"(<reg name="r6" bitsize="32"/><reg name="r7" bitsize="32"/><reg name="r8" bitsize="32"/>)"
    R"(<reg name="r9" bitsize="32"/><reg name="r10" bitsize="32"/><reg name="r11" bitsize="32"/>)"
    R"(<reg name="r12" bitsize="32"/><reg name="sp" bitsize="32" type="data_ptr"/><reg name="lr" bitsize="32"/>)"
    R"(<reg name="pc" bitsize="32" type="code_ptr"/><reg name="xpsr" bitsize="32"/></feature></target>)";

arm::CortexMConfig arm_config(const CoreTiming& timing) {
  arm::CortexMConfig config;
  config.timing = timing;
  config.model = arm::Model::cortex_m4;
  config.stop_at_bkpt = true;
  config.stop_at_hard_fault = true;
  return config;
}

class ArmCore final : public TargetCore {
 public:
  ArmCore(const std::vector<iss::MemoryRegion>& regions, const CoreTiming& timing, iss::Bus& bus)
      : core_(arm_config(timing), regions, bus) {}

  void reset() override {
    before_ += core_.cycles();
    core_.reset();
  }
  iss::CoreStop run_until(std::uint64_t cycle, std::uint64_t most) override {
    core_.end_at(cycle - before_);
    return core_.run(std::min(most, kWithoutEnd));
  }
  void end_run() override { core_.end_run(); }
  void stall(std::uint64_t cycles) override { core_.stall(cycles); }
  void sleep_until(std::uint64_t cycle) override { core_.sleep(cycle - cycles()); }
  [[nodiscard]] std::uint64_t cycles() const override { return before_ + core_.cycles(); }
  [[nodiscard]] std::uint64_t next_timer() const override {
    const std::uint64_t left = core_.cycles_to_timer();
    return left == arm::SysTick::kNever ? CoreClock::kNeverCycle : cycles() + left;
  }
  void pulse(unsigned interrupt) override {
    core_.set_interrupt(interrupt, true);
    core_.set_interrupt(interrupt, false);
  }

  [[nodiscard]] std::uint64_t instructions() const override { return core_.instructions(); }
  [[nodiscard]] std::uint32_t pc() const override { return core_.pc(); }
  [[nodiscard]] std::uint32_t stack_pointer() const override { return core_.reg(kStackPointer); }
  [[nodiscard]] std::uint32_t return_address() const override { return core_.reg(kLinkRegister) & ~1U; }
  [[nodiscard]] std::string registers() const override {
    std::string text;
    for (unsigned number = 0; number <= kStatus; ++number) {
      constexpr std::array<const char*, 4> kNames{"sp", "lr", "pc", "xpsr"};
      const std::string name =
          number < kStackPointer ? "r" + std::to_string(number) : kNames.at(number - kStackPointer);
      std::array<char, 16> value{};
      std::snprintf(value.data(), value.size(), "%x", core_.reg(number));
      text += (text.empty() ? "" : " ") + name + "=" + value.data();
    }
    return text;
  }
  [[nodiscard]] std::string why(const iss::CoreStop& stop) const override {
    switch (stop.reason) {
      case iss::StopReason::illegal_instruction:
      case iss::StopReason::bus_error:
      case iss::StopReason::misaligned:
        return core_.last_fault().why;
      case iss::StopReason::breakpoint:
        return "a breakpoint, and there is no debugger";
      default:
        return iss::name_of(stop.reason);
    }
  }

  [[nodiscard]] std::string about_interrupts() const override {
    constexpr std::uint32_t kNumber = 0x1FF;
    constexpr std::uint32_t kSysTick = 15;
    const std::uint32_t exception = core_.reg(kStatus) & kNumber;
    if (exception == 0) return {};
    if (exception == kSysTick) return "it is in the handler of SysTick";
    return exception < kSysTick ? "it is in the handler of exception " + std::to_string(exception)
                                : "it is in the handler of interrupt " + std::to_string(exception - kSysTick - 1);
  }

  [[nodiscard]] iss::Core& iss_core() override { return core_; }
  [[nodiscard]] const iss::Core& iss_core() const override { return core_; }
  bool look(std::uint32_t address, unsigned size, std::uint32_t& value) const override {
    return core_.look(address, size, value);
  }
  [[nodiscard]] std::string_view gdb_description() const override { return kArmDescription; }
  [[nodiscard]] std::size_t gdb_registers() const override { return kStatus + 1; }
  [[nodiscard]] std::uint32_t gdb_register(std::size_t at) const override {
    return core_.reg(static_cast<unsigned>(at));
  }
  void set_gdb_register(std::size_t at, std::uint32_t value) override {
    if (at == kProgramCounter) {
      core_.set_pc(value & ~1U);
    } else {
      core_.set_reg(static_cast<unsigned>(at), value);
    }
  }

  /// BKPT twice.
  [[nodiscard]] std::uint32_t return_code() const override { return 0xBE00BE00; }

 private:
  [[nodiscard]] CallRegisters call_registers() const override { return {kStackPointer, kLinkRegister, 0, 1}; }

  arm::CortexM core_;
  std::uint64_t before_ = 0;  ///< cycles before the last reset
};

}  // namespace

std::unique_ptr<TargetCore> make_arm_core(const std::vector<iss::MemoryRegion>& regions, const CoreTiming& timing,
                                          iss::Bus& bus) {
  return std::make_unique<ArmCore>(regions, timing, bus);
}

}  // namespace ftlab::platform
