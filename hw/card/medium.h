// The bytes of the array, interleaved as on the 16-bit bus: even card addresses are the even component's.
// Programming only clears bits. Knows nothing of commands, time or wear; without content it stores nothing.
#pragma once

#include <boost/random/taus88.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "hw/card/lanes.h"

namespace ftlab::hw {

class Medium {
 public:
  static constexpr std::byte kErased{0xFF};

  Medium(std::uint32_t bytes, bool store_content);

  [[nodiscard]] bool stores_content() const { return !bytes_.empty(); }

  void read(std::uint32_t address, std::span<std::byte> into) const {
    if (bytes_.empty()) {
      std::memset(into.data(), 0xFF, into.size());
    } else {
      std::memcpy(into.data(), bytes_.data() + address, into.size());
    }
  }

  /// Clears bits. `address` and `from` are those of the even lane; `length` counts bytes of one component.
  void program(Lanes lanes, std::uint32_t address, const std::byte* from, std::uint32_t length);
  void erase(Lanes lanes, std::uint32_t address, std::uint32_t length);
  /// Asks the processor to fetch what program() will touch.
  void prefetch(std::uint32_t address, std::uint32_t length) const;

  /// Of the bits that one byte per lane should lose, some are cleared: a program was cut on it.
  void program_some_bits(Lanes lanes, std::uint32_t address, const std::byte* from, boost::random::taus88& random);
  /// The erase was cut: first all bits are cleared in address order, then erased bit by bit.
  void erase_partly(Lanes lanes, std::uint32_t address, std::uint32_t length, double done,
                    boost::random::taus88& random);

  /// Inspection.
  void poke(std::uint32_t address, std::span<const std::byte> from);
  [[nodiscard]] std::span<std::byte> bytes() { return bytes_; }
  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

}  // namespace ftlab::hw
