// The special registers of the core, as instructions and as a debugger see them.
#include "platform/machine/iss/arm/cortex_m.h"

namespace ftlab::iss::arm {
namespace {

enum Special : unsigned {
  kMsp = 8,
  kPsp = 9,
  kPrimask = 16,
  kBasepri = 17,
  kBasepriMax = 18,
  kFaultmask = 19,
  kControl = 20,
};
constexpr std::uint32_t kFlags = 0xF8000000;
constexpr std::uint32_t kGe = 0x000F0000;

std::uint32_t control_of(const Registers& g) { return (g.unprivileged_thread ? 1U : 0) | (g.process_stack ? 2U : 0); }

}  // namespace

std::uint32_t CortexM::read_special(unsigned number) const {
  const Registers& g = context_.g;
  if (number < 8) {
    // EPSR reads as zero.
    const std::uint32_t ipsr = (number & 1) != 0 && g.privileged() ? g.ipsr : 0;
    const std::uint32_t apsr = (number & 4) == 0 ? g.apsr() & (kFlags | (context_.has_dsp ? kGe : 0)) : 0;
    return ipsr | apsr;
  }
  if (number == kControl) {
    return control_of(g);
  }
  if (!g.privileged()) {
    return 0;
  }
  switch (number) {
    case kMsp:
      return g.sp(false);
    case kPsp:
      return g.sp(true);
    case kPrimask:
      return g.primask ? 1 : 0;
    case kFaultmask:
      return g.faultmask ? 1 : 0;
    default:
      return g.basepri;
  }
}

void CortexM::write_special(unsigned number, unsigned mask, std::uint32_t value) {
  Registers& g = context_.g;
  if (number < 4) {
    if ((mask & 2) != 0) {
      g.set_nzcvq(value);
    }
    if ((mask & 1) != 0) {
      g.ge = value >> 16 & 15;
    }
    return;
  }
  if (!g.privileged()) {
    return;
  }
  const std::uint8_t priority = nvic_.masked(static_cast<std::uint8_t>(value));
  switch (number) {
    case kMsp:
      g.set_sp(false, value);
      return;
    case kPsp:
      g.set_sp(true, value);
      return;
    case kPrimask:
      g.primask = (value & 1) != 0;
      return;
    case kBasepri:
      g.basepri = priority;
      return;
    case kBasepriMax:
      if (priority != 0 && (priority < g.basepri || g.basepri == 0)) {
        g.basepri = priority;
      }
      return;
    case kFaultmask:
      if ((value & 1) == 0 || nvic_.execution_priority(g) > -1) {
        g.faultmask = (value & 1) != 0;
      }
      return;
    case kControl:
      g.unprivileged_thread = (value & 1) != 0;
      // A handler uses the main stack in any case.
      if (!g.handler_mode()) {
        g.use_stack((value & 2) != 0);
      }
      return;
    default:
      return;
  }
}

void CortexM::change_masks(std::uint32_t bits) {
  Registers& g = context_.g;
  const bool disables = (bits & 16) != 0;
  if (!g.privileged()) {
    return;
  }
  if ((bits & 2) != 0) {
    g.primask = disables;
  }
  if ((bits & 1) != 0 && (!disables || nvic_.execution_priority(g) > -1)) {
    g.faultmask = disables;
  }
}

std::uint32_t CortexM::reg(unsigned number) const {
  const Registers& g = context_.g;
  switch (number) {
    case kPc:
      return g.pc;
    case 16:
      return g.xpsr();
    case 17:
      return g.sp(false);
    case 18:
      return g.sp(true);
    case 20:
      return control_of(g) << 24 | (g.faultmask ? 1U << 16 : 0) | std::uint32_t{g.basepri} << 8 | (g.primask ? 1 : 0);
    default:
      return number < kPc ? g.r[number] : 0;
  }
}

void CortexM::set_reg(unsigned number, std::uint32_t value) {
  Registers& g = context_.g;
  switch (number) {
    case kSp:
      g.set_sp(g.process_stack, value);
      return;
    case kPc:
      set_pc(value);
      return;
    case 16:
      g.set_nzcvq(value);
      g.ge = value >> 16 & 15;
      g.ipsr = value & 0x1FF;
      g.thumb = (value & kPsrT) != 0;
      g.set_it(value);
      return;
    case 17:
      g.set_sp(false, value);
      return;
    case 18:
      g.set_sp(true, value);
      return;
    case 20:
      g.unprivileged_thread = (value >> 24 & 1) != 0;
      g.use_stack((value >> 25 & 1) != 0);
      g.faultmask = (value >> 16 & 1) != 0;
      g.basepri = nvic_.masked(static_cast<std::uint8_t>(value >> 8));
      g.primask = (value & 1) != 0;
      return;
    default:
      if (number < kPc) {
        g.r[number] = value;
      }
  }
}

void CortexM::set_pc(std::uint32_t pc) {
  context_.g.pc = pc & ~1U;
  context_.g.it = 0;
}

}  // namespace ftlab::iss::arm
