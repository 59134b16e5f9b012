#include "firmware/target/dma.h"

#include "firmware/target/board.h"
#include "firmware/target/clock.h"
#include "hw/regs/dma_regs.h"

namespace ftlab::target {
namespace {

namespace dma_reg = hw::dma::reg;

volatile std::uint32_t& dma_register(std::uint32_t offset) {
  return *reinterpret_cast<volatile std::uint32_t*>(std::uintptr_t{kDma} + offset);
}

}  // namespace

void Dma::move(std::uintptr_t from, std::uintptr_t to, std::size_t bytes) {
  dma_register(dma_reg::kFrom) = static_cast<std::uint32_t>(from);
  dma_register(dma_reg::kTo) = static_cast<std::uint32_t>(to);
  dma_register(dma_reg::kBytes) = static_cast<std::uint32_t>(bytes);
  dma_register(dma_reg::kState) = hw::dma::kBusy;
  for (;;) {
    const InterruptsHeld held;
    if (dma_register(dma_reg::kState) == 0) return;
    Clock::wait_for_interrupt();
  }
}

}  // namespace ftlab::target
