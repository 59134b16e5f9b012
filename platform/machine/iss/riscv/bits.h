// Fields of instruction codes.
#pragma once

#include <cstdint>

namespace ftlab::iss::riscv {

/// Bits high to low of the code, at the lower end.
constexpr std::uint32_t bits(std::uint32_t code, unsigned high, unsigned low) {
  return code >> low & ((1U << (high - low + 1)) - 1);
}
constexpr std::uint32_t bit(std::uint32_t code, unsigned at) { return code >> at & 1U; }

constexpr std::uint32_t sign_extend(std::uint32_t value, unsigned width) {
  const std::uint32_t sign = 1U << (width - 1);
  return (value ^ sign) - sign;
}

}  // namespace ftlab::iss::riscv
