#include "platform/machine/core/dma.h"

#include <fmt/format.h>

#include "hw/regs/dma_regs.h"

namespace ftlab::platform {

namespace dma_reg = hw::dma::reg;

Dma::Dma(sc_core::sc_module_name name, const CoreClock& clock, Mover& mover)
    : RegisterTarget(name, hw::dma::kWindowBytes), clock_(clock), mover_(mover) {}

void Dma::reset() {
  transfer_ = {};
  busy_until_ = 0;
  edge_ = CoreClock::kNeverCycle;
  misuse_.clear();
}

bool Dma::read_register(std::uint32_t offset, Ticks now, std::uint32_t& value) const {
  switch (offset) {
    case dma_reg::kFrom:
      value = transfer_.from;
      return true;
    case dma_reg::kTo:
      value = transfer_.to;
      return true;
    case dma_reg::kBytes:
      value = transfer_.bytes;
      return true;
    case dma_reg::kState:
      value = clock_.first_from(now) < busy_until_ ? hw::dma::kBusy : 0;
      return true;
    default:
      return false;
  }
}

Ticks Dma::steady_until(std::uint32_t offset, Ticks now) const {
  const bool busy = offset == dma_reg::kState && clock_.first_from(now) < busy_until_;
  return busy ? clock_.at(busy_until_) : kNever;
}

bool Dma::write_register(std::uint32_t offset, Ticks now, std::uint32_t value) {
  if (offset > dma_reg::kState) return false;
  const std::uint64_t cycle = clock_.first_from(now);
  if (cycle < busy_until_) {
    misuse_ = fmt::format("writes 0x{:x} to register 0x{:x} of the DMA while a transfer is under way", value, offset);
    return true;
  }
  if (offset == dma_reg::kFrom) transfer_.from = value;
  if (offset == dma_reg::kTo) transfer_.to = value;
  if (offset == dma_reg::kBytes) transfer_.bytes = value;
  if (offset == dma_reg::kState && (value & hw::dma::kBusy) != 0) begin(cycle);
  return true;
}

void Dma::begin(std::uint64_t cycle) {
  std::uint64_t cycles = 0;
  std::string why;
  if (!mover_.move(transfer_, cycles, why)) {
    misuse_ = fmt::format("has the DMA move {} bytes from 0x{:08x} to 0x{:08x}: {}", transfer_.bytes, transfer_.from,
                          transfer_.to, why);
    return;
  }
  busy_until_ = edge_ = cycle + cycles;
}

}  // namespace ftlab::platform
