#include "platform/machine/iss/arm/exceptions.h"

namespace ftlab::iss::arm {
namespace {

constexpr std::uint32_t kFrameBytes = 32;
constexpr std::uint32_t kFrameAligned = 1U << 9;  // in the stacked xPSR: a word of padding lies above the frame
constexpr std::uint32_t kReturnToHandler = 0xFFFFFFF1;
constexpr std::uint32_t kReturnToThread = 0xFFFFFFF9;
constexpr std::uint32_t kReturnToProcess = 0xFFFFFFFD;
constexpr unsigned kFrameRegisters[] = {0, 1, 2, 3, 12, kLr};

bool is_configurable(unsigned exception) { return exception >= kMemManage && exception <= kUsageFault; }

}  // namespace

void Exceptions::reset() {
  Registers& g = context_.g;
  locked_up_ = false;
  event = false;
  sleep_on_exit = false;
  g = Registers();
  g.r[kLr] = 0xFFFFFFFF;
  std::uint32_t sp = 0;
  std::uint32_t vector = 0;
  if (context_.read(control_.vector_table, 4, sp, true) == Access::failed || !read_vector(kReset, vector)) {
    context_.fault = {};
    locked_up_ = true;
    return;
  }
  g.r[kSp] = sp & ~3U;
  g.pc = vector & ~1U;
  g.thumb = (vector & 1) != 0;
}

bool Exceptions::may_interrupt(unsigned exception) const {
  return nvic_.group_priority(nvic_.priority(exception)) < nvic_.execution_priority(context_.g);
}

unsigned Exceptions::taker_of(const Fault& fault) const {
  const unsigned exception = fault.exception;
  if (is_configurable(exception) && nvic_.enabled(exception) && may_interrupt(exception)) {
    return exception;
  }
  return may_interrupt(kHardFault) ? kHardFault : 0;
}

void Exceptions::record(const Fault& fault) {
  control_.fault_status |= fault.status;
  if ((fault.status & cfsr::kBfarValid) != 0) {
    control_.bus_fault_address = fault.address;
  }
}

void Exceptions::raise(const Fault& fault) {
  const unsigned taker = taker_of(fault);
  record(fault);
  if (taker == 0) {
    locked_up_ = true;
    return;
  }
  if (taker == kHardFault) {
    control_.hard_fault_status |= kForced;
  }
  enter(taker);
}

void Exceptions::supervisor_call() {
  if (may_interrupt(kSvCall)) {
    enter(kSvCall);
  } else if (may_interrupt(kHardFault)) {
    control_.hard_fault_status |= kForced;
    enter(kHardFault);
  } else {
    locked_up_ = true;
  }
}

void Exceptions::debug_event() {
  control_.debug_status |= 1U << 1;
  if (may_interrupt(kHardFault)) {
    control_.hard_fault_status |= kDebugEvent;
    enter(kHardFault);
  } else {
    locked_up_ = true;
  }
}

bool Exceptions::take_pending() {
  const unsigned exception = nvic_.preempting(context_.g);
  if (exception == 0) {
    return false;
  }
  enter(exception);
  return true;
}

void Exceptions::enter(unsigned exception) {
  Registers& g = context_.g;
  context_.wait(context_.timing.exception_entry);
  const std::uint32_t link =
      g.handler_mode() ? kReturnToHandler : (g.process_stack ? kReturnToProcess : kReturnToThread);
  if (push(g.pc)) {
    begin(exception, link);
    return;
  }
  const Fault fault = {kBusFault, cfsr::kStkErr, g.r[kSp],
                       "nothing answers where an exception puts registers on the stack"};
  const unsigned taker = taker_of(fault);
  record(fault);
  if (taker != kBusFault) {
    control_.hard_fault_status |= kForced;
  }
  // The one that comes first of two that are pending begins, and the other stays so; where both are the same it begins
  // though nothing has been stacked for it.
  const unsigned derived = taker != 0 ? taker : kHardFault;
  const int difference = nvic_.priority(derived) - nvic_.priority(exception);
  const bool derived_first = difference < 0 || (difference == 0 && derived < exception);
  if (derived != exception) {
    nvic_.pend(derived_first ? exception : derived);
  }
  begin(derived_first ? derived : exception, link);
}

bool Exceptions::push(std::uint32_t return_address) {
  Registers& g = context_.g;
  const bool aligns = (control_.configuration & kStackAlign) != 0;
  const bool padded = aligns && (g.r[kSp] & 4) != 0;
  const std::uint32_t frame = (g.r[kSp] - kFrameBytes) & ~(aligns ? 4U : 0U);
  const std::uint32_t xpsr = (g.xpsr() & ~kFrameAligned) | (padded ? kFrameAligned : 0);
  g.r[kSp] = frame;
  bool pushed = true;
  std::uint32_t address = frame;
  const auto put = [&](std::uint32_t value) {
    pushed = pushed && context_.write(address, 4, value, g.privileged()) != Access::failed;
    address += 4;
  };
  for (const unsigned number : kFrameRegisters) {
    put(g.r[number]);
  }
  put(return_address);
  put(xpsr);
  context_.fault = {};
  return pushed;
}

bool Exceptions::pop(std::uint32_t frame) {
  Registers& g = context_.g;
  std::uint32_t words[8] = {};
  std::uint32_t address = frame;
  for (std::uint32_t& word : words) {
    if (context_.read(address, 4, word, true) == Access::failed) {
      context_.fault = {};
      return false;
    }
    address += 4;
  }
  for (unsigned i = 0; i < 6; ++i) {
    g.r[kFrameRegisters[i]] = words[i];
  }
  const std::uint32_t xpsr = words[7];
  g.pc = words[6] & ~1U;
  const bool aligns = (control_.configuration & kStackAlign) != 0;
  g.r[kSp] = (frame + kFrameBytes) | (aligns && (xpsr & kFrameAligned) != 0 ? 4U : 0U);
  g.set_nzcvq(xpsr);
  g.ge = xpsr >> 16 & 15;
  g.ipsr = xpsr & 0x1FF;
  g.thumb = (xpsr & kPsrT) != 0;
  g.set_it(xpsr & ~kFrameAligned);
  return true;
}

bool Exceptions::read_vector(unsigned exception, std::uint32_t& vector) {
  return context_.read(control_.vector_table + 4 * exception, 4, vector, true) != Access::failed;
}

void Exceptions::begin(unsigned exception, std::uint32_t link) {
  ++begun_;
  Registers& g = context_.g;
  std::uint32_t vector = 0;
  if (!read_vector(exception, vector)) {
    context_.fault = {};
    control_.hard_fault_status |= kVectorTable;
    if (exception == kHardFault || exception == kNmi || !may_interrupt(kHardFault) ||
        !read_vector(kHardFault, vector)) {
      context_.fault = {};
      locked_up_ = true;
      return;
    }
    exception = kHardFault;
  }
  nvic_.activate(exception);
  g.ipsr = exception;
  g.use_stack(false);
  g.r[kLr] = link;
  g.pc = vector & ~1U;
  g.thumb = (vector & 1) != 0;
  g.it = 0;
  g.exclusive = false;
  event = true;
}

void Exceptions::begin_derived(const Fault& fault, std::uint32_t link) {
  const unsigned taker = taker_of(fault);
  record(fault);
  if (taker == 0) {
    locked_up_ = true;
    return;
  }
  if (taker == kHardFault) {
    control_.hard_fault_status |= kForced;
  }
  begin(taker, link);
}

void Exceptions::return_from(std::uint32_t value) {
  Registers& g = context_.g;
  const unsigned ending = g.ipsr;
  const bool was_active = nvic_.active(ending);
  const unsigned nested = nvic_.active_count();
  const bool to_handler = value == kReturnToHandler;
  const bool to_thread = value == kReturnToThread || value == kReturnToProcess;
  const bool last = nested == 1 || (control_.configuration & kNonBaseThread) != 0;
  const bool valid = was_active && (to_handler ? nested > 1 : to_thread && last);
  const bool process = value == kReturnToProcess;

  nvic_.deactivate(ending);
  if (ending != kNmi) {
    g.faultmask = false;
  }
  if (!valid) {
    begin_derived(Fault::invalid_return(value), value | 0xF0000000);
    return;
  }
  // Tail-chaining: the frame stays where it is for the next handler. Its priority is held against what is returned to.
  if (const unsigned next = nvic_.preempting(g)) {
    context_.wait(context_.timing.exception_chain);
    begin(next, value);
    return;
  }
  context_.wait(context_.timing.exception_exit);
  const std::uint32_t frame = g.sp(process);
  g.use_stack(process);
  if (!pop(frame)) {
    g.use_stack(false);
    begin_derived(
        {kBusFault, cfsr::kUnstkErr, frame, "nothing answers where an exception takes registers from the stack"},
        value);
    return;
  }
  // What has been popped must be of the mode that the value names.
  if (to_handler != g.handler_mode()) {
    const std::uint32_t pc = g.pc;
    push(pc);
    begin_derived(Fault::invalid_return(value), value);
    return;
  }
  g.exclusive = false;
  event = true;
  if (to_thread && nested == 1 && (control_.system_control & kSleepOnExit) != 0) {
    sleep_on_exit = true;
  }
}

}  // namespace ftlab::iss::arm
