// The two page buffers of a component pair, interleaved as on the bus. Volatile; garbage at power-up.
#pragma once

#include <algorithm>
#include <array>
#include <boost/random/taus88.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "hw/regs/series2plus_regs.h"
#include "hw/series2plus/array/lanes.h"

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
  /// Loads words at ascending addresses, wrapping as the address counter does; of each word the given lanes.
  void load(std::uint32_t buffer, std::uint32_t component_address, std::span<const std::byte> from, Lanes lanes) {
    if (lanes != Lanes::both) {
      for (std::size_t i = first_lane(lanes); i < from.size(); i += 2) {
        at(buffer, component_address++, first_lane(lanes)) = from[i];
      }
      return;
    }
    while (!from.empty()) {
      const std::uint32_t position = component_address % kBytes;
      const std::size_t run = std::min(from.size(), std::size_t{kBytes - position} * 2);
      std::memcpy(bytes_[buffer].data() + std::size_t{position} * 2, from.data(), run);
      component_address += static_cast<std::uint32_t>(run / 2);
      from = from.subspan(run);
    }
  }
  /// Words of both lanes up to the end of the buffer, at most so many.
  [[nodiscard]] std::span<const std::byte> words(std::uint32_t buffer, std::uint32_t component_address,
                                                 std::uint32_t most) const {
    const std::uint32_t position = component_address % kBytes;
    return std::span(bytes_[buffer])
        .subspan(std::size_t{position} * 2, std::size_t{std::min(most, kBytes - position)} * 2);
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
