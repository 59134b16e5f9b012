#include "dma.h"

#include "board.h"
#include "core.h"
#include "regs/dma_regs.h"

#define REGISTER(offset) (*(volatile uint32_t*)(DMA + (offset)))

void dma_move(const volatile void* from, volatile void* to, uint32_t bytes) {
  REGISTER(DMA_REG_FROM) = (uint32_t)(uintptr_t)from;
  REGISTER(DMA_REG_TO) = (uint32_t)(uintptr_t)to;
  REGISTER(DMA_REG_BYTES) = bytes;
  REGISTER(DMA_REG_STATE) = DMA_BUSY;
  /* Interrupts that are disabled still wake the core, so that none is missed between the look and the sleep. */
  core_disable_interrupts();
  while (REGISTER(DMA_REG_STATE) != 0) {
    core_sleep();
    core_enable_interrupts();
    core_disable_interrupts();
  }
  core_enable_interrupts();
}
