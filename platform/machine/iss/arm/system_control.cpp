#include "platform/machine/iss/arm/system_control.h"

namespace ftlab::iss::arm {
namespace {

constexpr std::uint32_t kSpace = 0xE000E000;
constexpr std::uint32_t kWriteKey = 0x05FA;
constexpr std::uint32_t kReadKey = 0xFA05;
constexpr std::uint32_t kNoReferenceClock = 1U << 31;

// Offsets.
constexpr std::uint32_t kIctr = 0x004, kSystCsr = 0x010, kSystRvr = 0x014, kSystCvr = 0x018, kSystCalib = 0x01C;
constexpr std::uint32_t kIser = 0x100, kIcer = 0x180, kIspr = 0x200, kIcpr = 0x280, kIabr = 0x300, kIpr = 0x400;
constexpr std::uint32_t kCpuid = 0xD00, kIcsr = 0xD04, kVtor = 0xD08, kAircr = 0xD0C, kScr = 0xD10, kCcr = 0xD14,
                        kShpr = 0xD18, kShcsr = 0xD24, kCfsr = 0xD28, kHfsr = 0xD2C, kDfsr = 0xD30, kMmfar = 0xD34,
                        kBfar = 0xD38, kAfsr = 0xD3C, kIdentification = 0xD40, kCpacr = 0xD88, kMpu = 0xD90,
                        kMpuEnd = 0xDBC, kStir = 0xF00;

// Bits of SHCSR and the exceptions that they belong to.
struct HandlerBit {
  unsigned bit;
  unsigned exception;
};
constexpr HandlerBit kActiveBits[] = {{0, kMemManage},    {1, kBusFault}, {3, kUsageFault}, {7, kSvCall},
                                      {8, kDebugMonitor}, {10, kPendSv},  {11, kSysTick}};
constexpr HandlerBit kPendingBits[] = {{12, kUsageFault}, {13, kMemManage}, {14, kBusFault}, {15, kSvCall}};
constexpr HandlerBit kEnabledBits[] = {{16, kMemManage}, {17, kBusFault}, {18, kUsageFault}};

}  // namespace

SystemControl::SystemControl(Nvic& nvic, const Registers& g, std::uint32_t cpuid, std::uint32_t first_vector_table)
    : vector_table(first_vector_table), nvic_(nvic), g_(g), cpuid_(cpuid), first_vector_table_(first_vector_table) {}

void SystemControl::reset() {
  systick = SysTick();
  vector_table = first_vector_table_;
  system_control = 0;
  configuration = kStackAlign;
  fault_status = 0;
  hard_fault_status = 0;
  debug_status = 0;
  reset_requested = false;
}

unsigned SystemControl::priority_at(std::uint32_t offset) const {
  unsigned number = 0;
  if (offset >= kShpr && offset < kShcsr) {
    number = 4 + (offset - kShpr);
  } else if (offset >= kIpr && offset < kIpr + Nvic::kMaxInterrupts) {
    number = kFirstInterrupt + (offset - kIpr);
  }
  return number != 0 && nvic_.exists(number) ? number : 0;
}

bool SystemControl::read(std::uint32_t address, unsigned size, std::uint32_t& value, std::uint64_t now) {
  const std::uint32_t offset = address - kSpace;
  if (offset >= 0x1000) {
    return false;
  }
  const bool priorities =
      (offset >= kShpr && offset < kShcsr) || (offset >= kIpr && offset < kIpr + Nvic::kMaxInterrupts);
  if (priorities) {
    value = 0;
    for (unsigned byte = 0; byte < size; ++byte) {
      const unsigned number = priority_at(offset + byte);
      value |= number != 0 ? static_cast<std::uint32_t>(nvic_.priority(number)) << 8 * byte : 0;
    }
    return true;
  }
  // Of the other registers only those of faults can be read in parts.
  const bool in_parts = offset >= kCfsr && offset < kCfsr + 4;
  if (size != 4 && !in_parts) {
    return false;
  }
  std::uint32_t word = 0;
  const bool found = read_word(offset & ~3U, word, now);
  value = word >> 8 * (offset & 3);
  if (size < 4) {
    value &= (1U << 8 * size) - 1;
  }
  return found;
}

bool SystemControl::reads_steadily(std::uint32_t address) const {
  const std::uint32_t offset = (address - kSpace) & ~3U;
  return !(offset == kSystCsr && systick.has_counted()) && !(offset == kSystCvr && systick.counts());
}

bool SystemControl::write(std::uint32_t address, unsigned size, std::uint32_t value, std::uint64_t now) {
  const std::uint32_t offset = address - kSpace;
  if (offset >= 0x1000) {
    return false;
  }
  const bool priorities =
      (offset >= kShpr && offset < kShcsr) || (offset >= kIpr && offset < kIpr + Nvic::kMaxInterrupts);
  if (priorities) {
    for (unsigned byte = 0; byte < size; ++byte) {
      if (const unsigned number = priority_at(offset + byte)) {
        nvic_.set_priority(number, static_cast<std::uint8_t>(value >> 8 * byte));
      }
    }
    return true;
  }
  const bool in_parts = offset >= kCfsr && offset < kCfsr + 4;
  if (size != 4 && !in_parts) {
    return false;
  }
  // Ones clear bits of these, so that the bytes around may be written as zeros.
  return write_word(offset & ~3U, value << 8 * (offset & 3), now);
}

bool SystemControl::read_word(std::uint32_t offset, std::uint32_t& value, std::uint64_t now) {
  if (offset >= kIser && offset < kIpr) {
    return read_interrupts(offset, value);
  }
  value = 0;
  switch (offset) {
    case kIctr:
      value = nvic_.interrupts() == 0 ? 0 : (nvic_.interrupts() - 1) / 32;
      return true;
    case kSystCsr:
      value = systick.read_control();
      return true;
    case kSystRvr:
      value = systick.reload();
      return true;
    case kSystCvr:
      value = systick.value(now);
      return true;
    case kSystCalib:
      value = kNoReferenceClock;
      return true;
    case kCpuid:
      value = cpuid_;
      return true;
    case kIcsr:
      value = interrupt_control();
      return true;
    case kVtor:
      value = vector_table;
      return true;
    case kAircr:
      value = kReadKey << 16 | nvic_.group() << 8;
      return true;
    case kScr:
      value = system_control;
      return true;
    case kCcr:
      value = configuration;
      return true;
    case kShcsr:
      value = handler_control();
      return true;
    case kCfsr:
      value = fault_status;
      return true;
    case kHfsr:
      value = hard_fault_status;
      return true;
    case kDfsr:
      value = debug_status;
      return true;
    case kMmfar:
      value = memory_fault_address;
      return true;
    case kBfar:
      value = bus_fault_address;
      return true;
    default:
      // No auxiliary faults, no coprocessor, no MPU.
      return offset == kAfsr || offset == kCpacr || (offset >= kIdentification && offset < 0xD80) ||
             (offset >= kMpu && offset < kMpuEnd);
  }
}

bool SystemControl::write_word(std::uint32_t offset, std::uint32_t value, std::uint64_t now) {
  if (offset >= kIser && offset < kIpr) {
    return write_interrupts(offset, value);
  }
  switch (offset) {
    case kSystCsr:
      systick.write_control(value, now);
      return true;
    case kSystRvr:
      systick.write_reload(value, now);
      return true;
    case kSystCvr:
      systick.write_value(now);
      return true;
    case kIcsr:
      write_interrupt_control(value);
      return true;
    case kVtor:
      vector_table = value & ~0x7FU;
      return true;
    case kAircr:
      if (value >> 16 == kWriteKey) {
        nvic_.set_group(value >> 8 & 7);
        reset_requested = reset_requested || (value & 4) != 0;
      }
      return true;
    case kScr:
      system_control = value & (kSleepOnExit | 1U << 2 | kEventOnPending);
      return true;
    case kCcr:
      configuration = value & (kNonBaseThread | kUserSetPending | kUnalignedTrap | kZeroDivideTrap | kBusFaultIgnored |
                               kStackAlign);
      return true;
    case kShcsr:
      write_handler_control(value);
      return true;
    case kCfsr:
      fault_status &= ~value;
      return true;
    case kHfsr:
      hard_fault_status &= ~value;
      return true;
    case kDfsr:
      debug_status &= ~value;
      return true;
    case kMmfar:
      memory_fault_address = value;
      return true;
    case kBfar:
      bus_fault_address = value;
      return true;
    case kStir:
      if (nvic_.exists(kFirstInterrupt + (value & 0x1FF))) {
        nvic_.pend(kFirstInterrupt + (value & 0x1FF));
      }
      return true;
    default:
      return offset == kAfsr || offset == kCpacr || (offset >= kMpu && offset < kMpuEnd);
  }
}

bool SystemControl::read_interrupts(std::uint32_t offset, std::uint32_t& value) const {
  value = 0;
  const unsigned first = kFirstInterrupt + (offset & 0x7F) * 8;
  for (unsigned bit = 0; bit < 32; ++bit) {
    const unsigned number = first + bit;
    if (!nvic_.exists(number)) {
      continue;
    }
    const std::uint32_t bank = offset & ~0x7FU;
    const bool set = bank == kIser || bank == kIcer   ? nvic_.enabled(number)
                     : bank == kIspr || bank == kIcpr ? nvic_.pending(number)
                                                      : bank == kIabr && nvic_.active(number);
    value |= set ? 1U << bit : 0;
  }
  return true;
}

bool SystemControl::write_interrupts(std::uint32_t offset, std::uint32_t value) {
  const unsigned first = kFirstInterrupt + (offset & 0x7F) * 8;
  for (; value != 0; value &= value - 1) {
    const unsigned number = first + static_cast<unsigned>(std::countr_zero(value));
    if (!nvic_.exists(number)) {
      continue;
    }
    switch (offset & ~0x7FU) {
      case kIser:
        nvic_.enable(number, true);
        break;
      case kIcer:
        nvic_.enable(number, false);
        break;
      case kIspr:
        nvic_.pend(number);
        break;
      case kIcpr:
        nvic_.unpend(number);
        break;
      default:
        break;
    }
  }
  return true;
}

std::uint32_t SystemControl::interrupt_control() const {
  const unsigned pending = nvic_.first_pending();
  bool interrupt_pending = false;
  for (unsigned i = 0; i < nvic_.interrupts(); ++i) {
    interrupt_pending = interrupt_pending || nvic_.pending(kFirstInterrupt + i);
  }
  const bool only_one = nvic_.active_count() <= 1;
  return g_.ipsr | (only_one ? 1U << 11 : 0) | pending << 12 | (interrupt_pending ? 1U << 22 : 0) |
         (nvic_.pending(kSysTick) ? 1U << 26 : 0) | (nvic_.pending(kPendSv) ? 1U << 28 : 0) |
         (nvic_.pending(kNmi) ? 1U << 31 : 0);
}

void SystemControl::write_interrupt_control(std::uint32_t value) {
  const auto request = [&](unsigned set, unsigned clear, unsigned number) {
    if ((value >> set & 1) != 0) {
      nvic_.pend(number);
    } else if (clear != 0 && (value >> clear & 1) != 0) {
      nvic_.unpend(number);
    }
  };
  request(26, 25, kSysTick);
  request(28, 27, kPendSv);
  request(31, 0, kNmi);
}

std::uint32_t SystemControl::handler_control() const {
  std::uint32_t value = 0;
  for (const auto& [bit, exception] : kActiveBits) {
    value |= nvic_.active(exception) ? 1U << bit : 0;
  }
  for (const auto& [bit, exception] : kPendingBits) {
    value |= nvic_.pending(exception) ? 1U << bit : 0;
  }
  for (const auto& [bit, exception] : kEnabledBits) {
    value |= nvic_.enabled(exception) ? 1U << bit : 0;
  }
  return value;
}

void SystemControl::write_handler_control(std::uint32_t value) {
  for (const auto& [bit, exception] : kActiveBits) {
    nvic_.set_active(exception, (value >> bit & 1) != 0);
  }
  for (const auto& [bit, exception] : kPendingBits) {
    if ((value >> bit & 1) != 0) {
      nvic_.pend(exception);
    } else {
      nvic_.unpend(exception);
    }
  }
  for (const auto& [bit, exception] : kEnabledBits) {
    nvic_.enable(exception, (value >> bit & 1) != 0);
  }
}

}  // namespace ftlab::iss::arm
