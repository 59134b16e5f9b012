// The two page buffers of a component pair, interleaved as on the bus. Volatile; garbage at power-up.
#pragma once

#include <algorithm>
#include <array>
#include <boost/random/taus88.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hw/regs/series2plus_regs.h"

namespace ftlab::hw {

class PageBuffers {
 public:
  static constexpr std::uint32_t kBytes = series2plus::kPageBufferBytes;

  /// Byte of one lane; only the low eight bits of the component address count.
  std::byte& at(std::uint32_t buffer, std::uint32_t component_address, std::uint32_t lane) {
    return bytes_[buffer][(component_address % kBytes) * 2 + lane];
  }
  [[nodiscard]] std::byte at(std::uint32_t buffer, std::uint32_t component_address, std::uint32_t lane) const {
    return bytes_[buffer][(component_address % kBytes) * 2 + lane];
  }
  /// Loads words of both lanes at ascending addresses, wrapping as the address counter does.
  void load(std::uint32_t buffer, std::uint32_t component_address, const std::byte* from, std::uint32_t words) {
    while (words > 0) {
      const std::uint32_t position = component_address % kBytes;
      const std::uint32_t run = std::min(words, kBytes - position);
      std::memcpy(bytes_[buffer].data() + std::size_t{position} * 2, from, std::size_t{run} * 2);
      component_address += run;
      from += std::size_t{run} * 2;
      words -= run;
    }
  }
  [[nodiscard]] const std::byte* pair_at(std::uint32_t buffer, std::uint32_t component_address) const {
    return bytes_[buffer].data() + std::size_t{component_address % kBytes} * 2;
  }
  void scramble(boost::random::taus88& random) {
    for (auto& buffer : bytes_) {
      for (std::byte& byte : buffer) byte = std::byte{static_cast<unsigned char>(random())};
    }
  }

 private:
  std::array<std::array<std::byte, std::size_t{kBytes} * 2>, 2> bytes_{};
};

}  // namespace ftlab::hw
