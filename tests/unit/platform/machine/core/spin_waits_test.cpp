// Waits that spin, on both cores: whatever they wait for, a run that counts iterations and one that executes each come
// to the same.
#include "platform/machine/core/spin_waits.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "hw/regs/dma_regs.h"
#include "hw/regs/host_queue_regs.h"
#include "hw/regs/riscv_board_regs.h"
#include "hw/regs/trace_regs.h"
#include "tests/unit/platform/machine/core/processor_fixture.h"
#include "tests/unit/platform/machine/core/small_program.h"
#include "tests/unit/platform/machine/core/thumb_code.h"
#include "tests/unit/platform/machine/iss/riscv/assembler.h"

namespace ftlab::platform {
namespace {

namespace rv = iss::riscv::assembler;
using Waiting = platform::Fixture;  // other tests have one of their own

constexpr std::uint32_t kPart = target::kCommonWindow;
constexpr std::uint32_t kReport = target::kHostQueue + hw::host_queue::reg::kReport;
constexpr std::uint32_t kFlag = target::kRam + 0x180;  ///< of static data
constexpr std::uint32_t kSysTick = 0xE000E010;

/// What a program does, for one of the cores: it waits until r1, or a1, is not zero, then reports. Before that it has
/// started the part, and has r0 = the part, r2 = `other`, r3 = kFlag; or a0, a2, a3.
struct Wait {
  const char* name;
  std::vector<std::uint32_t> body{};   ///< of the loop
  std::uint32_t other = kFlag;         ///< an address
  std::vector<std::uint32_t> first{};  ///< before the loop
  std::vector<std::uint32_t> function{};
  std::vector<std::uint32_t> handler{};
  bool counts = true;  ///< iterations, that is
  bool comes = true;   ///< what it waits for

  friend std::ostream& operator<<(std::ostream& out, const Wait& wait) { return out << wait.name; }
};

void append(Code& code, const std::vector<std::uint32_t>& more) { code.insert(code.end(), more.begin(), more.end()); }

/// `function` lies right behind the loop's end and the six halfwords of the report.
std::unique_ptr<ProgramMemory> arm_program(const Wait& wait) {
  Code code{0, 0, 0, kStoreHalfR1};
  append(code, wait.first);
  const std::size_t loop = code.size();
  append(code, wait.body);
  code.push_back(0x2900);  // cmp r1, #0
  code.push_back(static_cast<std::uint16_t>(0xD000U | ((loop - code.size() - 2) & 0xFFU)));
  const std::size_t report = code.size();
  code.insert(code.end(), {0, kStoreR1, kStay, kNothing});
  append(code, wait.function);
  if (code.size() % 2 != 0) code.push_back(kNothing);
  const auto handler = static_cast<std::uint32_t>(2 * code.size());
  append(code, wait.handler);
  if (code.size() % 2 != 0) code.push_back(kNothing);
  const auto literal = [&code](std::size_t at, unsigned reg, std::uint32_t value) {
    code[at] = load(reg, static_cast<unsigned>(code.size() / 2 - (at + 2) / 2));
    code.push_back(static_cast<std::uint16_t>(value));
    code.push_back(static_cast<std::uint16_t>(value >> 16));
  };
  literal(0, 0, kPart);
  literal(1, 2, wait.other);
  literal(2, 3, kFlag);
  literal(report, 0, kReport);
  return small_program(code, wait.handler.empty() ? 0 : handler);
}

std::unique_ptr<ProgramMemory> riscv_program(const Wait& wait) {
  const auto address = [](std::vector<std::uint32_t>& code, rv::Reg reg, std::uint32_t value) {
    code.push_back(rv::lui(reg, static_cast<rv::Imm>((value + 0x800) >> 12 & 0xFFFFF)));
    code.push_back(rv::addi(reg, reg, static_cast<rv::Imm>(value << 20) >> 20));
  };
  std::vector<std::uint32_t> code;
  address(code, rv::a0, kPart);
  address(code, rv::a2, wait.other);
  address(code, rv::a3, kFlag);
  address(code, rv::sp, kStackTop);
  code.push_back(rv::sh(rv::a1, 0, rv::a0));
  code.insert(code.end(), wait.first.begin(), wait.first.end());
  const std::size_t loop = code.size();
  code.insert(code.end(), wait.body.begin(), wait.body.end());
  code.push_back(rv::beq(rv::a1, rv::zero, (static_cast<rv::Imm>(loop) - static_cast<rv::Imm>(code.size())) * 4));
  address(code, rv::a0, kReport);
  code.push_back(rv::sw(rv::a1, 0, rv::a0));
  code.push_back(rv::jal(rv::zero, 0));
  code.insert(code.end(), wait.function.begin(), wait.function.end());
  return small_riscv_program(code);
}

struct Outcome {
  std::string state;
  std::uint64_t counted = 0;
  unsigned reads = 0;
};

struct Choices {
  Ticks quantum = std::chrono::seconds{1};
  std::uint64_t hz = kHz;
  std::function<void(Waiting&)> before_start = [](Waiting&) {};
  std::function<void(CoreProcessor&)> before{};
  std::function<std::string()> after = [] { return std::string(); };
};

std::string run_here(std::unique_ptr<ProgramMemory> memory, bool skips, const Choices& choices) {
  CoreOptions options{Waiting::core(), choices.quantum, false, 2, skips};
  options.core.hz = choices.hz;
  options.core.register_wait = 3;
  std::string end = "reported";
  Waiting fixture(
      std::move(memory),
      [&](Waiting& f) {
        choices.before_start(f);
        try {
          f.start();
        } catch (const PowerLost&) {
          end = "power lost";
        }
      },
      options, choices.before);
  end += test::error_text([&] { fixture.cpu.rethrow_error(); }, "");
  fixture.ledger.collect_accesses();
  const CoreTotals core = *fixture.cpu.core_totals();
  const LedgerTotals& books = fixture.ledger.totals();
  const LedgerCell reads = books.by_operation(fixture.part.read_kind);
  return fmt::format(
      "{} {} {} at {}: {} instructions, {} cycles, {} waiting, {} interrupts, {} awake; bus {}, {} reads of {} bytes, "
      "{}, {} pJ, elapsed {}; {}; {}",
      fixture.cpu.instructions_counted(), fixture.part.reads, end, fixture.cpu.now().count(), core.instructions,
      core.cycles, core.bus_cycles, core.interrupts, core.awake_by_cause[0], books.bus_time.count(), reads.count,
      reads.bytes, static_cast<std::int64_t>(reads.busy.count()), static_cast<std::int64_t>(reads.energy.count()),
      books.simulated().count(), fixture.cpu.core().registers(), choices.after());
}

/// In a process of its own, as the SystemC kernel is global.
Outcome run_waiting(std::unique_ptr<ProgramMemory> memory, bool skips, const Choices& choices) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string text = run_here(std::move(memory), skips, choices);
    ::_exit(::write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : 1);
  }
  ::close(ends[1]);
  std::string text;
  std::array<char, 4096> block{};
  for (ssize_t n = 0; (n = ::read(ends[0], block.data(), block.size())) > 0;)
    text.append(block.data(), static_cast<std::size_t>(n));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  Outcome outcome;
  std::istringstream in(text);
  in >> outcome.counted >> outcome.reads >> std::ws;
  std::getline(in, outcome.state);
  return outcome;
}

using MakeProgram = std::function<std::unique_ptr<ProgramMemory>(const Wait&)>;

/// Runs it both ways; gives the outcome with waits counted.
Outcome same_both_ways(const MakeProgram& program, const Wait& wait, const Choices& choices = {}) {
  const Outcome executed = run_waiting(program(wait), false, choices);
  Outcome counted = run_waiting(program(wait), true, choices);
  EXPECT_EQ(counted.state, executed.state) << wait.name;
  EXPECT_EQ(executed.counted, 0U) << wait.name;
  EXPECT_EQ(executed.state.find("the firmware") == std::string::npos, wait.comes) << executed.state;
  EXPECT_EQ(counted.counted > 0, wait.counts) << wait.name << ": " << counted.counted;
  if (wait.counts) {
    EXPECT_LE(counted.reads, executed.reads);
  } else {
    EXPECT_EQ(counted.reads, executed.reads) << wait.name;
  }
  return counted;
}

constexpr std::uint32_t kRead = kReadHalfR1;
/// ldr r4, [r2]; movs r4, #0
const std::vector<std::uint32_t> kReadOther{kRead, 0x6814, 0x2400};
/// movs r4, #100; str r4, [r2, #4]; movs r4, #3; str r4, [r2]: SysTick interrupts each 101 cycles. movs r4, #0
const std::vector<std::uint32_t> kStartTimer{0x2464, 0x6054, 0x2403, 0x6014, 0x2400};
/// The same without interrupts, each 1001 cycles: movs r4, #125; lsls r4, r4, #3.
const std::vector<std::uint32_t> kStartQuietTimer{0x247D, 0x00E4, 0x6054, 0x2401, 0x6014, 0x2400};

const Wait kPolls{"status of the part", {kRead}};

const Wait kArmWaits[] = {
    kPolls,
    {"calls a function that keeps registers on the stack", {kRead, 0xF000, 0xF806}, kFlag, {}, {0xB510, 0xBD10}},
    {"stores what was there", {kRead, 0x6019}},
    {"disables and enables interrupts", {0xB672, kRead, 0xB662}},
    {"reads a register of the host queue", kReadOther, target::kHostQueue + hw::host_queue::reg::kWaiting},
    {"reads the timer while it stands still", kReadOther, kSysTick + 8},
    {"reads the timer's control with nothing to clear", kReadOther, kSysTick},
    {.name = "waits for a flag of an interrupt handler",
     .body = {0x6819},  // ldr r1, [r3]
     .other = kSysTick,
     .first = {0x601C, 0x2464, 0x6054, 0x2403, 0x6014, 0x2400},
     .handler = {0x2101, 0x6019, 0x4770}},  // movs r1, #1; str r1, [r3]; bx lr
    {.name = "is interrupted in between",
     .body = {kRead},
     .other = kSysTick,
     .first = kStartTimer,
     .handler = {0x681C, 0x3401, 0x601C, 0x2400, 0x4770}},  // counts in memory
    {.name = "counts in memory",
     .body = {kRead, 0x681C, 0x3401, 0x601C, 0x2400},  // ldr r4, [r3]; adds; str; movs r4, #0
     .counts = false},
    {.name = "counts in a register", .body = {kRead, 0x3401}, .counts = false},
    {.name = "writes a register", .body = {kRead, 0x6014}, .other = target::kTrace, .counts = false},
    {.name = "reads the part twice", .body = {kRead, 0x8811}, .other = kPart + 2},
    {.name = "reads the time",
     .body = kReadOther,
     .other = kSysTick + 8,
     .first = {0x3A08, 0x247D, 0x00E4, 0x6054, 0x2401, 0x6014, 0x2400, 0x3208},  // by r2 - 8
     .counts = false},
    {.name = "writes a register of the core", .body = {kRead, 0x6054}, .other = kSysTick, .counts = false},
};

class ArmSpinWaits : public ::testing::TestWithParam<Wait> {};

TEST_P(ArmSpinWaits, come_to_the_same_counted_and_executed) { same_both_ways(arm_program, GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, ArmSpinWaits, ::testing::ValuesIn(kArmWaits));

// addi sp, sp, -16; sw ra, 12(sp); lw ra, 12(sp); addi sp, sp, 16; ret
const std::vector<std::uint32_t> kStackFunction{rv::addi(rv::sp, rv::sp, -16), rv::sw(rv::ra, 12, rv::sp),
                                                rv::lw(rv::ra, 12, rv::sp), rv::addi(rv::sp, rv::sp, 16),
                                                rv::jalr(rv::zero, rv::ra, 0)};
constexpr std::uint32_t kRiscvRead = rv::lhu(rv::a1, 0, rv::a0);
const std::vector<std::uint32_t> kRiscvReadOther{kRiscvRead, rv::lw(rv::t0, 0, rv::a2), rv::addi(rv::t0, rv::zero, 0)};
constexpr std::uint32_t csr_read(rv::Reg rd, std::uint32_t number) { return number << 20 | 2U << 12 | rd << 7 | 0x73; }

const Wait kRiscvWaits[] = {
    {"status of the part", {kRiscvRead}},
    {"calls a function that keeps its return address on the stack",
     {kRiscvRead, rv::jal(rv::ra, 4 * 6)},
     kFlag,
     {},
     kStackFunction},
    {"stores what was there", {kRiscvRead, rv::sw(rv::a1, 0, rv::a3)}},
    {"disables and enables interrupts", {0x30047073, kRiscvRead, 0x30046073}},
    {"reads a register of the host queue", kRiscvReadOther, target::kHostQueue + hw::host_queue::reg::kWaiting},
    {"claims when nothing interrupts", kRiscvReadOther, hw::riscv_board::kClaim},
    {.name = "counts in memory",
     .body = {kRiscvRead, rv::lw(rv::t0, 0, rv::a3), rv::addi(rv::t0, rv::t0, 1), rv::sw(rv::t0, 0, rv::a3),
              rv::addi(rv::t0, rv::zero, 0)},
     .counts = false},
    {.name = "counts in a register", .body = {kRiscvRead, rv::addi(rv::t0, rv::t0, 1)}, .counts = false},
    {.name = "writes a register",
     .body = {kRiscvRead, rv::sw(rv::t0, 0, rv::a2)},
     .other = target::kTrace,
     .counts = false},
    {.name = "reads the time", .body = kRiscvReadOther, .other = hw::riscv_board::kMtime, .counts = false},
    {.name = "reads the count of cycles",
     .body = {kRiscvRead, csr_read(rv::t0, 0xB00), rv::addi(rv::t0, rv::zero, 0)},
     .counts = false},
    {.name = "reads the count of instructions",
     .body = {kRiscvRead, csr_read(rv::t0, 0xB02), rv::addi(rv::t0, rv::zero, 0)},
     .counts = false},
};

class RiscvSpinWaits : public ::testing::TestWithParam<Wait> {};

TEST_P(RiscvSpinWaits, come_to_the_same_counted_and_executed) { same_both_ways(riscv_program, GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, RiscvSpinWaits, ::testing::ValuesIn(kRiscvWaits));

/// Of both cores, polling the part.
std::vector<std::pair<MakeProgram, Wait>> polls() { return {{arm_program, kPolls}, {riscv_program, kRiscvWaits[0]}}; }

TEST(SpinWaits, of_a_long_wait_few_iterations_are_executed) {
  for (const auto& [program, wait] : polls()) EXPECT_LT(same_both_ways(program, wait).reads, 12U);
}

TEST(SpinWaits, do_not_depend_on_the_quantum) {
  for (const auto& [program, wait] : polls()) {
    const std::string state = same_both_ways(program, wait).state;
    EXPECT_EQ(same_both_ways(program, wait, {.quantum = microseconds{20}}).state, state);
    EXPECT_EQ(run_waiting(program(wait), true, {.quantum = microseconds{1}}).state, state);
  }
}

TEST(SpinWaits, end_at_the_instruction_and_at_the_time_of_a_loss_of_power) {
  for (const auto& [program, wait] : polls()) {
    for (std::uint64_t instruction = 100; instruction < 102; ++instruction) {
      const auto lose = [&](Waiting& f) { f.cpu.lose_power_behind(instruction); };
      EXPECT_EQ(same_both_ways(program, wait, {.before_start = lose}).state.substr(0, 10), "power lost");
    }
    for (const int ns : {30'100, 30'750}) {
      const auto lose = [&](Waiting& f) { f.cpu.lose_power_at(nanoseconds{ns}); };
      EXPECT_EQ(same_both_ways(program, wait, {.before_start = lose}).state.substr(0, 10), "power lost");
    }
  }
}

TEST(SpinWaits, accesses_of_the_part_are_rounded_to_cycles_as_they_would_be) {
  // Every 17th cycle begins with a tick, and 166 cycles, or 332, are less than an access by less than a tick: whether
  // it takes one more depends on where it begins.
  for (const std::uint64_t hz : {332'031'250U, 664'062'500U})
    for (const auto& [program, wait] : polls()) same_both_ways(program, wait, {.hz = hz});
}

TEST(SpinWaits, end_where_the_status_changes_without_an_edge_of_the_line) {
  const auto without_line = [](Waiting& f) { f.part.drives_line = false; };
  for (const auto& [program, wait] : polls()) same_both_ways(program, wait, {.before_start = without_line});
}

TEST(SpinWaits, of_a_part_are_counted_for_registers_alone) {
  const auto reads_array = [](Waiting& f) { f.part.read_kind = hw::DeviceOpKind::array_read; };
  for (auto [program, wait] : polls()) {
    wait.counts = false;
    same_both_ways(program, wait, {.before_start = reads_array});
  }
}

class NoSink final : public OperationSink {
 public:
  void record(const hw::DeviceOp&, Cause) override {}
  void begin_phase(const char*) override {}
};

TEST(SpinWaits, of_a_part_are_executed_where_somebody_hears_of_each_access) {
  NoSink sink;
  const auto listen = [&sink](Waiting& f) { f.ledger.set_sink(&sink); };
  for (auto [program, wait] : polls()) {
    wait.counts = false;
    same_both_ways(program, wait, {.before_start = listen});
  }
}

class NoWatcher final : public CoreWatcher {
 public:
  void started() override {}
  std::uint64_t before_run() override { return CoreClock::kNeverCycle; }
  void ended() override {}
};

TEST(SpinWaits, are_executed_where_somebody_looks_at_instructions) {
  for (auto [program, wait] : polls()) {
    wait.counts = false;
    same_both_ways(program, wait, {.before = [](CoreProcessor& cpu) { cpu.let_watch(std::make_unique<NoWatcher>()); }});
  }
}

class Looks final : public TimeWatcher {
 public:
  Ticks look(Ticks now) override {
    times += fmt::format("{} ", now.count());
    return now + microseconds{9};
  }
  std::string times;
};

TEST(SpinWaits, let_who_watches_the_time_look_when_it_wants_to) {
  Looks looks;
  for (const auto& [program, wait] : polls()) {
    const std::string state = same_both_ways(program, wait,
                                             {.before_start = [&looks](Waiting& f) { f.cpu.watch_time(&looks); },
                                              .after = [&looks] { return looks.times; }})
                                  .state;
    EXPECT_GT(std::ranges::count(state.substr(state.rfind(';')), ' '), 6) << state;
  }
}

TEST(SpinWaits, for_nothing_end_in_the_same_message_at_the_same_time) {
  // movs r1, #0; ldr r4, [r2]; movs r4, #0
  const Wait wait{.name = "what never comes",
                  .body = {0x2100, 0x6814, 0x2400},
                  .other = target::kHostQueue + hw::host_queue::reg::kWaiting,
                  .comes = false};
  const std::string state = same_both_ways(arm_program, wait, {.hz = 100'000}).state;
  EXPECT_NE(state.find("has read the same for 20 s"), std::string::npos) << state;
}

}  // namespace
}  // namespace ftlab::platform
