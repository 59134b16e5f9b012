// Bus cycles of both windows: legality of the access, decoding, attribute memory.
#include <algorithm>

#include "hw/series2plus/card_core_impl.h"

namespace ftlab::hw {

namespace cmr = series2plus::cmr;

BusResult CardCore::Impl::access(Window window, std::uint32_t address, std::size_t size, bool repeat,
                                 Ticks cycle) const {
  if (size == 0 || (size > 1 && ((address | size) & 1) != 0)) return {Ticks::zero(), BusError::misaligned};
  const std::uint64_t limit = window == Window::common ? card.spec.capacity_bytes() : kAttributeBytes;
  const std::uint64_t reach = repeat && size > 1 ? 2 : size;
  if (address + reach > limit) return {Ticks::zero(), BusError::out_of_range};
  return {cycle * (size == 1 ? 1 : static_cast<std::int64_t>(size / 2)), BusError::none};
}

void CardCore::Impl::read_common(Ticks now, std::uint32_t address, std::span<std::byte> into, bool repeat,
                                 Ticks cycle) {
  const std::uint32_t in_pair = (1U << pair_shift) - 1;
  if (into.size() == 1) {
    into[0] = pair_at(address).read8(now, address & in_pair);
    return;
  }
  while (!into.empty()) {
    const std::uint32_t offset = address & in_pair;
    const std::size_t n = repeat ? into.size() : std::min<std::size_t>(into.size(), in_pair + 1 - offset);
    pair_at(address).read_burst(now, offset, into.first(n), repeat, cycle);
    into = into.subspan(n);
    address += static_cast<std::uint32_t>(n);
    now += cycle * static_cast<std::int64_t>(n / 2);
  }
}

void CardCore::Impl::write_common(Ticks now, std::uint32_t address, std::span<const std::byte> from, bool repeat,
                                  Ticks cycle) {
  if (writes_blocked()) {
    card.accesses.write(DeviceOpKind::register_access, address >> pair_shift, address,
                        static_cast<std::uint32_t>(from.size()), now);
    return;
  }
  const std::uint32_t in_pair = (1U << pair_shift) - 1;
  if (from.size() == 1) return pair_at(address).write8(now, address & in_pair, from[0]);
  while (!from.empty()) {
    const std::uint32_t offset = address & in_pair;
    const std::size_t n = repeat ? from.size() : std::min<std::size_t>(from.size(), in_pair + 1 - offset);
    pair_at(address).write_burst(now, offset, from.first(n), repeat, cycle);
    from = from.subspan(n);
    address += static_cast<std::uint32_t>(n);
    now += cycle * static_cast<std::int64_t>(n / 2);
  }
}

void CardCore::Impl::read_attribute(Ticks now, std::uint32_t address, std::span<std::byte> into, bool repeat,
                                    Ticks cycle) {
  for (std::size_t i = 0; i < into.size(); ++i) {
    const Ticks t = now + cycle * static_cast<std::int64_t>(i / 2);
    const auto at = static_cast<std::uint32_t>(repeat ? address + i % 2 : address + i);
    into[i] = std::byte{0xFF};
    if ((at & 1) != 0 || !powered) continue;
    settle(t);
    if (at >= cmr::kConfigurationOption) {
      into[i] = std::byte{read_register(t, at)};
    } else if (at / 2 < cis.size()) {
      into[i] = std::byte{cis[at / 2]};
    }
  }
  card.accesses.attribute(address, static_cast<std::uint32_t>(into.size()), now);
}

void CardCore::Impl::write_attribute(Ticks now, std::uint32_t address, std::span<const std::byte> from, bool repeat,
                                     Ticks cycle) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    const Ticks t = now + cycle * static_cast<std::int64_t>(i / 2) + card.spec.timing.attribute_cycle;
    const auto at = static_cast<std::uint32_t>(repeat ? address + i % 2 : address + i);
    // The CIS is hard-wired, and while RESET is asserted nothing is latched.
    if ((at & 1) != 0 || at < cmr::kConfigurationOption || !powered || reset_asserted) continue;
    settle(t);
    write_register(t, at, std::to_integer<std::uint8_t>(from[i]));
  }
  card.accesses.attribute(address, static_cast<std::uint32_t>(from.size()), now);
}

BusResult CardCore::read(Window window, Ticks now, std::uint32_t address, std::span<std::byte> into, bool repeat,
                         Ticks pace) {
  if (impl_->is_plain_word(window, address, into.size())) {
    impl_->pair_at(address).read_word(now, impl_->offset_in_pair(address), into.data());
    return {impl_->card.spec.timing.common_cycle, BusError::none};
  }
  const Ticks cycle = impl_->cycle_of(window, into.size() > 2 ? pace : Ticks::zero());
  const BusResult result = impl_->access(window, address, into.size(), repeat, cycle);
  if (result.error != BusError::none) return result;
  if (window == Window::common) {
    impl_->read_common(now, address, into, repeat, cycle);
  } else {
    impl_->read_attribute(now, address, into, repeat, cycle);
  }
  return result;
}

BusResult CardCore::write(Window window, Ticks now, std::uint32_t address, std::span<const std::byte> from, bool repeat,
                          Ticks pace) {
  if (impl_->is_plain_word(window, address, from.size()) && !impl_->writes_blocked()) {
    impl_->pair_at(address).write_word(now, impl_->offset_in_pair(address), from.data());
    return {impl_->card.spec.timing.common_cycle, BusError::none};
  }
  const Ticks cycle = impl_->cycle_of(window, from.size() > 2 ? pace : Ticks::zero());
  const BusResult result = impl_->access(window, address, from.size(), repeat, cycle);
  if (result.error != BusError::none) return result;
  if (window == Window::common) {
    impl_->write_common(now, address, from, repeat, cycle);
  } else {
    impl_->write_attribute(now, address, from, repeat, cycle);
  }
  return result;
}

}  // namespace ftlab::hw
