// Raw bit errors of a page when it is loaded, and what the hardware ECC makes of them.
// Errors are a function of seed, segment, its cycles and page: the same ones come back at every load, and more join
// them as retention and reads add up. No stream is consumed, so the order of loads changes nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "common/units.h"
#include "hw/onenand/array/cell_array.h"
#include "hw/onenand/spec/spec.h"

namespace ftlab::hw {

/// What a load met, per sector: number of raw bit errors, 255 = not readable at all.
struct PageErrors {
  static constexpr std::uint8_t kLost = 255;
  std::array<std::uint8_t, flexonenand::kSectorsPerPage> bits{};
  bool any = false;

  [[nodiscard]] bool uncorrectable() const;
  /// The one-hot bits of a sector's ECC status.
  [[nodiscard]] std::uint16_t status_of(std::uint32_t sector) const;
};

class ErrorModel {
 public:
  /// Bits of a sector that the ECC covers, spare slot included.
  static constexpr std::uint32_t kSectorBits = (flexonenand::kSectorBytes + flexonenand::kSectorSpareBytes) * 8;

  ErrorModel(const OneNandSpec& spec, std::uint64_t seed);

  /// Raw bit error rate of a programmed page at `now`.
  [[nodiscard]] double rate(const Segment& segment, std::uint32_t page, bool slc, Ticks now) const;
  /// Errors a load at `now` meets; `recovery`: as the LSB recovery read.
  [[nodiscard]] PageErrors errors(const CellArray& cells, std::uint32_t segment, std::uint32_t page, bool slc,
                                  bool recovery, Ticks now) const;
  /// Flips the raw errors of the sectors in `sectors` (a bit each) in the data just read.
  void flip(const CellArray& cells, std::uint32_t segment, std::uint32_t page, const PageErrors& errors,
            std::uint32_t sectors, CellArray::Main main, CellArray::Spare spare) const;
  /// To be called whenever a segment's cycle count changed.
  void refresh(Segment& segment) const;

 private:
  [[nodiscard]] std::uint64_t key(std::uint32_t segment, std::uint32_t page, std::uint32_t cycles) const;
  /// Number of errors in the page: the Poisson quantile at a fixed uniform number.
  [[nodiscard]] static std::uint32_t quantile(double uniform, double expected);

  const OneNandSpec& spec_;
  std::uint64_t seed_;
  double single_wear_;         ///< wear term of one bit a cell over that of two
  double per_retention_tick_;  ///< 0: data keep for ever
};

}  // namespace ftlab::hw
