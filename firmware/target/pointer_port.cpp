#include "firmware/target/pointer_port.h"

#include "firmware/target/clock.h"

namespace ftlab::target {

void PointerPort::copy_from(std::uint32_t address, std::span<std::byte> into) {
  for (std::size_t i = 0; i < into.size(); i += 2) {
    const std::uint16_t value = read16(address + static_cast<std::uint32_t>(i));
    into[i] = std::byte(value & 0xFFU);
    into[i + 1] = std::byte(value >> 8);
  }
}

void PointerPort::copy_to(std::uint32_t address, std::span<const std::byte> from) {
  for (std::size_t i = 0; i < from.size(); i += 2) {
    const unsigned value = std::to_integer<unsigned>(from[i]) | (std::to_integer<unsigned>(from[i + 1]) << 8);
    write16(address + static_cast<std::uint32_t>(i), static_cast<std::uint16_t>(value));
  }
}

WaitResult PointerPort::wait_until(const WaitSpec& spec) {
  const std::uint64_t deadline = Clock::now_ns() + spec.deadline_ns;
  for (;;) {
    const std::uint16_t value = read16(spec.address);
    if ((value & spec.mask) == spec.expected) return {.met = true, .value = value};
    const std::uint64_t now = Clock::now_ns();
    if (now >= deadline) return {.met = false, .value = value};
    if (spec.style == WaitStyle::spin) {
      delay_ns(spec.poll_interval_ns);
    } else if (spec.style == WaitStyle::ready_interrupt) {
      Clock::wait_for_interrupt();
    } else {
      while (Clock::now_ns() - now < spec.poll_interval_ns) Clock::wait_for_interrupt();
    }
  }
}

void PointerPort::delay_ns(std::uint64_t ns) {
  const std::uint64_t begun = Clock::now_ns();
  while (Clock::now_ns() - begun < ns) {
  }
}

}  // namespace ftlab::target
