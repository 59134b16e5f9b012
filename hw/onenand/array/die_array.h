// What the work of one die does to cells and buffer RAM, when it ends or is broken off.
// Owns the die's buffer RAM and page buffer. Knows no command, no interrupt and no time passing.
#pragma once

#include <array>
#include <cstdint>

#include "hw/onenand/array/buffer_ram.h"
#include "hw/onenand/commands/status.h"
#include "hw/onenand/commands/work.h"
#include "hw/onenand/context.h"

namespace ftlab::hw {

class DieArray {
 public:
  DieArray(OneNandContext& device, std::uint32_t die);

  [[nodiscard]] BufferRam& ram() { return ram_; }
  [[nodiscard]] std::uint32_t first_segment() const { return first_segment_; }

  /// The page into DataRAM, as ECC lets it through; its results into the status.
  void load(const Work& work, DieStatus& status);
  /// DataRAM to page buffer: what a program begins with.
  void take_page(const Work& work);
  /// The page buffer into the cells; a program that fails leaves noise and wears the segment out.
  void program(const Work& work);
  void erase(const Work& work);
  /// The work was broken off after it had worked for `worked`.
  void leave_half_done(const Work& work, Ticks worked);
  void fill_boot_ram();
  /// What DataRAM holds when the supply comes up.
  void scramble_ram();

  /// The partition word as a load with ECC off at `t` brings it, errors and noise of a torn erase included.
  [[nodiscard]] std::uint16_t loaded_partition_word(Ticks t) const;
  /// As programmed.
  [[nodiscard]] std::uint16_t stored_partition_word() const;
  [[nodiscard]] std::uint16_t stored_otp_lock() const;

 private:
  /// A page on its way into the cells.
  struct PageBuffer {
    PagePool::Page main;  ///< none without content
    std::array<std::byte, flexonenand::kSpareBytes> spare{};
  };

  void store_page(const Work& work, std::uint8_t flags);
  void spoil_partner(const Work& work);
  /// Sectors whose raw errors reach DataRAM, a bit each; what ECC says of them goes into the status.
  std::uint32_t check_sectors(const Work& work, const PageErrors& errors, DieStatus& status) const;
  [[nodiscard]] std::uint16_t stored_word(std::uint32_t segment, std::uint32_t page, std::uint32_t offset) const;

  OneNandContext& device_;
  std::uint32_t die_;
  std::uint32_t first_segment_;
  BufferRam ram_;
  PageBuffer page_buffer_;
};

}  // namespace ftlab::hw
