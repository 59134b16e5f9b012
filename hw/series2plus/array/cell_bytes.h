// The bytes of the array, interleaved as on the 16-bit bus: even card addresses are the even component's.
// Programming only clears bits. Knows nothing of commands, time or wear; without content it stores nothing.
//
// An erase only marks its chunks blank; a blank chunk is filled when it is first programmed. So erasing 128 KiB costs
// 32 bytes of marks, and programming a whole chunk is a copy that need not read what was there.
#pragma once

#include <boost/random/taus88.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hw/series2plus/array/lanes.h"

namespace ftlab::hw {

class CellBytes {
 public:
  static constexpr std::byte kErased{0xFF};

  /// `bytes`: a multiple of 4 KiB. All erased.
  CellBytes(std::uint32_t bytes, bool store_content);

  [[nodiscard]] bool stores_content() const { return !bytes_.empty(); }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }

  void read(std::uint32_t address, std::span<std::byte> into) const;
  /// Clears bits. `from` holds the bytes of both lanes, beginning with the even one's at `address`.
  void program(Lanes lanes, std::uint32_t address, std::span<const std::byte> from);
  /// `address` and `length` of whole chunks.
  void erase(Lanes lanes, std::uint32_t address, std::uint32_t length);
  /// Asks the processor to fetch what program() will touch.
  void prefetch(std::uint32_t address, std::uint32_t length) const;

  /// Of the bits that one byte per lane should lose, some are cleared: a torn program.
  void program_some_bits(Lanes lanes, std::uint32_t address, std::span<const std::byte, 2> from,
                         boost::random::taus88& random);
  /// A torn erase: first all bits are cleared in address order, then erased bit by bit.
  void erase_partly(Lanes lanes, std::uint32_t address, std::uint32_t length, double done,
                    boost::random::taus88& random);

  /// Inspection: sets bytes, whatever was there.
  void poke(std::uint32_t address, std::span<const std::byte> from);

 private:
  static constexpr std::uint32_t kChunkShift = 9;
  static constexpr std::uint32_t kChunk = 1U << kChunkShift;

  [[nodiscard]] bool blank(std::uint32_t chunk) const { return blank_[chunk] != 0; }
  void program_both(std::uint32_t address, std::span<const std::byte> from);
  /// Gives the chunks that [address, address + size) touches their bytes.
  void fill(std::uint32_t address, std::uint32_t size);

  std::vector<std::byte> bytes_;
  std::vector<std::uint8_t> blank_;  ///< per chunk; a byte each, as one erase sets hundreds at once
};

}  // namespace ftlab::hw
