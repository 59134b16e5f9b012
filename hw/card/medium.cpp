// Array content: programming is AND, erasing is FFh, and both can be cut short.
#include "hw/card/medium.h"

namespace ftlab::hw {
namespace {

/// Share of an erase spent on clearing all bits before the erase pulses.
constexpr double kPreconditioning = 1.0 / 3;

void clear_bits(std::byte* to, const std::byte* from, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) to[i] &= from[i];
}

}  // namespace

Medium::Medium(std::uint32_t bytes, bool store_content) : bytes_(store_content ? bytes : 0, kErased) {}

void Medium::program(Lanes lanes, std::uint32_t address, const std::byte* from, std::uint32_t length) {
  if (bytes_.empty()) return;
  std::byte* to = bytes_.data() + address;
  if (lanes == Lanes::both) {
    clear_bits(to, from, std::size_t{length} * 2);
    return;
  }
  for (std::size_t i = first_lane(lanes); i < std::size_t{length} * 2; i += 2) to[i] &= from[i];
}

void Medium::erase(Lanes lanes, std::uint32_t address, std::uint32_t length) {
  if (bytes_.empty()) return;
  std::byte* to = bytes_.data() + address;
  if (lanes == Lanes::both) {
    std::memset(to, 0xFF, std::size_t{length} * 2);
    return;
  }
  for (std::size_t i = first_lane(lanes); i < std::size_t{length} * 2; i += 2) to[i] = kErased;
}

void Medium::prefetch(std::uint32_t address, std::uint32_t length) const {
  if (bytes_.empty()) return;
  constexpr std::uint32_t kLine = 64;
  for (std::uint32_t i = 0; i < length * 2; i += kLine) __builtin_prefetch(bytes_.data() + address + i, 1);
}

void Medium::program_some_bits(Lanes lanes, std::uint32_t address, const std::byte* from,
                               boost::random::taus88& random) {
  const std::byte spared_even{static_cast<unsigned char>(random())};
  const std::byte spared_odd{static_cast<unsigned char>(random())};
  const std::byte data[2] = {from[0] | spared_even, from[1] | spared_odd};
  program(lanes, address, data, 1);
}

void Medium::erase_partly(Lanes lanes, std::uint32_t address, std::uint32_t length, double done,
                          boost::random::taus88& random) {
  if (bytes_.empty() || done <= 0) return;
  std::byte* to = bytes_.data() + address;
  const std::size_t step = lanes == Lanes::both ? 1 : 2;
  const auto end = std::size_t{length} * 2;
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

void Medium::poke(std::uint32_t address, std::span<const std::byte> from) {
  if (bytes_.empty() || from.empty()) return;
  std::memcpy(bytes_.data() + address, from.data(), from.size());
}

}  // namespace ftlab::hw
