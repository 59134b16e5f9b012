// The board the image is linked for: a core whose external bus carries the windows of the part in its socket, and a
// host queue.
// Constants only, for the simulated board as well. Addresses of on-chip memory are those of board.ld.
#pragma once

#include <cstdint>

namespace ftlab::target {

inline constexpr std::uint32_t kFlash = 0x00000000;
inline constexpr std::uint32_t kFlashBytes = 512 * 1024;
inline constexpr std::uint32_t kRam = 0x20000000;
inline constexpr std::uint32_t kRamBytes = 64 * 1024 * 1024;

/// Registers of the host queue (hw/regs/host_queue_regs.h), and the host's memory, where data of requests lie.
inline constexpr std::uint32_t kHostQueue = 0x40000000;
inline constexpr std::uint32_t kHostMemory = 0x70000000;
inline constexpr std::uint32_t kHostMemoryBytes = 16 * 1024 * 1024;

/// UART for text of the firmware (hw/regs/uart_regs.h).
inline constexpr std::uint32_t kUart = 0x40001000;

/// DMA (hw/regs/dma_regs.h).
inline constexpr std::uint32_t kDma = 0x40002000;

/// Trace unit (hw/regs/trace_regs.h).
inline constexpr std::uint32_t kTrace = 0x40003000;

/// Study values (hw/regs/study_values_regs.h).
inline constexpr std::uint32_t kStudyValues = 0x40004000;

/// Windows on the external bus, 64 MiB each, 16 bits wide: two of a card or of a NAND array's controller, or one of a
/// Flex-OneNAND.
inline constexpr std::uint32_t kCommonWindow = 0x60000000;
inline constexpr std::uint32_t kAttributeWindow = 0x68000000;
inline constexpr std::uint32_t kDataWindow = kAttributeWindow;
inline constexpr std::uint32_t kOneNandWindow = kCommonWindow;
inline constexpr std::uint32_t kWindowBytes = 64 * 1024 * 1024;

inline constexpr std::uint32_t kTickHz = 1'000;  ///< system timer

/// External interrupts, all by a rising edge: the part's ready line, and those of the host queue and of the DMA.
inline constexpr std::uint32_t kReadyInterrupt = 0;
inline constexpr std::uint32_t kQueueInterrupt = 1;
inline constexpr std::uint32_t kDmaInterrupt = 2;

}  // namespace ftlab::target
