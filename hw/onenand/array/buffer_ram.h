// Buffer RAM of one die: the page that loads fill and programs take, and the boot page.
#pragma once

#include <array>
#include <cstddef>

#include "hw/onenand/array/data_ram.h"
#include "hw/regs/onenand_regs.h"

namespace ftlab::hw {

struct PageBytes {
  std::array<std::byte, flexonenand::kPageBytes> main{};
  std::array<std::byte, flexonenand::kSpareBytes> spare{};
};

struct BufferRam {
  explicit BufferRam(PagePool& pool) : main(pool) {}

  DataRam main;
  std::array<std::byte, flexonenand::kSpareBytes> spare{};
  std::array<std::byte, flexonenand::area::kBootRamBytes> boot{};
  std::array<std::byte, flexonenand::area::kBootSpareBytes> boot_spare{};
};

}  // namespace ftlab::hw
