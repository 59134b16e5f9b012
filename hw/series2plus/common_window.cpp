// Cycles of common memory go to the pair that has the address; bursts may pass several.
#include "hw/series2plus/common_window.h"

#include <algorithm>

namespace ftlab::hw {

BusResult CommonWindow::read_cycles(const BusAccess& access, std::span<std::byte> into) {
  ComponentPair& pair = pairs_.at(access.address);
  const std::uint32_t offset = pairs_.offset(access.address);
  if (into.size() == 2) {
    pair.read_word(access.now, offset, into.data());
    return {cycle_, BusError::none};
  }
  if (into.size() == 1) {
    into[0] = pair.read8(access.now, offset);
    return {cycle_, BusError::none};
  }
  const Ticks cycle = std::max(access.pace, cycle_);
  read_burst(access, into, cycle);
  return {cycle * static_cast<std::int64_t>(into.size() / 2), BusError::none};
}

BusResult CommonWindow::write_cycles(const BusAccess& access, std::span<const std::byte> from) {
  const Ticks cycle = std::max(access.pace, cycle_);
  const auto cycles = static_cast<std::int64_t>((from.size() + 1) / 2);
  if (control_.blocks_writes()) {
    card_.accesses.write(DeviceOpKind::register_access, pairs_.index_of(access.address), access.address,
                         static_cast<std::uint32_t>(from.size()), access.now);
    return {cycle * cycles, BusError::none};
  }
  ComponentPair& pair = pairs_.at(access.address);
  const std::uint32_t offset = pairs_.offset(access.address);
  if (from.size() == 2) {
    pair.write_word(access.now, offset, from.data());
  } else if (from.size() == 1) {
    pair.write8(access.now, offset, from[0]);
  } else {
    write_burst(access, from, cycle);
  }
  return {cycle * cycles, BusError::none};
}

void CommonWindow::read_burst(BusAccess access, std::span<std::byte> into, Ticks cycle) {
  while (!into.empty()) {
    const std::uint32_t offset = pairs_.offset(access.address);
    const std::size_t n = access.repeat ? into.size() : std::min<std::size_t>(into.size(), pairs_.bytes() - offset);
    pairs_.at(access.address).read_burst(access.now, offset, into.first(n), access.repeat, cycle);
    into = into.subspan(n);
    access.address += static_cast<std::uint32_t>(n);
    access.now += cycle * static_cast<std::int64_t>(n / 2);
  }
}

void CommonWindow::write_burst(BusAccess access, std::span<const std::byte> from, Ticks cycle) {
  while (!from.empty()) {
    const std::uint32_t offset = pairs_.offset(access.address);
    const std::size_t n = access.repeat ? from.size() : std::min<std::size_t>(from.size(), pairs_.bytes() - offset);
    pairs_.at(access.address).write_burst(access.now, offset, from.first(n), access.repeat, cycle);
    from = from.subspan(n);
    access.address += static_cast<std::uint32_t>(n);
    access.now += cycle * static_cast<std::int64_t>(n / 2);
  }
}

}  // namespace ftlab::hw
