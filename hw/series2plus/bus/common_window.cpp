// Cycles of common memory go to the pair that has the address; bursts may pass several.
#include "hw/series2plus/bus/common_window.h"

#include <algorithm>

namespace ftlab::hw {

BusResult CommonWindow::read_cycle(Ticks now, std::uint32_t address, std::span<std::byte> into) {
  ComponentPair& pair = pairs_.at(address);
  if (into.size() == 2) {
    pair.read_word(now, pairs_.offset(address), into.first<2>());
  } else {
    into[0] = pair.read8(now, pairs_.offset(address));
  }
  return {cycle_, BusError::none};
}

BusResult CommonWindow::write_cycle(Ticks now, std::uint32_t address, std::span<const std::byte> from) {
  if (control_.blocks_writes()) {
    ignore(now, address, from.size());
  } else if (from.size() == 2) {
    pairs_.at(address).write_word(now, pairs_.offset(address), from.first<2>());
  } else {
    pairs_.at(address).write8(now, pairs_.offset(address), from[0]);
  }
  return {cycle_, BusError::none};
}

BusResult CommonWindow::read_burst(const Burst& burst, std::span<std::byte> into) {
  const Ticks cycle = std::max(burst.pace, cycle_);
  Ticks now = burst.now;
  std::uint32_t address = burst.address;
  for (std::span<std::byte> rest = into; !rest.empty();) {
    const std::uint32_t offset = pairs_.offset(address);
    const std::size_t n = burst.repeat ? rest.size() : std::min<std::size_t>(rest.size(), pairs_.bytes() - offset);
    pairs_.at(address).read_burst(now, offset, rest.first(n), burst.repeat, cycle);
    rest = rest.subspan(n);
    address += static_cast<std::uint32_t>(n);
    now += cycle * static_cast<std::int64_t>(n / 2);
  }
  return {cycle * static_cast<std::int64_t>(into.size() / 2), BusError::none};
}

BusResult CommonWindow::write_burst(const Burst& burst, std::span<const std::byte> from) {
  const Ticks cycle = std::max(burst.pace, cycle_);
  const BusResult result{cycle * static_cast<std::int64_t>(from.size() / 2), BusError::none};
  if (control_.blocks_writes()) {
    ignore(burst.now, burst.address, from.size());
    return result;
  }
  Ticks now = burst.now;
  std::uint32_t address = burst.address;
  while (!from.empty()) {
    const std::uint32_t offset = pairs_.offset(address);
    const std::size_t n = burst.repeat ? from.size() : std::min<std::size_t>(from.size(), pairs_.bytes() - offset);
    pairs_.at(address).write_burst(now, offset, from.first(n), burst.repeat, cycle);
    from = from.subspan(n);
    address += static_cast<std::uint32_t>(n);
    now += cycle * static_cast<std::int64_t>(n / 2);
  }
  return result;
}

void CommonWindow::ignore(Ticks now, std::uint32_t address, std::size_t bytes) {
  card_.accesses.write(DeviceOpKind::register_access, pairs_.index_of(address), address,
                       static_cast<std::uint32_t>(bytes), now);
}

}  // namespace ftlab::hw
