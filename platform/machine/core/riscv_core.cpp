// The RV32IMC core of the board, with its timer and interrupt controller.
#include "platform/machine/iss/riscv/riscv_core.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

#include "platform/machine/core/core_clock.h"
#include "platform/machine/core/riscv_interrupts.h"
#include "platform/machine/core/target_core.h"

namespace ftlab::platform {
namespace {

namespace riscv = iss::riscv;

constexpr std::uint64_t kWithoutLimit = std::uint64_t{1} << 62;

riscv::RiscvConfig riscv_config(const CoreTiming& timing) {
  using riscv::Cause;
  riscv::RiscvConfig config;
  config.timing = timing;
  config.identity.atomics = false;
  // The program has no handler for any of them.
  for (const Cause cause : {Cause::fetch_fault, Cause::illegal_instruction, Cause::breakpoint, Cause::load_misaligned,
                            Cause::load_fault, Cause::store_misaligned, Cause::store_fault, Cause::environment_call})
    config.reported |= riscv::RiscvConfig::bit(cause);
  return config;
}

constexpr std::string_view kRiscvDescription =
    R"(<?xml version="1.0"?><!DOCTYPE target SYSTEM "gdb-target.dtd">)"
    R"(<target><architecture>riscv:rv32</architecture><feature name="org.gnu.gdb.riscv.cpu">)"
    R"(<reg name="zero" bitsize="32"/><reg name="ra" bitsize="32" type="code_ptr"/>)"
    R"(<reg name="sp" bitsize="32" type="data_ptr"/><reg name="gp" bitsize="32" type="data_ptr"/>)"
    R"(<reg name="tp" bitsize="32" type="data_ptr"/><reg name="t0" bitsize="32"/><reg name="t1" bitsize="32"/>)"
    R"(<reg name="t2" bitsize="32"/><reg name="fp" bitsize="32" type="data_ptr"/><reg name="s1" bitsize="32"/>)"
    R"(<reg name="a0" bitsize="32"/><reg name="a1" bitsize="32"/><reg name="a2" bitsize="32"/>)"
    R"(<reg name="a3" bitsize="32"/><reg name="a4" bitsize="32"/><reg name="a5" bitsize="32"/>)"
    R"(<reg name="a6" bitsize="32"/><reg name="a7" bitsize="32"/><reg name="s2" bitsize="32"/>)"
    R"(<reg name="s3" bitsize="32"/><reg name="s4" bitsize="32"/><reg name="s5" bitsize="32"/>)"
    R"(<reg name="s6" bitsize="32"/><reg name="s7" bitsize="32"/><reg name="s8" bitsize="32"/>)"
    R"(<reg name="s9" bitsize="32"/><reg name="s10" bitsize="32"/><reg name="s11" bitsize="32"/>)"
    R"(<reg name="t3" bitsize="32"/><reg name="t4" bitsize="32"/><reg name="t5" bitsize="32"/>)"
    R"(<reg name="t6" bitsize="32"/><reg name="pc" bitsize="32" type="code_ptr"/></feature></target>)";

std::string digits(std::uint32_t value) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%x", value);
  return text.data();
}

class BoardRiscv final : public TargetCore, private iss::Bus {
 public:
  BoardRiscv(const std::vector<iss::MemoryRegion>& regions, const CoreTiming& timing, iss::Bus& bus)
      : bus_(bus), core_(riscv_config(timing), regions, *this) {}

  void reset() override {
    before_ = cycles();
    core_.reset();
    interrupts_.reset(before_);
    set_lines();
  }

  iss::CoreStop run_until(std::uint64_t cycle, std::uint64_t most) override {
    const std::uint64_t last = instructions() + std::min(most, kWithoutLimit);
    for (;;) {
      set_lines();
      const std::uint64_t timer = interrupts_.timer_cycle();
      end_ = timer > cycles() ? std::min(cycle, timer) : cycle;
      end_asked_ = false;
      core_.end_at(end_ - before_);
      const iss::CoreStop stop = core_.run(last - instructions());
      const bool goes_on =
          stop.reason == iss::StopReason::budget || (stop.reason == iss::StopReason::requested && !end_asked_);
      if (!goes_on || cycles() >= cycle || instructions() >= last) return stop;
    }
  }
  void end_run() override {
    end_asked_ = true;
    core_.end_run();
  }
  void stall(std::uint64_t cycles) override { core_.stall(cycles); }
  void sleep_until(std::uint64_t cycle) override { core_.sleep(cycle - cycles()); }
  [[nodiscard]] std::uint64_t cycles() const override { return before_ + core_.cycles(); }
  [[nodiscard]] std::uint64_t next_timer() const override {
    // One that has come in the very instruction that was to sleep wakes the core at once.
    return timer_high_ ? CoreClock::kNeverCycle : std::max(interrupts_.timer_cycle(), cycles());
  }
  void pulse(unsigned interrupt) override {
    interrupts_.raise(interrupt);
    set_lines();
  }

  [[nodiscard]] std::uint64_t instructions() const override { return core_.instructions(); }
  [[nodiscard]] std::uint32_t pc() const override { return core_.pc(); }
  [[nodiscard]] std::uint32_t stack_pointer() const override { return core_.reg(kStackPointer); }
  [[nodiscard]] std::string registers() const override {
    constexpr std::array kNames{"pc", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
                                "a1", "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
                                "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
    std::string text = "pc=" + digits(core_.pc());
    for (unsigned number = 1; number < kNames.size(); ++number)
      text += std::string(" ") + kNames.at(number) + "=" + digits(core_.reg(number));
    return text;
  }
  [[nodiscard]] std::string why(const iss::CoreStop& stop) const override {
    switch (stop.reason) {
      case iss::StopReason::illegal_instruction:
        return "the code 0x" + digits(stop.address) + " is no instruction of RV32IMC in machine mode";
      case iss::StopReason::bus_error:
        return "nobody answers there";
      case iss::StopReason::misaligned:
        return "a load or store that is not aligned to its size";
      case iss::StopReason::breakpoint:
        return "EBREAK, where a compiler's check has failed (a division by zero) or a debugger was meant to be";
      default:
        return iss::name_of(stop.reason);
    }
  }

  [[nodiscard]] std::string about_interrupts() const override {
    if (const auto line = interrupts_.claimed())
      return "interrupt " + std::to_string(*line) + " has been claimed and not completed, so it comes no more";
    if (interrupts_.line_interrupts()) return "an interrupt is pending, and comes again until its handler claims it";
    if (interrupts_.timer_cycle() <= cycles()) return "the timer interrupts until mtimecmp is set anew";
    return {};
  }

  void begin_iteration() override {
    begun_ = interrupts_;
    time_read_ = false;
    TargetCore::begin_iteration();
  }
  [[nodiscard]] bool comes_round() const override {
    return !time_read_ && interrupts_ == begun_ && TargetCore::comes_round();
  }

  [[nodiscard]] std::uint32_t return_address() const override { return core_.reg(kReturnAddress); }
  [[nodiscard]] iss::Core& iss_core() override { return core_; }
  [[nodiscard]] const iss::Core& iss_core() const override { return core_; }
  bool look(std::uint32_t address, unsigned size, std::uint32_t& value) const override {
    // A read claims an interrupt.
    RiscvInterrupts copy = interrupts_;
    return RiscvInterrupts::owns(address) && copy.read(address, size, cycles(), value);
  }
  [[nodiscard]] std::string_view gdb_description() const override { return kRiscvDescription; }
  [[nodiscard]] std::size_t gdb_registers() const override { return kProgramCounter + 1; }
  [[nodiscard]] std::uint32_t gdb_register(std::size_t at) const override {
    return at == kProgramCounter ? core_.pc() : core_.reg(static_cast<unsigned>(at));
  }
  void set_gdb_register(std::size_t at, std::uint32_t value) override {
    if (at == kProgramCounter) {
      core_.set_pc(value);
    } else {
      core_.set_reg(static_cast<unsigned>(at), value);
    }
  }

  /// EBREAK.
  [[nodiscard]] std::uint32_t return_code() const override { return 0x00100073; }

 private:
  static constexpr unsigned kReturnAddress = 1;
  static constexpr unsigned kStackPointer = 2;
  static constexpr unsigned kFirstArgument = 10;
  static constexpr unsigned kProgramCounter = 32;  ///< for GDB

  [[nodiscard]] CallRegisters call_registers() const override {
    return {kStackPointer, kReturnAddress, kFirstArgument, 0};
  }

  bool read(std::uint32_t address, unsigned size, std::uint32_t& value) override {
    if (!RiscvInterrupts::owns(address)) return bus_.read(address, size, value);
    time_read_ = time_read_ || !RiscvInterrupts::reads_steadily(address);
    const bool answered = interrupts_.read(address, size, cycles(), value);
    set_lines();
    return answered;
  }
  bool write(std::uint32_t address, unsigned size, std::uint32_t value) override {
    if (!RiscvInterrupts::owns(address)) return bus_.write(address, size, value);
    const bool answered = interrupts_.write(address, size, value);
    set_lines();
    // The run goes on, to another end.
    if (interrupts_.timer_cycle() < end_) core_.end_run();
    return answered;
  }
  void set_lines() {
    set_line(riscv::Interrupt::timer, interrupts_.timer_cycle() <= cycles(), timer_high_);
    set_line(riscv::Interrupt::external, interrupts_.line_interrupts(), external_high_);
  }
  void set_line(riscv::Interrupt line, bool high, bool& is_high) {
    if (high != is_high) core_.set_line(line, high);
    is_high = high;
  }

  iss::Bus& bus_;
  RiscvInterrupts interrupts_;
  riscv::RiscvCore core_;
  std::uint64_t before_ = 0;  ///< cycles before the last reset
  std::uint64_t end_ = 0;     ///< of the run of the core, a cycle
  bool end_asked_ = false;    ///< by who called run_until()
  bool timer_high_ = false;
  bool external_high_ = false;
  RiscvInterrupts begun_;   ///< when the iteration began
  bool time_read_ = false;  ///< in it
};

}  // namespace

std::unique_ptr<TargetCore> make_riscv_core(const std::vector<iss::MemoryRegion>& regions, const CoreTiming& timing,
                                            iss::Bus& bus) {
  return std::make_unique<BoardRiscv>(regions, timing, bus);
}

}  // namespace ftlab::platform
