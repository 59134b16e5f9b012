// Pages whose sectors are arithmetic sequences of 64-bit words: erased and constant data, and what the simulated host
// makes up. Two words a sector say all of it, so that such pages cost neither memory nor the time to fetch it.
// Knows bytes alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "common/word_sequence.h"
#include "hw/regs/onenand_regs.h"

namespace ftlab::hw {

class RegularPage {
 public:
  static constexpr std::size_t kSectorBytes = flexonenand::kSectorBytes;

  RegularPage() = default;
  /// All words alike.
  explicit RegularPage(std::uint64_t word) { sectors_.fill({.first = word}); }

  /// False: the page is irregular, and this is nothing.
  bool recognise(std::span<const std::byte, flexonenand::kPageBytes> bytes) {
    for (std::size_t i = 0; i < sectors_.size(); ++i)
      if (!recognise_words(&bytes[i * kSectorBytes], kSectorBytes, sectors_[i])) return false;
    return true;
  }
  /// `into`: whole sectors from byte `offset` on, a multiple of theirs.
  void expand(std::size_t offset, std::span<std::byte> into) const {
    const WordSequence* sector = &sectors_[offset / kSectorBytes];
    for (std::size_t at = 0; at < into.size(); at += kSectorBytes) write_words(*sector++, &into[at], kSectorBytes);
  }

 private:
  std::array<WordSequence, flexonenand::kSectorsPerPage> sectors_{};
};

}  // namespace ftlab::hw
