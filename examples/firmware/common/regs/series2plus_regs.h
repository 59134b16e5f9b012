/* Made of ftlab's hw/regs/series2plus_regs.h by tests/lint/register_headers.py, which is what to change. */
#ifndef FTLAB_SERIES2PLUS_REGS_H
#define FTLAB_SERIES2PLUS_REGS_H

#include <stdint.h>

/* Register map of the Intel Series 2+ card and command set of its 28F016SA components. Common-memory commands are
   one byte per component; a 16-bit cycle carries one for each component of the pair (doubled() below). Status bits
   of the two components come back in the low and high byte of a 16-bit read. */

/* The same byte on both lanes of the pair. */

#define SERIES2PLUS_COMMAND_READ_ARRAY 0xFFu
#define SERIES2PLUS_COMMAND_READ_IDENTIFIER 0x90u
#define SERIES2PLUS_COMMAND_READ_CSR 0x70u
#define SERIES2PLUS_COMMAND_READ_EXTENDED_STATUS 0x71u /* GSR and BSR at the offsets of `offset` */
#define SERIES2PLUS_COMMAND_CLEAR_STATUS 0x50u
#define SERIES2PLUS_COMMAND_PROGRAM 0x40u /* then data at the address */
#define SERIES2PLUS_COMMAND_PROGRAM_ALTERNATE 0x10u /* same as SERIES2PLUS_COMMAND_PROGRAM */
#define SERIES2PLUS_COMMAND_TWO_BYTE_PROGRAM 0xFBu /* then two data cycles */
#define SERIES2PLUS_COMMAND_ERASE 0x20u /* then SERIES2PLUS_COMMAND_CONFIRM in the block */
#define SERIES2PLUS_COMMAND_ERASE_ALL_UNLOCKED 0xA7u /* then SERIES2PLUS_COMMAND_CONFIRM */
#define SERIES2PLUS_COMMAND_CONFIRM 0xD0u
#define SERIES2PLUS_COMMAND_RESUME 0xD0u /* only while suspended */
#define SERIES2PLUS_COMMAND_SUSPEND 0xB0u
#define SERIES2PLUS_COMMAND_SWAP_PAGE_BUFFER 0x72u
#define SERIES2PLUS_COMMAND_SINGLE_LOAD 0x74u /* then data; low address bits pick the byte */
#define SERIES2PLUS_COMMAND_READ_PAGE_BUFFER 0x75u /* following reads come from the page buffer */
#define SERIES2PLUS_COMMAND_SEQUENTIAL_LOAD 0xE0u /* then two count cycles (N-1), then N data cycles */
#define SERIES2PLUS_COMMAND_PAGE_BUFFER_WRITE 0x0Cu /* then two count cycles (N-1); the last names the address */
#define SERIES2PLUS_COMMAND_LOCK_BLOCK 0x77u /* then SERIES2PLUS_COMMAND_CONFIRM in the block */
#define SERIES2PLUS_COMMAND_UPLOAD_LOCK_BITS 0x97u /* then SERIES2PLUS_COMMAND_CONFIRM */
#define SERIES2PLUS_COMMAND_UPLOAD_DEVICE_INFO 0x99u /* then SERIES2PLUS_COMMAND_CONFIRM; result in a page buffer */
#define SERIES2PLUS_COMMAND_READY_BUSY_MODE 0x96u /* then a `ready_mode` byte */
#define SERIES2PLUS_COMMAND_SLEEP 0xF0u
#define SERIES2PLUS_COMMAND_ABORT 0x80u

/* Second cycle of SERIES2PLUS_CMR_READY_BUSY_MODE. */
#define SERIES2PLUS_READY_MODE_LEVEL 0x01u
#define SERIES2PLUS_READY_MODE_PULSE_ON_WRITE 0x02u
#define SERIES2PLUS_READY_MODE_PULSE_ON_ERASE 0x03u
#define SERIES2PLUS_READY_MODE_DISABLE 0x04u

/* Compatible status register, read with SERIES2PLUS_COMMAND_READ_CSR. */
#define SERIES2PLUS_CSR_READY 0x80u
#define SERIES2PLUS_CSR_ERASE_SUSPENDED 0x40u
#define SERIES2PLUS_CSR_ERASE_ERROR 0x20u
#define SERIES2PLUS_CSR_WRITE_ERROR 0x10u
#define SERIES2PLUS_CSR_VPP_LOW 0x08u
#define SERIES2PLUS_CSR_ERRORS 0x38u

/* Global status register, read with SERIES2PLUS_COMMAND_READ_EXTENDED_STATUS at offset::SERIES2PLUS_OFFSET_GSR. */
#define SERIES2PLUS_GSR_READY 0x80u
#define SERIES2PLUS_GSR_SUSPENDED 0x40u
#define SERIES2PLUS_GSR_ERROR 0x20u
#define SERIES2PLUS_GSR_SLEEP 0x10u
#define SERIES2PLUS_GSR_QUEUE_FULL 0x08u
#define SERIES2PLUS_GSR_PAGE_BUFFER_AVAILABLE 0x04u
#define SERIES2PLUS_GSR_PAGE_BUFFER_READY 0x02u
#define SERIES2PLUS_GSR_PAGE_BUFFER_SELECTED 0x01u

/* Block status register, one per block, read with SERIES2PLUS_COMMAND_READ_EXTENDED_STATUS at offset::SERIES2PLUS_OFFSET_BSR of the block. */
#define SERIES2PLUS_BSR_READY 0x80u
#define SERIES2PLUS_BSR_UNLOCKED 0x40u /* true after SERIES2PLUS_COMMAND_UPLOAD_LOCK_BITS; before it: locks do not count */
#define SERIES2PLUS_BSR_FAILED 0x20u
#define SERIES2PLUS_BSR_ABORTED 0x10u
#define SERIES2PLUS_BSR_QUEUE_FULL 0x08u
#define SERIES2PLUS_BSR_VPP_LOW 0x04u

/* Byte offsets of the extended status registers from the start of a segment (component offsets 2 and 4, doubled). */
#define SERIES2PLUS_OFFSET_BSR 4
#define SERIES2PLUS_OFFSET_GSR 8

/* Identifier codes of one component in byte-wide mode, read after SERIES2PLUS_COMMAND_READ_IDENTIFIER. */
#define SERIES2PLUS_MANUFACTURER_CODE 0x89u /* component address 0 */
#define SERIES2PLUS_DEVICE_CODE 0xA0u /* component address 1 */

/* Bytes in one page buffer of a component; the pair loads twice as much in 16-bit cycles. */
#define SERIES2PLUS_PAGE_BUFFER_BYTES 256
#define SERIES2PLUS_PAGE_PAIR_BYTES 0x200u
/* Operations the command queue of a component holds beside the one under way. */
#define SERIES2PLUS_QUEUE_DEPTH 2
/* Component offset (card offset / 2) of the device revision after SERIES2PLUS_COMMAND_UPLOAD_DEVICE_INFO, SERIES2PLUS_COMMAND_SWAP_PAGE_BUFFER,
   SERIES2PLUS_COMMAND_READ_PAGE_BUFFER. */
#define SERIES2PLUS_DEVICE_REVISION_BYTE 6

/* Component management registers: byte addresses in attribute memory (even bytes only). */
#define SERIES2PLUS_CMR_CONFIGURATION_OPTION 0x4000u
#define SERIES2PLUS_CMR_CONFIGURATION_STATUS 0x4002u
#define SERIES2PLUS_CMR_CARD_STATUS 0x4100u
#define SERIES2PLUS_CMR_WRITE_PROTECTION 0x4104u
#define SERIES2PLUS_CMR_VOLTAGE_CONTROL 0x410Cu
#define SERIES2PLUS_CMR_READY_BUSY_MODE 0x4140u

#define SERIES2PLUS_CMR_OPTION_SRESET 0x80u
#define SERIES2PLUS_CMR_OPTION_LEVEL_IRQ 0x40u
#define SERIES2PLUS_CMR_OPTION_INDEX_MASK 0x3Fu

#define SERIES2PLUS_CMR_STATUS_POWER_DOWN 0x04u /* in SERIES2PLUS_CMR_CONFIGURATION_STATUS */

#define SERIES2PLUS_CMR_CARD_SOFT_RESET 0x20u
#define SERIES2PLUS_CMR_CARD_COMMON_WRITE_PROTECT 0x10u
#define SERIES2PLUS_CMR_CARD_POWER_DOWN 0x08u
#define SERIES2PLUS_CMR_CARD_CIS_WRITE_PROTECT 0x04u
#define SERIES2PLUS_CMR_CARD_WRITE_PROTECT_SWITCH 0x02u
#define SERIES2PLUS_CMR_CARD_READY 0x01u

#define SERIES2PLUS_CMR_PROTECT_BLOCK_LOCK_ENABLE 0x04u /* BLKEN: 1 = lock bits count */
#define SERIES2PLUS_CMR_PROTECT_COMMON 0x02u /* CMWP */
#define SERIES2PLUS_CMR_PROTECT_CIS 0x01u /* CISWP */

#define SERIES2PLUS_CMR_VOLTAGE_IS3_V3 0x80u /* read only: Vcc level sensed */
#define SERIES2PLUS_CMR_VOLTAGE_VPP_VALID 0x02u /* read only */
#define SERIES2PLUS_CMR_VOLTAGE_VPP_ENABLE 0x01u /* on-card generator */

#define SERIES2PLUS_CMR_READY_HIGH_PERFORMANCE 0x01u /* MODE */
#define SERIES2PLUS_CMR_READY_ACKNOWLEDGE 0x02u /* RACK: reads 1 while a ready edge waits; write 0 to acknowledge */

/* CIS tuple codes and device geometry the driver looks for. */
#define SERIES2PLUS_CIS_DEVICE 0x01u
#define SERIES2PLUS_CIS_VERSION1 0x15u
#define SERIES2PLUS_CIS_JEDEC_COMMON 0x18u
#define SERIES2PLUS_CIS_CONFIG 0x1Au
#define SERIES2PLUS_CIS_DEVICE_OTHER 0x1Cu
#define SERIES2PLUS_CIS_DEVICE_GEOMETRY 0x1Eu
#define SERIES2PLUS_CIS_MANUFACTURER_ID 0x20u
#define SERIES2PLUS_CIS_FUNCTION_ID 0x21u
#define SERIES2PLUS_CIS_END 0xFFu

#endif
