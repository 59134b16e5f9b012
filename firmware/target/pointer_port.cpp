#include "firmware/target/pointer_port.h"

#include "firmware/target/clock.h"
#include "firmware/target/dma.h"

namespace ftlab::target {

void PointerPort::copy_from(std::uint32_t address, std::span<std::byte> into) {
  if (dma_ && into.size() >= kMinByDma)
    return Dma::move(base_ + address, reinterpret_cast<std::uintptr_t>(into.data()), into.size());
  for (std::size_t i = 0; i < into.size(); i += 2) {
    const std::uint16_t value = read16(address + static_cast<std::uint32_t>(i));
    into[i] = std::byte(value & 0xFFU);
    into[i + 1] = std::byte(value >> 8);
  }
}

void PointerPort::copy_to(std::uint32_t address, std::span<const std::byte> from) {
  if (dma_ && from.size() >= kMinByDma)
    return Dma::move(reinterpret_cast<std::uintptr_t>(from.data()), base_ + address, from.size());
  for (std::size_t i = 0; i < from.size(); i += 2) {
    const unsigned value = std::to_integer<unsigned>(from[i]) | (std::to_integer<unsigned>(from[i + 1]) << 8);
    write16(address + static_cast<std::uint32_t>(i), static_cast<std::uint16_t>(value));
  }
}

WaitResult PointerPort::wait_until(const WaitSpec& spec) {
  const std::uint64_t deadline = Clock::now_ns() + spec.deadline_ns;
  for (;;) {
    WaitResult result;
    {
      const InterruptsHeld held;
      result.value = read16(spec.address);
      result.met = (result.value & spec.mask) == spec.expected;
      if (!result.met && spec.style == WaitStyle::ready_interrupt) Clock::wait_for_interrupt();
    }
    if (result.met) return result;
    const std::uint64_t now = Clock::now_ns();
    if (now >= deadline) return result;
    if (spec.style == WaitStyle::spin) delay_ns(spec.poll_interval_ns);
    while (spec.style == WaitStyle::sleep && Clock::now_ns() - now < spec.poll_interval_ns) Clock::wait_for_interrupt();
  }
}

void PointerPort::delay_ns(std::uint64_t ns) {
  const std::uint64_t begun = Clock::now_ns();
  while (Clock::now_ns() - begun < ns) {
  }
}

}  // namespace ftlab::target
