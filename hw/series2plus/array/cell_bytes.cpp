// Array content: programming is AND, erasing is FFh, and both can stop half way.
#include "hw/series2plus/array/cell_bytes.h"

#include <algorithm>
#include <cstring>

namespace ftlab::hw {
namespace {

/// Share of an erase spent on clearing all bits before the erase pulses.
constexpr double kPreconditioning = 1.0 / 3;

}  // namespace

CellBytes::CellBytes(std::uint32_t bytes, bool store_content)
    : bytes_(store_content ? bytes : 0), blank_(store_content ? bytes >> kChunkShift : 0, 1) {}

void CellBytes::read(std::uint32_t address, std::span<std::byte> into) const {
  if (into.empty()) return;  // no address to hand to memset
  if (bytes_.empty()) {
    std::memset(into.data(), 0xFF, into.size());
    return;
  }
  const auto size = static_cast<std::uint32_t>(into.size());
  for (std::uint32_t done = 0; done < size;) {
    const std::uint32_t at = address + done;
    const std::uint32_t run = std::min(size - done, kChunk - (at & (kChunk - 1)));
    if (blank(at >> kChunkShift)) {
      std::memset(into.data() + done, 0xFF, run);
    } else {
      std::memcpy(into.data() + done, bytes_.data() + at, run);
    }
    done += run;
  }
}

void CellBytes::program(Lanes lanes, std::uint32_t address, std::span<const std::byte> from) {
  if (bytes_.empty()) return;
  if (lanes == Lanes::both) return program_both(address, from);
  fill(address, static_cast<std::uint32_t>(from.size()));
  std::byte* to = bytes_.data() + address;
  for (std::size_t i = first_lane(lanes); i < from.size(); i += 2) to[i] &= from[i];
}

void CellBytes::program_both(std::uint32_t address, std::span<const std::byte> from) {
  while (!from.empty()) {
    const auto run = std::min(static_cast<std::uint32_t>(from.size()), kChunk - (address & (kChunk - 1)));
    std::byte* to = bytes_.data() + address;
    std::uint8_t& blank = blank_[address >> kChunkShift];
    if (blank != 0 && run == kChunk) {
      std::memcpy(to, from.data(), kChunk);
      blank = 0;
    } else {
      fill(address, run);
      for (std::uint32_t i = 0; i < run; ++i) to[i] &= from[i];
    }
    address += run;
    from = from.subspan(run);
  }
}

void CellBytes::fill(std::uint32_t address, std::uint32_t size) {
  if (size == 0) return;
  for (std::uint32_t chunk = address >> kChunkShift; chunk <= (address + size - 1) >> kChunkShift; ++chunk) {
    if (!blank(chunk)) continue;
    std::memset(bytes_.data() + (std::size_t{chunk} << kChunkShift), 0xFF, kChunk);
    blank_[chunk] = 0;
  }
}

void CellBytes::erase(Lanes lanes, std::uint32_t address, std::uint32_t length) {
  if (bytes_.empty()) return;
  const std::uint32_t size = length * 2;
  if (lanes == Lanes::both) {
    std::memset(blank_.data() + (address >> kChunkShift), 1, size >> kChunkShift);
    return;
  }
  fill(address, size);
  std::byte* to = bytes_.data() + address;
  for (std::size_t i = first_lane(lanes); i < size; i += 2) to[i] = kErased;
}

void CellBytes::prefetch(std::uint32_t address, std::uint32_t length) const {
  if (bytes_.empty()) return;
  constexpr std::uint32_t kLine = 64;
  for (std::uint32_t i = 0; i < length * 2; i += kLine) __builtin_prefetch(bytes_.data() + address + i, 1);
}

void CellBytes::program_some_bits(Lanes lanes, std::uint32_t address, std::span<const std::byte, 2> from,
                                  boost::random::taus88& random) {
  const std::byte spared_even{static_cast<unsigned char>(random())};
  const std::byte spared_odd{static_cast<unsigned char>(random())};
  const std::byte data[2] = {from[0] | spared_even, from[1] | spared_odd};
  program(lanes, address, data);
}

void CellBytes::erase_partly(Lanes lanes, std::uint32_t address, std::uint32_t length, double done,
                             boost::random::taus88& random) {
  if (bytes_.empty() || done <= 0) return;
  const std::size_t end = std::size_t{length} * 2;
  fill(address, length * 2);
  std::byte* to = bytes_.data() + address;
  const std::size_t step = lanes == Lanes::both ? 1 : 2;
  if (done < kPreconditioning) {
    const auto cleared = static_cast<std::size_t>(done / kPreconditioning * static_cast<double>(end));
    for (std::size_t i = first_lane(lanes); i < cleared; i += step) to[i] = std::byte{0};
    return;
  }
  const double erased = (done - kPreconditioning) / (1 - kPreconditioning);
  for (std::size_t i = first_lane(lanes); i < end; i += step) {
    // More and more bits read as erased: one random draw early, the union of several late.
    std::uint32_t bits = random();
    if (erased < 0.5) bits &= random();
    if (erased > 0.75) bits |= random();
    to[i] = std::byte{static_cast<unsigned char>(bits)};
  }
}

void CellBytes::poke(std::uint32_t address, std::span<const std::byte> from) {
  if (bytes_.empty() || from.empty()) return;
  fill(address, static_cast<std::uint32_t>(from.size()));
  std::memcpy(bytes_.data() + address, from.data(), from.size());
}

}  // namespace ftlab::hw
