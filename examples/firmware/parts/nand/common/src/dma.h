/* The board's DMA: one transfer, during which the core sleeps. One of the addresses may be in a window of the part. */
#ifndef DMA_H
#define DMA_H

#include <stdint.h>

void dma_move(const volatile void* from, volatile void* to, uint32_t bytes);

#endif
