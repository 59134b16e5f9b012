// Memory map, registers and command set of the Samsung Flex-OneNAND (KFxxGH6x4M): constants, nothing else.
// Shared by the hardware model and by the driver that a target would run; includes no model, no SystemC.
// Addresses are BYTE addresses in the 128 KiB window of the 16-bit bus (the data sheet counts words: byte = 2 x word).
// All cycles are 16 bits wide. Sources: FLEX-DS = "4Gb Flex-MuxOneNAND M-die" data sheet; FSR, LNX = public drivers.
#pragma once

#include <cstdint>

namespace ftlab::hw::flexonenand {

inline constexpr std::uint32_t kWindowBytes = 0x20000;

// Geometry that the register map fixes for the whole family.
inline constexpr std::uint32_t kSectorBytes = 512;
inline constexpr std::uint32_t kSectorSpareBytes = 16;
inline constexpr std::uint32_t kSectorsPerPage = 8;
inline constexpr std::uint32_t kPageBytes = kSectorBytes * kSectorsPerPage;        ///< 4096
inline constexpr std::uint32_t kSpareBytes = kSectorSpareBytes * kSectorsPerPage;  ///< 128
inline constexpr std::uint32_t kMlcPagesPerSegment = 128;                          ///< segment in the MLC area
inline constexpr std::uint32_t kSlcPagesPerSegment = 64;                           ///< segment in the SLC area

/// Buffer RAM, seen through the window. DataRAM 0 and 1 are contiguous and together hold one page.
namespace area {
inline constexpr std::uint32_t kBootRam = 0x00000;
inline constexpr std::uint32_t kBootRamBytes = 1024;
inline constexpr std::uint32_t kDataRam = 0x00400;   ///< sectors 0-3 (DataRAM 0) and 4-7 (DataRAM 1)
inline constexpr std::uint32_t kDataRam1 = 0x00C00;  ///< sectors 4-7
inline constexpr std::uint32_t kBootSpare = 0x10000;
inline constexpr std::uint32_t kBootSpareBytes = 32;
inline constexpr std::uint32_t kDataSpare = 0x10020;   ///< spare slots of sectors 0-7, 16 bytes each
inline constexpr std::uint32_t kDataSpare1 = 0x10060;  ///< spare slots of sectors 4-7
inline constexpr std::uint32_t kRegisters = 0x1E000;
}  // namespace area

/// Use of the 16 bytes of a sector's spare slot.
namespace spare_slot {
inline constexpr std::uint32_t kBadMarker = 0;  ///< 2 bytes; counts in sector 0 of pages 0 and 1: FFFFh = good
inline constexpr std::uint32_t kUser = 2;       ///< first byte the host may use beside the mark
inline constexpr std::uint32_t kUserBytes = 4;
inline constexpr std::uint32_t kEcc = 6;  ///< 10 bytes, written by the device while its ECC is on
inline constexpr std::uint32_t kEccBytes = 10;
inline constexpr std::uint16_t kGoodMark = 0xFFFF;
}  // namespace spare_slot

/// Registers (byte addresses).
namespace reg {
inline constexpr std::uint32_t kManufacturerId = 0x1E000;  ///< F000h
inline constexpr std::uint32_t kDeviceId = 0x1E002;        ///< F001h
inline constexpr std::uint32_t kVersionId = 0x1E004;       ///< F002h
inline constexpr std::uint32_t kDataBufferSize = 0x1E006;  ///< F003h, words
inline constexpr std::uint32_t kBootBufferSize = 0x1E008;  ///< F004h, words
inline constexpr std::uint32_t kBufferCount = 0x1E00A;     ///< F005h, data buffers << 8 | boot buffers
inline constexpr std::uint32_t kTechnology = 0x1E00C;      ///< F006h

inline constexpr std::uint32_t kStartAddress1 = 0x1E200;  ///< F100h: DFS, segment
inline constexpr std::uint32_t kStartAddress2 = 0x1E202;  ///< F101h: DBS
inline constexpr std::uint32_t kStartAddress3 = 0x1E204;  ///< F102h, without function on this family; 4-7 follow
inline constexpr std::uint32_t kStartAddress8 = 0x1E20E;  ///< F107h: page
inline constexpr std::uint32_t kStartBuffer = 0x1E400;    ///< F200h

inline constexpr std::uint32_t kCommand = 0x1E440;           ///< F220h
inline constexpr std::uint32_t kSystemConfig1 = 0x1E442;     ///< F221h
inline constexpr std::uint32_t kControllerStatus = 0x1E480;  ///< F240h, read only
inline constexpr std::uint32_t kInterrupt = 0x1E482;         ///< F241h; a bit written 0 is cleared
inline constexpr std::uint32_t kStartBlock = 0x1E498;        ///< F24Ch: segment of the lock commands, as FBA
inline constexpr std::uint32_t kEndBlock = 0x1E49A;          ///< F24Dh, without function on this family
inline constexpr std::uint32_t kWriteProtect = 0x1E49C;      ///< F24Eh, read only, of the segment in kStartAddress1

inline constexpr std::uint32_t kEccStatus1 = 0x1FE00;  ///< FF00h: sectors 0, 1; then FF01h: 2, 3 and so on
inline constexpr std::uint32_t kEccStatus2 = 0x1FE02;
inline constexpr std::uint32_t kEccStatus3 = 0x1FE04;
inline constexpr std::uint32_t kEccStatus4 = 0x1FE06;
}  // namespace reg

/// kManufacturerId, kDeviceId, kTechnology.
namespace id {
inline constexpr std::uint16_t kSamsung = 0x00EC;
inline constexpr std::uint16_t kSeparationMask = 0x0300;
inline constexpr std::uint16_t kSeparationFlex = 0x0200;
inline constexpr std::uint16_t kDensityShift = 4;  ///< 5 = 4 Gb, 6 = 8 Gb, 7 = 16 Gb in all dies together
inline constexpr std::uint16_t kDensityMask = 0x00F0;
inline constexpr std::uint16_t kDualDie = 0x0008;
inline constexpr std::uint16_t kDemuxed = 0x0004;
inline constexpr std::uint16_t kVoltageMask = 0x0003;  ///< 00 = 1.8 V, 01 = 2.65/3.3 V
inline constexpr std::uint16_t kTechnologyMlc = 0x0001;
}  // namespace id

/// kVersionId bits 7:4.
namespace speed_grade {
inline constexpr std::uint16_t kShift = 4;
inline constexpr std::uint16_t kMask = 0x00F0;
inline constexpr std::uint16_t k40Mhz = 0;
inline constexpr std::uint16_t k54Mhz = 1;
inline constexpr std::uint16_t k66Mhz = 2;
inline constexpr std::uint16_t k83Mhz = 3;
inline constexpr std::uint16_t k104Mhz = 4;
}  // namespace speed_grade

namespace start_address {
inline constexpr std::uint16_t kDie = 0x8000;          ///< DFS in kStartAddress1, DBS in kStartAddress2
inline constexpr std::uint16_t kSegmentMask = 0x07FF;  ///< FBA in kStartAddress1; a die decodes log2(segments) bits
inline constexpr std::uint16_t kPageShift = 2;         ///< FPA 8:2 in kStartAddress8; FSA 1:0 must be 0
inline constexpr std::uint16_t kPageMask = 0x01FC;
inline constexpr std::uint16_t kSectorMask = 0x0003;
}  // namespace start_address

/// The only legal value of kStartBuffer (BSA 1000b, BSC 000b: DataRAM 0, whole page).
inline constexpr std::uint16_t kStartBufferPage = 0x0800;

/// Written to reg::kCommand; acts on the die that DFS selects.
namespace command {
inline constexpr std::uint16_t kLoad = 0x00;
inline constexpr std::uint16_t kSuperload = 0x03;  ///< needs synchronous mode and a page loaded before
inline constexpr std::uint16_t kLsbRecoveryRead = 0x05;
inline constexpr std::uint16_t kPartitionUpdate = 0x05;  ///< the same code in partition information access
inline constexpr std::uint16_t kProgram = 0x80;
inline constexpr std::uint16_t kCacheProgram = 0x7F;
inline constexpr std::uint16_t kErase = 0x94;
inline constexpr std::uint16_t kEraseSuspend = 0xB0;
inline constexpr std::uint16_t kEraseResume = 0x30;
inline constexpr std::uint16_t kUnlock = 0x23;
inline constexpr std::uint16_t kLock = 0x2A;
inline constexpr std::uint16_t kLockTight = 0x2C;
inline constexpr std::uint16_t kUnlockAll = 0x27;
inline constexpr std::uint16_t kOtpAccess = 0x65;
inline constexpr std::uint16_t kPartitionAccess = 0x66;
inline constexpr std::uint16_t kCoreReset = 0xF0;  ///< keeps registers; all dies leave OTP and partition access
inline constexpr std::uint16_t kHotReset = 0xF3;   ///< sets registers to their defaults
}  // namespace command

/// Written to any word of the BootRAM.
namespace boot_command {
inline constexpr std::uint16_t kReset = 0x00F0;   ///< as command::kHotReset; leaves identifier mode
inline constexpr std::uint16_t kReadId = 0x0090;  ///< BootRAM words 0, 1, 2 then read manufacturer, device, protection
inline constexpr std::uint16_t kLoad = 0x00E0;    ///< then kLoadConfirm: page 0 of segment 0 to DataRAM
inline constexpr std::uint16_t kLoadConfirm = 0x0000;
}  // namespace boot_command

/// reg::kSystemConfig1.
namespace config {
inline constexpr std::uint16_t kSyncRead = 0x8000;     ///< RM
inline constexpr std::uint16_t kLatencyMask = 0x7000;  ///< BRL: 3..7 clocks as value, 0 = 8, 1 = 9, 2 = 10
inline constexpr std::uint16_t kLatencyShift = 12;
inline constexpr std::uint16_t kLatencyTo66Mhz = 4;  ///< LNX: GPMC timings of the 54 and 66 MHz parts
inline constexpr std::uint16_t kLatency83Mhz = 6;    ///< LNX: with the HF bit
inline constexpr std::uint16_t kBurstMask = 0x0E00;  ///< BL: 0 continuous, 1..4 = 4, 8, 16, 32 words, 5 = 1024 words
inline constexpr std::uint16_t kBurstShift = 9;
inline constexpr std::uint16_t kEccOff = 0x0100;
inline constexpr std::uint16_t kReadyHigh = 0x0080;      ///< polarity of RDY
inline constexpr std::uint16_t kInterruptHigh = 0x0040;  ///< polarity of INT: 1 = high while kInterrupt's bit 15 is set
inline constexpr std::uint16_t kOutputsOn = 0x0020;      ///< IOBE: INT and RDY pins are driven
inline constexpr std::uint16_t kReadyEarly = 0x0010;
inline constexpr std::uint16_t kHighFrequency = 0x0004;  ///< HF: clock above 66 MHz
inline constexpr std::uint16_t kSyncWrite = 0x0002;      ///< WM
inline constexpr std::uint16_t kBootProtected = 0x0001;  ///< read only: BootRAM is write protected
inline constexpr std::uint16_t kDefault = 0x40C0;        ///< async, BRL 4, RDY and INT active high, pins off
inline constexpr std::uint16_t kWritable = 0xFFF6;
}  // namespace config

/// reg::kControllerStatus, of the die that DBS selects. Load, Program and Erase say
/// what is under way, and beside Error what failed; failures stay until the next command of that die.
namespace status {
inline constexpr std::uint16_t kOnGo = 0x8000;
inline constexpr std::uint16_t kLocked = 0x4000;  ///< always 0 on this family
inline constexpr std::uint16_t kLoad = 0x2000;
inline constexpr std::uint16_t kProgram = 0x1000;
inline constexpr std::uint16_t kErase = 0x0800;
inline constexpr std::uint16_t kError = 0x0400;
inline constexpr std::uint16_t kSuspended = 0x0200;
inline constexpr std::uint16_t kResetting = 0x0080;  ///< RSTB
inline constexpr std::uint16_t kOtpLocked = 0x0040;
inline constexpr std::uint16_t kFirstBlockLocked = 0x0020;  ///< segment 0 locked as OTP
inline constexpr std::uint16_t kPreviousCacheFail = 0x0004;
inline constexpr std::uint16_t kCurrentCacheFail = 0x0002;
inline constexpr std::uint16_t kTimeOut = 0x0001;
}  // namespace status

/// reg::kInterrupt, of the die that DBS selects. Cleared by writing 0 and by the next command of that die.
namespace interrupt {
inline constexpr std::uint16_t kInt = 0x8000;
inline constexpr std::uint16_t kRead = 0x0080;   ///< RI: load done
inline constexpr std::uint16_t kWrite = 0x0040;  ///< WI: program done
inline constexpr std::uint16_t kErase = 0x0020;  ///< EI: erase done
inline constexpr std::uint16_t kReset = 0x0010;  ///< RSTI: reset done
}  // namespace interrupt

/// reg::kWriteProtect.
namespace protect {
inline constexpr std::uint16_t kUnlocked = 0x0004;
inline constexpr std::uint16_t kLocked = 0x0002;
inline constexpr std::uint16_t kLockedTight = 0x0001;
}  // namespace protect

/// One sector's five bits in reg::kEccStatus1 + 2 * (sector / 2): odd sectors in bits 12:8, even ones in 4:0. One-hot.
namespace ecc {
inline constexpr std::uint16_t kOddShift = 8;
inline constexpr std::uint16_t kSectorMask = 0x001F;
inline constexpr std::uint16_t kCorrected1 = 0x0001;
inline constexpr std::uint16_t kCorrected2 = 0x0002;
inline constexpr std::uint16_t kCorrected3 = 0x0004;
inline constexpr std::uint16_t kCorrected4 = 0x0008;
inline constexpr std::uint16_t kUncorrectable = 0x0010;
inline constexpr std::uint16_t kUncorrectableMask = 0x1010;  ///< either sector of a register
inline constexpr std::uint32_t kCorrectableBits = 4;         ///< per sector
}  // namespace ecc

/// Partition information: word 0 of page 0 of its own segment, written with ECC off by the sheet.
namespace partition {
inline constexpr std::uint16_t kLockMask = 0xC000;  ///< 11 = unlocked, 00 = locked for good
inline constexpr std::uint16_t kUnlocked = 0xC000;
inline constexpr std::uint16_t kReservedOnes = 0x3C00;   ///< 4 Gb die; a die of 2048 segments has 3800h
inline constexpr std::uint16_t kFactory = 0xFC00;        ///< segment 0 SLC, all others MLC (4 Gb die; else F800h)
inline constexpr std::uint16_t kLockedForGood = 0x0000;  ///< of the lock bits
/// Boundary field (last SLC segment of the die) of a die with this many segments, a power of two.
constexpr std::uint16_t boundary_mask(std::uint32_t segments) { return static_cast<std::uint16_t>(segments - 1); }
/// A word is locked or not; bits 13:10 that the boundary does not need are ones, or zeros as some hosts write them.
constexpr bool plausible(std::uint16_t word, std::uint32_t segments) {
  const auto ones = static_cast<std::uint16_t>(kReservedOnes & ~boundary_mask(segments));
  const auto lock = static_cast<std::uint16_t>(word & kLockMask);
  const auto reserved = static_cast<std::uint16_t>(word & ones);
  return (reserved == ones || reserved == 0) && (lock == kUnlocked || lock == kLockedForGood);
}
}  // namespace partition

/// One-time programmable segment.
namespace otp {
inline constexpr std::uint32_t kPages = kSlcPagesPerSegment;
inline constexpr std::uint32_t kLockPage = 49;
inline constexpr std::uint32_t kLockSector = 4;  ///< its word 0 holds the lock
inline constexpr std::uint16_t kLockOtp = 0x00FC;
inline constexpr std::uint16_t kLockFirstBlock = 0x00F3;
inline constexpr std::uint16_t kLockBoth = 0x00F0;
inline constexpr std::uint32_t kUniqueIdPage = 60;   ///< first sector: copies of identifier and complement
inline constexpr std::uint32_t kUniqueIdBytes = 32;  ///< then as many of its complement
inline constexpr std::uint32_t kUniqueIdCopies = 8;
inline constexpr std::uint32_t kUniqueIdSignature = 0xAAAA5555;  ///< little-endian, fills the first spare slot
}  // namespace otp

/// Pairs of a segment in the MLC area: every wordline holds an LSB page and an MSB page, programmed in ascending order
/// (FSR table). An LSB page stands alone until its partner is programmed.
namespace paired {
/// True for the pages that are fast to program.
constexpr bool is_lsb(std::uint32_t page) { return page < 2 || (page < 124 && (page % 4 == 2 || page % 4 == 3)); }
/// The other page of the wordline; its own inverse.
constexpr std::uint32_t partner(std::uint32_t page) {
  if (page < 2 || page == 122 || page == 123) return page + 4;
  if (page == 4 || page == 5 || page >= 126) return page - 4;
  return is_lsb(page) ? page + 6 : page - 6;
}
/// The n-th LSB page (0..63) of a segment.
constexpr std::uint32_t lsb_page(std::uint32_t n) { return n < 2 ? n : (n & ~1U) * 2 - 2 + (n & 1U); }
}  // namespace paired

}  // namespace ftlab::hw::flexonenand
