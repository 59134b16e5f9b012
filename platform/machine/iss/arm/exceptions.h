// Entry to and return from exceptions, and what becomes of faults: stacking, vectors, escalation, lockup. Knows no
// instruction.
#pragma once

#include <cstdint>

#include "platform/machine/iss/arm/context.h"
#include "platform/machine/iss/arm/nvic.h"
#include "platform/machine/iss/arm/system_control.h"

namespace ftlab::iss::arm {

class Exceptions {
 public:
  Exceptions(Context& context, Nvic& nvic, SystemControl& control)
      : context_(context), nvic_(nvic), control_(control) {}

  void reset();
  /// Enters the pending exception that interrupts what is being executed; the PC is the address to return to.
  bool take_pending();
  /// The exception that takes the fault: its own if that one is enabled and may interrupt, else HardFault; 0: lockup.
  [[nodiscard]] unsigned taker_of(const Fault& fault) const;
  /// The PC is the instruction's.
  void raise(const Fault& fault);
  /// SVC; the PC is behind it.
  void supervisor_call();
  /// BKPT without a debugger; the PC is the instruction's.
  void debug_event();
  /// By a value that a handler has written to the PC.
  void return_from(std::uint32_t value);

  [[nodiscard]] bool locked_up() const { return locked_up_; }
  /// Exceptions whose handlers have begun.
  [[nodiscard]] std::uint64_t begun() const { return begun_; }
  /// An event for WFE: an exception has begun or ended.
  bool event = false;
  /// A return to thread mode asks for sleep (SLEEPONEXIT).
  bool sleep_on_exit = false;

 private:
  [[nodiscard]] bool may_interrupt(unsigned exception) const;
  void record(const Fault& fault);
  void enter(unsigned exception);
  bool push(std::uint32_t return_address);
  bool pop(std::uint32_t frame);
  void begin(unsigned exception, std::uint32_t link);
  /// A fault of entry or return itself, which happens on behalf of the current priority.
  void begin_derived(const Fault& fault, std::uint32_t link);
  bool read_vector(unsigned exception, std::uint32_t& vector);

  Context& context_;
  Nvic& nvic_;
  SystemControl& control_;
  bool locked_up_ = false;
  std::uint64_t begun_ = 0;
};

}  // namespace ftlab::iss::arm
