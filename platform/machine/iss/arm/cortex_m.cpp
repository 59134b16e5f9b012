#include "platform/machine/iss/arm/cortex_m.h"

#include <algorithm>
#include <utility>

#include "platform/machine/iss/arm/undefined.h"

namespace ftlab::iss::arm {
namespace {

// r2p1 and r0p1.
constexpr std::uint32_t kCortexM3 = 0x412FC231;
constexpr std::uint32_t kCortexM4 = 0x410FC241;
constexpr std::uint32_t kTriggerInterrupt = 0xE000EF00;
constexpr unsigned kSemihosting = 0xAB;

StopReason reason_of(const Fault& fault) {
  if (fault.exception == kUsageFault) {
    return (fault.status & cfsr::kUnaligned) != 0 ? StopReason::misaligned : StopReason::illegal_instruction;
  }
  return StopReason::bus_error;
}

}  // namespace

CortexM::CortexM(const CortexMConfig& config, const std::vector<MemoryRegion>& regions, Bus& bus)
    : config_(config),
      context_(regions, config.timing, bus, *this, config.model == Model::cortex_m4),
      nvic_(config.interrupts, config.priority_bits),
      control_(nvic_, context_.g, config.model == Model::cortex_m4 ? kCortexM4 : kCortexM3, config.vector_table),
      exceptions_(context_, nvic_, control_) {}  // NOLINT(bugprone-throw-keyword-missing): the core's, not C++'s

void CortexM::reset() {
  nvic_.reset();
  control_.reset();
  context_.fault = {};
  context_.code.forget();
  context_.unaligned_is_a_fault = false;
  context_.zero_divide_is_a_fault = false;
  exceptions_.reset();
  sleep_ = Sleep::awake;
  end_requested_ = false;
  last_fault_ = {};
  instructions_ = 0;
  cycles_ = 0;
  context_.left = 0;
}

CoreStop CortexM::run(std::uint64_t budget) {
  const std::uint64_t end = instructions_ + budget;
  run_from_ = context_.g.pc;
  nothing_executed_ = true;
  for (;;) {
    if (std::exchange(context_.code_changed, false)) {
      context_.code.forget();
    }
    context_.leave = false;
    // Of the entry of an exception.
    cycles_ -= static_cast<std::uint64_t>(std::exchange(context_.left, 0));
    if (control_.systick.advance_to(cycles_)) {
      nvic_.pend(kSysTick);
    }
    if (std::exchange(control_.reset_requested, false)) {
      const std::uint64_t executed = instructions_;
      const std::uint64_t cycles = cycles_;
      reset();
      instructions_ = executed;
      cycles_ = cycles;
    }
    if (exceptions_.locked_up()) {
      stop(StopReason::lockup);
      return stop_;
    }
    if (std::exchange(end_requested_, false)) {
      stop(StopReason::requested);
      return stop_;
    }
    if (still_asleep()) {
      stop(StopReason::wait_for_interrupt);
      return stop_;
    }
    if (instructions_ == end || cycles_ >= end_cycle_) {
      stop(StopReason::budget);
      return stop_;
    }
    if (exceptions_.take_pending()) {
      sleep_ = Sleep::awake;
      continue;
    }
    if (!run_slice(end - instructions_)) {
      return stop_;
    }
    if (std::exchange(context_.repeats, false)) {
      stop(StopReason::repeats);
      return stop_;
    }
  }
}

bool CortexM::stop(StopReason reason, std::uint32_t address) {
  stop_ = {.reason = reason, .pc = context_.g.pc, .address = address};
  return false;
}

bool CortexM::still_asleep() {
  if (std::exchange(exceptions_.sleep_on_exit, false)) {
    sleep_ = Sleep::for_interrupt;
  }
  if (nvic_.take_news() && (control_.system_control & kEventOnPending) != 0) {
    exceptions_.event = true;
  }
  if (sleep_ == Sleep::for_event && std::exchange(exceptions_.event, false)) {
    sleep_ = Sleep::awake;
  }
  // What would be taken without PRIMASK wakes the core, and waits until that is cleared.
  if (sleep_ != Sleep::awake && nvic_.preempting(context_.g, false) != 0) {
    sleep_ = Sleep::awake;
  }
  return sleep_ != Sleep::awake;
}

bool CortexM::run_slice(std::uint64_t budget) {
  constexpr std::uint64_t kLongest = 1U << 30;
  const std::uint64_t before = instructions_;
  slice_ = static_cast<std::int64_t>(std::min({budget, cycles_to_timer(), end_cycle_ - cycles_, kLongest}));
  context_.left = slice_;
  context_.executed = 0;
  context_.at = nullptr;
  const Left left = execute_from_pc();
  const bool goes_on = go_on_from(left);
  cycles_ += static_cast<std::uint64_t>(slice_ - context_.left);
  instructions_ += std::exchange(context_.executed, 0);
  nothing_executed_ = nothing_executed_ && instructions_ == before;
  slice_ = 0;
  context_.left = 0;
  context_.at = nullptr;
  return goes_on;
}

Left CortexM::execute_from_pc() {
  Registers& g = context_.g;
  if (!g.thumb) {
    count_unfetched();
    context_.fault = Fault::invalid_state(g.pc);
    return Left::fault;
  }
  if (!context_.code.has_room()) {
    context_.code.forget();
  }
  Block* block = g.it == 0 ? context_.code.find(g.pc) : context_.code.inside_it(g.pc, g.it);
  if (block == nullptr) {
    return Left::nowhere;
  }
  if (block->breakpoint && !(nothing_executed_ && g.pc == run_from_)) {
    return Left::breakpoint;
  }
  return execute(context_, block);
}

bool CortexM::go_on_from(Left left) {
  Registers& g = context_.g;
  switch (left) {
    case Left::due:
    case Left::asked:
      return true;
    case Left::breakpoint:
      return stop(StopReason::breakpoint);
    case Left::exception_return:
      exceptions_.return_from(g.pc);
      return true;
    case Left::system: {
      const Op op = *context_.at;
      context_.at = nullptr;
      return do_system(op);
    }
    case Left::nowhere:
      // A block may have used up the slice on its way here.
      if (context_.left <= 0) {
        return true;
      }
      count_unfetched();
      context_.fault = Fault::fetch(g.pc);
      break;
    case Left::fault:
      break;
  }
  unrepeatable_ = true;
  const Op* op = context_.at;
  context_.at = nullptr;
  last_fault_ = std::exchange(context_.fault, {});
  if (fault_stops(last_fault_)) {
    return false;
  }
  const bool ignored = last_fault_.exception == kBusFault && left == Left::fault &&
                       (control_.configuration & kBusFaultIgnored) != 0 && nvic_.execution_priority(g) < 0;
  if (ignored && op != nullptr) {
    control_.fault_status |= last_fault_.status;
    g.pc += op->size;
    g.it = next_it(op->it);
  } else {
    exceptions_.raise(last_fault_);
  }
  return true;
}

bool CortexM::fault_stops(const Fault& fault) {
  const unsigned taker = exceptions_.taker_of(fault);
  if (!config_.stop_at_hard_fault || (taker != 0 && taker != kHardFault)) {
    return false;
  }
  take_back(context_.faulted);
  stop(reason_of(fault), fault.address);
  return true;
}

void CortexM::take_back(std::int64_t cycles) {
  context_.left += cycles;
  --context_.executed;
}

void CortexM::count_unfetched() {
  --context_.left;
  ++context_.executed;
  context_.faulted = 1;
}

bool CortexM::do_system(const Op& op) {
  Registers& g = context_.g;
  switch (op.code) {
    case OpCode::mrs:
      g.r[op.rd] = read_special(op.imm);
      return true;
    case OpCode::msr:
      write_special(op.imm, op.ra, g.r[op.rn]);
      return true;
    case OpCode::cps:
      change_masks(op.imm);
      return true;
    case OpCode::svc:
      exceptions_.supervisor_call();
      return true;
    case OpCode::wfi:
      sleep_ = Sleep::for_interrupt;
      return true;
    case OpCode::wfe:
      sleep_ = std::exchange(exceptions_.event, false) ? Sleep::awake : Sleep::for_event;
      return true;
    case OpCode::sev:
      exceptions_.event = true;
      return true;
    default:
      break;
  }
  // The rest is not done: the PC is the instruction's.
  g.pc -= op.size;
  g.it = op.it;
  context_.faulted = context_.block->cycles - op.before;
  if (op.code == OpCode::bkpt) {
    if (config_.stop_at_bkpt) {
      take_back(context_.faulted);
      return stop(op.imm == kSemihosting ? StopReason::environment_call : StopReason::breakpoint, op.imm);
    }
    exceptions_.debug_event();
    return true;
  }
  last_fault_ = op.code == OpCode::coprocessor ? Fault::no_coprocessor(op.imm)
                                               : Fault::undefined(op.imm, sentence_of(static_cast<Why>(op.why)));
  if (fault_stops(last_fault_)) {
    return false;
  }
  exceptions_.raise(last_fault_);
  return true;
}

void CortexM::end_run() {
  end_requested_ = true;
  context_.leave = true;
}

void CortexM::set_interrupt(unsigned line, bool high) {
  if (line < nvic_.interrupts()) {
    nvic_.set_line(line, high);
    context_.leave = true;
  }
}

void CortexM::pend_nmi() {
  nvic_.pend(kNmi);
  context_.leave = true;
}

void CortexM::send_event() { exceptions_.event = true; }

std::uint64_t CortexM::cycles() const {
  std::int64_t passed = slice_ - context_.left;
  if (context_.at != nullptr) {
    passed -= context_.block->cycles - context_.at->before;
  }
  return cycles_ + static_cast<std::uint64_t>(passed);
}

std::uint64_t CortexM::instructions() const {
  const bool inside = context_.at != nullptr;
  return instructions_ + context_.executed - (inside ? context_.block->count - context_.at->index : 0);
}

void CortexM::stall(std::uint64_t cycles) { context_.wait(static_cast<std::int64_t>(cycles)); }

std::uint64_t CortexM::cycles_to_timer() const {
  const std::uint64_t zero = control_.systick.next_zero();
  return zero == SysTick::kNever ? zero : zero - std::min(zero, cycles());
}

bool CortexM::read_system(std::uint32_t address, unsigned size, std::uint32_t& value, bool privileged) {
  unrepeatable_ = unrepeatable_ || !control_.reads_steadily(address);
  return privileged && control_.read(address, size, value, cycles());
}

bool CortexM::look(std::uint32_t address, unsigned size, std::uint32_t& value) const {
  // A read clears a flag of the timer.
  SystemControl copy = control_;
  return copy.read(address, size, value, cycles());
}

bool CortexM::write_system(std::uint32_t address, unsigned size, std::uint32_t value, bool privileged) {
  const bool requests_interrupt = address == kTriggerInterrupt && (control_.configuration & kUserSetPending) != 0;
  if (!(privileged || requests_interrupt) || !control_.write(address, size, value, cycles())) {
    return false;
  }
  unrepeatable_ = true;
  context_.unaligned_is_a_fault = (control_.configuration & kUnalignedTrap) != 0;
  context_.zero_divide_is_a_fault = (control_.configuration & kZeroDivideTrap) != 0;
  context_.leave = true;
  return true;
}

void CortexM::code_changed(std::uint32_t address, std::uint32_t size) {
  if (context_.code.has_code(address, size)) {
    context_.code_changed = true;
    context_.leave = true;
  }
}

void CortexM::look_for_waits(bool look) {
  if (look != context_.loops.looks()) context_.code.forget();  // links along which it would not be asked
  context_.loops.look(look);
}

void CortexM::begin_iteration() {
  begun_ = {context_.g, exceptions_.begun(), flash_misses(), exceptions_.event};
  unrepeatable_ = false;
  context_.stores.begin();
  context_.memory.store_slowly(true);
}

bool CortexM::comes_round() const {
  const Begun now{context_.g, exceptions_.begun(), flash_misses(), exceptions_.event};
  return !unrepeatable_ && now == begun_ && context_.stores.unchanged();
}

void CortexM::end_iteration() {
  context_.stores.end();
  context_.memory.store_slowly(false);
}

// Not while blocks are being executed: they would be forgotten.
void CortexM::set_breakpoint(std::uint32_t address) { context_.code.set_breakpoint(address & ~1U); }
void CortexM::clear_breakpoint(std::uint32_t address) { context_.code.clear_breakpoint(address & ~1U); }

}  // namespace ftlab::iss::arm
