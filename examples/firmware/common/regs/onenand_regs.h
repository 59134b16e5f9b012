/* Made of ftlab's hw/regs/onenand_regs.h by tests/lint/register_headers.py, which is what to change. */
#ifndef FTLAB_ONENAND_REGS_H
#define FTLAB_ONENAND_REGS_H

#include <stdint.h>

/* Memory map, registers and command set of the Samsung Flex-OneNAND (KFxxGH6x4M). Addresses are BYTE addresses in
   the 128 KiB window of the 16-bit bus (the data sheet counts words: byte = 2 x word). All cycles are 16 bits
   wide. Sources: FLEX-DS = "4Gb Flex-MuxOneNAND M-die" data sheet; FSR, LNX = public drivers. */

#define FLEXONENAND_WINDOW_BYTES 0x20000u

/* Geometry that the register map fixes for the whole family. */
#define FLEXONENAND_SECTOR_BYTES 512
#define FLEXONENAND_SECTOR_SPARE_BYTES 16
#define FLEXONENAND_SECTORS_PER_PAGE 8
#define FLEXONENAND_PAGE_BYTES 0x1000u /* 4096 */
#define FLEXONENAND_SPARE_BYTES 0x80u /* 128 */
#define FLEXONENAND_MLC_PAGES_PER_SEGMENT 128 /* segment in the MLC area */
#define FLEXONENAND_SLC_PAGES_PER_SEGMENT 64 /* segment in the SLC area */

/* Buffer RAM, seen through the window. DataRAM 0 and 1 are contiguous and together hold one page. */
#define FLEXONENAND_AREA_BOOT_RAM 0x00u
#define FLEXONENAND_AREA_BOOT_RAM_BYTES 1024
#define FLEXONENAND_AREA_DATA_RAM 0x400u /* sectors 0-3 (DataRAM 0) and 4-7 (DataRAM 1) */
#define FLEXONENAND_AREA_DATA_RAM1 0xC00u /* sectors 4-7 */
#define FLEXONENAND_AREA_BOOT_SPARE 0x10000u
#define FLEXONENAND_AREA_BOOT_SPARE_BYTES 32
#define FLEXONENAND_AREA_DATA_SPARE 0x10020u /* spare slots of sectors 0-7, 16 bytes each */
#define FLEXONENAND_AREA_DATA_SPARE1 0x10060u /* spare slots of sectors 4-7 */
#define FLEXONENAND_AREA_REGISTERS 0x1E000u

/* Use of the 16 bytes of a sector's spare slot. */
#define FLEXONENAND_SPARE_SLOT_BAD_MARKER 0 /* 2 bytes; counts in sector 0 of pages 0 and 1: FFFFh = good */
#define FLEXONENAND_SPARE_SLOT_USER 2 /* first byte the host may use beside the mark */
#define FLEXONENAND_SPARE_SLOT_USER_BYTES 4
#define FLEXONENAND_SPARE_SLOT_ECC 6 /* 10 bytes, written by the device while its ECC is on */
#define FLEXONENAND_SPARE_SLOT_ECC_BYTES 10
#define FLEXONENAND_SPARE_SLOT_GOOD_MARK 0xFFFFu

/* Registers (byte addresses). */
#define FLEXONENAND_REG_MANUFACTURER_ID 0x1E000u /* F000h */
#define FLEXONENAND_REG_DEVICE_ID 0x1E002u /* F001h */
#define FLEXONENAND_REG_VERSION_ID 0x1E004u /* F002h */
#define FLEXONENAND_REG_DATA_BUFFER_SIZE 0x1E006u /* F003h, words */
#define FLEXONENAND_REG_BOOT_BUFFER_SIZE 0x1E008u /* F004h, words */
#define FLEXONENAND_REG_BUFFER_COUNT 0x1E00Au /* F005h, data buffers << 8 | boot buffers */
#define FLEXONENAND_REG_TECHNOLOGY 0x1E00Cu /* F006h */

#define FLEXONENAND_REG_START_ADDRESS1 0x1E200u /* F100h: DFS, segment */
#define FLEXONENAND_REG_START_ADDRESS2 0x1E202u /* F101h: DBS */
#define FLEXONENAND_REG_START_ADDRESS3 0x1E204u /* F102h, without function on this family; 4-7 follow */
#define FLEXONENAND_REG_START_ADDRESS8 0x1E20Eu /* F107h: page */
#define FLEXONENAND_REG_START_BUFFER 0x1E400u /* F200h */

#define FLEXONENAND_REG_COMMAND 0x1E440u /* F220h */
#define FLEXONENAND_REG_SYSTEM_CONFIG1 0x1E442u /* F221h */
#define FLEXONENAND_REG_CONTROLLER_STATUS 0x1E480u /* F240h, read only */
#define FLEXONENAND_REG_INTERRUPT 0x1E482u /* F241h; a bit written 0 is cleared */
#define FLEXONENAND_REG_START_BLOCK 0x1E498u /* F24Ch: segment of the lock commands, as FBA */
#define FLEXONENAND_REG_END_BLOCK 0x1E49Au /* F24Dh, without function on this family */
#define FLEXONENAND_REG_WRITE_PROTECT 0x1E49Cu /* F24Eh, read only, of the segment in FLEXONENAND_REG_START_ADDRESS1 */

#define FLEXONENAND_REG_ECC_STATUS1 0x1FE00u /* FF00h: sectors 0, 1; then FF01h: 2, 3 and so on */
#define FLEXONENAND_REG_ECC_STATUS2 0x1FE02u
#define FLEXONENAND_REG_ECC_STATUS3 0x1FE04u
#define FLEXONENAND_REG_ECC_STATUS4 0x1FE06u

/* FLEXONENAND_REG_MANUFACTURER_ID, FLEXONENAND_REG_DEVICE_ID, FLEXONENAND_REG_TECHNOLOGY. */
#define FLEXONENAND_ID_SAMSUNG 0xECu
#define FLEXONENAND_ID_SEPARATION_MASK 0x300u
#define FLEXONENAND_ID_SEPARATION_FLEX 0x200u
#define FLEXONENAND_ID_DENSITY_SHIFT 4 /* 5 = 4 Gb, 6 = 8 Gb, 7 = 16 Gb in all dies together */
#define FLEXONENAND_ID_DENSITY_MASK 0xF0u
#define FLEXONENAND_ID_DUAL_DIE 0x08u
#define FLEXONENAND_ID_DEMUXED 0x04u
#define FLEXONENAND_ID_VOLTAGE_MASK 0x03u /* 00 = 1.8 V, 01 = 2.65/3.3 V */
#define FLEXONENAND_ID_TECHNOLOGY_MLC 0x01u

/* FLEXONENAND_REG_VERSION_ID bits 7:4. */
#define FLEXONENAND_SPEED_GRADE_SHIFT 4
#define FLEXONENAND_SPEED_GRADE_MASK 0xF0u
#define FLEXONENAND_SPEED_GRADE_40_MHZ 0
#define FLEXONENAND_SPEED_GRADE_54_MHZ 1
#define FLEXONENAND_SPEED_GRADE_66_MHZ 2
#define FLEXONENAND_SPEED_GRADE_83_MHZ 3
#define FLEXONENAND_SPEED_GRADE_104_MHZ 4

#define FLEXONENAND_START_ADDRESS_DIE 0x8000u /* DFS in FLEXONENAND_REG_START_ADDRESS1, DBS in FLEXONENAND_REG_START_ADDRESS2 */
#define FLEXONENAND_START_ADDRESS_SEGMENT_MASK 0x7FFu /* FBA in FLEXONENAND_REG_START_ADDRESS1; a die decodes log2(segments) bits */
#define FLEXONENAND_START_ADDRESS_PAGE_SHIFT 2 /* FPA 8:2 in FLEXONENAND_REG_START_ADDRESS8; FSA 1:0 must be 0 */
#define FLEXONENAND_START_ADDRESS_PAGE_MASK 0x1FCu
#define FLEXONENAND_START_ADDRESS_SECTOR_MASK 0x03u

/* The only legal value of FLEXONENAND_REG_START_BUFFER (BSA 1000b, BSC 000b: DataRAM 0, whole page). */
#define FLEXONENAND_START_BUFFER_PAGE 0x800u

/* Written to reg::FLEXONENAND_REG_COMMAND; acts on the die that DFS selects. */
#define FLEXONENAND_COMMAND_LOAD 0x00u
#define FLEXONENAND_COMMAND_SUPERLOAD 0x03u /* needs synchronous mode and a page loaded before */
#define FLEXONENAND_COMMAND_LSB_RECOVERY_READ 0x05u
#define FLEXONENAND_COMMAND_PARTITION_UPDATE 0x05u /* the same code in partition information access */
#define FLEXONENAND_COMMAND_PROGRAM 0x80u
#define FLEXONENAND_COMMAND_CACHE_PROGRAM 0x7Fu
#define FLEXONENAND_COMMAND_ERASE 0x94u
#define FLEXONENAND_COMMAND_ERASE_SUSPEND 0xB0u
#define FLEXONENAND_COMMAND_ERASE_RESUME 0x30u
#define FLEXONENAND_COMMAND_UNLOCK 0x23u
#define FLEXONENAND_COMMAND_LOCK 0x2Au
#define FLEXONENAND_COMMAND_LOCK_TIGHT 0x2Cu
#define FLEXONENAND_COMMAND_UNLOCK_ALL 0x27u
#define FLEXONENAND_COMMAND_OTP_ACCESS 0x65u
#define FLEXONENAND_COMMAND_PARTITION_ACCESS 0x66u
#define FLEXONENAND_COMMAND_CORE_RESET 0xF0u /* keeps registers; all dies leave OTP and partition access */
#define FLEXONENAND_COMMAND_HOT_RESET 0xF3u /* sets registers to their defaults */

/* Written to any word of the BootRAM. */
#define FLEXONENAND_BOOT_COMMAND_RESET 0xF0u /* as command::FLEXONENAND_COMMAND_HOT_RESET; leaves identifier mode */
#define FLEXONENAND_BOOT_COMMAND_READ_ID 0x90u /* BootRAM words 0, 1, 2 then read manufacturer, device, protection */
#define FLEXONENAND_BOOT_COMMAND_LOAD 0xE0u /* then FLEXONENAND_BOOT_COMMAND_LOAD_CONFIRM: page 0 of segment 0 to DataRAM */
#define FLEXONENAND_BOOT_COMMAND_LOAD_CONFIRM 0x00u

/* reg::FLEXONENAND_REG_SYSTEM_CONFIG1. */
#define FLEXONENAND_CONFIG_SYNC_READ 0x8000u /* RM */
#define FLEXONENAND_CONFIG_LATENCY_MASK 0x7000u /* BRL: 3..7 clocks as value, 0 = 8, 1 = 9, 2 = 10 */
#define FLEXONENAND_CONFIG_LATENCY_SHIFT 12
#define FLEXONENAND_CONFIG_LATENCY_TO66_MHZ 4 /* LNX: GPMC timings of the 54 and 66 MHz parts */
#define FLEXONENAND_CONFIG_LATENCY83_MHZ 6 /* LNX: with the HF bit */
#define FLEXONENAND_CONFIG_BURST_MASK 0xE00u /* BL: 0 continuous, 1..4 = 4, 8, 16, 32 words, 5 = 1024 words */
#define FLEXONENAND_CONFIG_BURST_SHIFT 9
#define FLEXONENAND_CONFIG_ECC_OFF 0x100u
#define FLEXONENAND_CONFIG_READY_HIGH 0x80u /* polarity of RDY */
#define FLEXONENAND_CONFIG_INTERRUPT_HIGH 0x40u /* polarity of INT: 1 = high while FLEXONENAND_REG_INTERRUPT's bit 15 is set */
#define FLEXONENAND_CONFIG_OUTPUTS_ON 0x20u /* IOBE: INT and RDY pins are driven */
#define FLEXONENAND_CONFIG_READY_EARLY 0x10u
#define FLEXONENAND_CONFIG_HIGH_FREQUENCY 0x04u /* HF: clock above 66 MHz */
#define FLEXONENAND_CONFIG_SYNC_WRITE 0x02u /* WM */
#define FLEXONENAND_CONFIG_BOOT_PROTECTED 0x01u /* read only: BootRAM is write protected */
#define FLEXONENAND_CONFIG_DEFAULT 0x40C0u /* async, BRL 4, RDY and INT active high, pins off */
#define FLEXONENAND_CONFIG_WRITABLE 0xFFF6u

/* reg::FLEXONENAND_REG_CONTROLLER_STATUS, of the die that DBS selects. Load, Program and Erase say what is under way, and beside
   Error what failed; failures stay until the next command of that die. */
#define FLEXONENAND_STATUS_ON_GO 0x8000u
#define FLEXONENAND_STATUS_LOCKED 0x4000u /* always 0 on this family */
#define FLEXONENAND_STATUS_LOAD 0x2000u
#define FLEXONENAND_STATUS_PROGRAM 0x1000u
#define FLEXONENAND_STATUS_ERASE 0x800u
#define FLEXONENAND_STATUS_ERROR 0x400u
#define FLEXONENAND_STATUS_SUSPENDED 0x200u
#define FLEXONENAND_STATUS_RESETTING 0x80u /* RSTB */
#define FLEXONENAND_STATUS_OTP_LOCKED 0x40u
#define FLEXONENAND_STATUS_FIRST_BLOCK_LOCKED 0x20u /* segment 0 locked as OTP */
#define FLEXONENAND_STATUS_PREVIOUS_CACHE_FAIL 0x04u
#define FLEXONENAND_STATUS_CURRENT_CACHE_FAIL 0x02u
#define FLEXONENAND_STATUS_TIME_OUT 0x01u

/* reg::FLEXONENAND_REG_INTERRUPT, of the die that DBS selects. Cleared by writing 0 and by the next command of that die. */
#define FLEXONENAND_INTERRUPT_INT 0x8000u
#define FLEXONENAND_INTERRUPT_READ 0x80u /* RI: load done */
#define FLEXONENAND_INTERRUPT_WRITE 0x40u /* WI: program done */
#define FLEXONENAND_INTERRUPT_ERASE 0x20u /* EI: erase done */
#define FLEXONENAND_INTERRUPT_RESET 0x10u /* RSTI: reset done */

/* reg::FLEXONENAND_REG_WRITE_PROTECT. */
#define FLEXONENAND_PROTECT_UNLOCKED 0x04u
#define FLEXONENAND_PROTECT_LOCKED 0x02u
#define FLEXONENAND_PROTECT_LOCKED_TIGHT 0x01u

/* One sector's five bits in reg::FLEXONENAND_REG_ECC_STATUS1 + 2 * (sector / 2): odd sectors in bits 12:8, even ones in 4:0. One-
   hot. */
#define FLEXONENAND_ECC_ODD_SHIFT 8
#define FLEXONENAND_ECC_SECTOR_MASK 0x1Fu
#define FLEXONENAND_ECC_CORRECTED1 0x01u
#define FLEXONENAND_ECC_CORRECTED2 0x02u
#define FLEXONENAND_ECC_CORRECTED3 0x04u
#define FLEXONENAND_ECC_CORRECTED4 0x08u
#define FLEXONENAND_ECC_UNCORRECTABLE 0x10u
#define FLEXONENAND_ECC_UNCORRECTABLE_MASK 0x1010u /* either sector of a register */
#define FLEXONENAND_ECC_CORRECTABLE_BITS 4 /* per sector */

/* Partition information: word 0 of page 0 of its own segment, written with ECC off by the sheet. */
#define FLEXONENAND_PARTITION_LOCK_MASK 0xC000u /* 11 = unlocked, 00 = locked for good */
#define FLEXONENAND_PARTITION_UNLOCKED 0xC000u
#define FLEXONENAND_PARTITION_RESERVED_ONES 0x3C00u /* 4 Gb die; a die of 2048 segments has 3800h */
#define FLEXONENAND_PARTITION_FACTORY 0xFC00u /* segment 0 SLC, all others MLC (4 Gb die; else F800h) */
#define FLEXONENAND_PARTITION_LOCKED_FOR_GOOD 0x00u /* of the lock bits */
/* Boundary field (last SLC segment of the die) of a die with this many segments, a power of two. */
/* A word is locked or not; bits 13:10 that the boundary does not need are ones, or zeros as some hosts write them. */

/* One-time programmable segment. */
#define FLEXONENAND_OTP_PAGES 0x40u
#define FLEXONENAND_OTP_LOCK_PAGE 49
#define FLEXONENAND_OTP_LOCK_SECTOR 4 /* its word 0 holds the lock */
#define FLEXONENAND_OTP_LOCK_OTP 0xFCu
#define FLEXONENAND_OTP_LOCK_FIRST_BLOCK 0xF3u
#define FLEXONENAND_OTP_LOCK_BOTH 0xF0u
#define FLEXONENAND_OTP_UNIQUE_ID_PAGE 60 /* first sector: copies of identifier and complement */
#define FLEXONENAND_OTP_UNIQUE_ID_BYTES 32 /* then as many of its complement */
#define FLEXONENAND_OTP_UNIQUE_ID_COPIES 8
#define FLEXONENAND_OTP_UNIQUE_ID_SIGNATURE 0xAAAA5555u /* little-endian, fills the first spare slot */

/* Pairs of a segment in the MLC area: every wordline holds an LSB page and an MSB page, programmed in ascending
   order (FSR table). An LSB page stands alone until its partner is programmed. */
/* True for the pages that are fast to program. */
/* The other page of the wordline; its own inverse. */
/* The n-th LSB page (0.63) of a segment. */

#endif
