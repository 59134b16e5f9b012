// Register map of the Intel Series 2+ card and command set of its 28F016SA components: constants, nothing else.
// Shared by the hardware model and by the driver that a target would run; includes no model, no SystemC.
// Common-memory commands are one byte per component; a 16-bit cycle carries one for each component of the pair
// (doubled() below). Status bits of the two components come back in the low and high byte of a 16-bit read.
#pragma once

#include <cstdint>

namespace ftlab::hw::series2plus {

/// The same byte on both lanes of the pair.
constexpr std::uint16_t doubled(std::uint8_t code) { return static_cast<std::uint16_t>(code * 0x0101U); }

namespace command {
inline constexpr std::uint8_t kReadArray = 0xFF;
inline constexpr std::uint8_t kReadIdentifier = 0x90;
inline constexpr std::uint8_t kReadCsr = 0x70;
inline constexpr std::uint8_t kReadExtendedStatus = 0x71;  ///< GSR and BSR at the offsets of `offset`
inline constexpr std::uint8_t kClearStatus = 0x50;
inline constexpr std::uint8_t kProgram = 0x40;           ///< then data at the address
inline constexpr std::uint8_t kProgramAlternate = 0x10;  ///< same as kProgram
inline constexpr std::uint8_t kTwoByteProgram = 0xFB;    ///< then two data cycles
inline constexpr std::uint8_t kErase = 0x20;             ///< then kConfirm in the block
inline constexpr std::uint8_t kEraseAllUnlocked = 0xA7;  ///< then kConfirm
inline constexpr std::uint8_t kConfirm = 0xD0;
inline constexpr std::uint8_t kResume = 0xD0;  ///< only while suspended
inline constexpr std::uint8_t kSuspend = 0xB0;
inline constexpr std::uint8_t kSwapPageBuffer = 0x72;
inline constexpr std::uint8_t kSingleLoad = 0x74;        ///< then data; low address bits pick the byte
inline constexpr std::uint8_t kReadPageBuffer = 0x75;    ///< following reads come from the page buffer
inline constexpr std::uint8_t kSequentialLoad = 0xE0;    ///< then two count cycles (N-1), then N data cycles
inline constexpr std::uint8_t kPageBufferWrite = 0x0C;   ///< then two count cycles (N-1); the last names the address
inline constexpr std::uint8_t kLockBlock = 0x77;         ///< then kConfirm in the block
inline constexpr std::uint8_t kUploadLockBits = 0x97;    ///< then kConfirm
inline constexpr std::uint8_t kUploadDeviceInfo = 0x99;  ///< then kConfirm; result in a page buffer
inline constexpr std::uint8_t kReadyBusyMode = 0x96;     ///< then a `ready_mode` byte
inline constexpr std::uint8_t kSleep = 0xF0;
inline constexpr std::uint8_t kAbort = 0x80;
}  // namespace command

/// Second cycle of kReadyBusyMode.
namespace ready_mode {
inline constexpr std::uint8_t kLevel = 0x01;
inline constexpr std::uint8_t kPulseOnWrite = 0x02;
inline constexpr std::uint8_t kPulseOnErase = 0x03;
inline constexpr std::uint8_t kDisable = 0x04;
}  // namespace ready_mode

/// Compatible status register, read with kReadCsr.
namespace csr {
inline constexpr std::uint8_t kReady = 0x80;
inline constexpr std::uint8_t kEraseSuspended = 0x40;
inline constexpr std::uint8_t kEraseError = 0x20;
inline constexpr std::uint8_t kWriteError = 0x10;
inline constexpr std::uint8_t kVppLow = 0x08;
inline constexpr std::uint8_t kErrors = kEraseError | kWriteError | kVppLow;
}  // namespace csr

/// Global status register, read with kReadExtendedStatus at offset::kGsr.
namespace gsr {
inline constexpr std::uint8_t kReady = 0x80;
inline constexpr std::uint8_t kSuspended = 0x40;
inline constexpr std::uint8_t kError = 0x20;
inline constexpr std::uint8_t kSleep = 0x10;
inline constexpr std::uint8_t kQueueFull = 0x08;
inline constexpr std::uint8_t kPageBufferAvailable = 0x04;
inline constexpr std::uint8_t kPageBufferReady = 0x02;
inline constexpr std::uint8_t kPageBufferSelected = 0x01;
}  // namespace gsr

/// Block status register, one per block, read with kReadExtendedStatus at offset::kBsr of the block.
namespace bsr {
inline constexpr std::uint8_t kReady = 0x80;
inline constexpr std::uint8_t kUnlocked = 0x40;  ///< true after kUploadLockBits; before it: locks do not count
inline constexpr std::uint8_t kFailed = 0x20;
inline constexpr std::uint8_t kAborted = 0x10;
inline constexpr std::uint8_t kQueueFull = 0x08;
inline constexpr std::uint8_t kVppLow = 0x04;
}  // namespace bsr

/// Byte offsets of the extended status registers from the start of a segment (component offsets 2 and 4, doubled).
namespace offset {
inline constexpr std::uint32_t kBsr = 4;
inline constexpr std::uint32_t kGsr = 8;
}  // namespace offset

/// Identifier codes of one component in byte-wide mode, read after kReadIdentifier.
inline constexpr std::uint8_t kManufacturerCode = 0x89;  ///< component address 0
inline constexpr std::uint8_t kDeviceCode = 0xA0;        ///< component address 1

/// Bytes in one page buffer of a component; the pair loads twice as much in 16-bit cycles.
inline constexpr std::uint32_t kPageBufferBytes = 256;
inline constexpr std::uint32_t kPagePairBytes = 2 * kPageBufferBytes;
/// Operations the command queue of a component holds beside the one under way.
inline constexpr std::uint32_t kQueueDepth = 2;
/// Component offset (card offset / 2) of the device revision after kUploadDeviceInfo, kSwapPageBuffer, kReadPageBuffer.
inline constexpr std::uint32_t kDeviceRevisionByte = 6;

/// Component management registers: byte addresses in attribute memory (even bytes only).
namespace cmr {
inline constexpr std::uint32_t kConfigurationOption = 0x4000;
inline constexpr std::uint32_t kConfigurationStatus = 0x4002;
inline constexpr std::uint32_t kCardStatus = 0x4100;
inline constexpr std::uint32_t kWriteProtection = 0x4104;
inline constexpr std::uint32_t kVoltageControl = 0x410C;
inline constexpr std::uint32_t kReadyBusyMode = 0x4140;

inline constexpr std::uint8_t kOptionSreset = 0x80;
inline constexpr std::uint8_t kOptionLevelIrq = 0x40;
inline constexpr std::uint8_t kOptionIndexMask = 0x3F;

inline constexpr std::uint8_t kStatusPowerDown = 0x04;  ///< in kConfigurationStatus

inline constexpr std::uint8_t kCardSoftReset = 0x20;
inline constexpr std::uint8_t kCardCommonWriteProtect = 0x10;
inline constexpr std::uint8_t kCardPowerDown = 0x08;
inline constexpr std::uint8_t kCardCisWriteProtect = 0x04;
inline constexpr std::uint8_t kCardWriteProtectSwitch = 0x02;
inline constexpr std::uint8_t kCardReady = 0x01;

inline constexpr std::uint8_t kProtectBlockLockEnable = 0x04;  ///< BLKEN: 1 = lock bits count
inline constexpr std::uint8_t kProtectCommon = 0x02;           ///< CMWP
inline constexpr std::uint8_t kProtectCis = 0x01;              ///< CISWP

inline constexpr std::uint8_t kVoltageIs3V3 = 0x80;      ///< read only: Vcc level sensed
inline constexpr std::uint8_t kVoltageVppValid = 0x02;   ///< read only
inline constexpr std::uint8_t kVoltageVppEnable = 0x01;  ///< on-card generator

inline constexpr std::uint8_t kReadyHighPerformance = 0x01;  ///< MODE
inline constexpr std::uint8_t kReadyAcknowledge =
    0x02;  ///< RACK: reads 1 while a ready edge waits; write 0 to acknowledge
}  // namespace cmr

/// CIS tuple codes and device geometry the driver looks for.
namespace cis {
inline constexpr std::uint8_t kDevice = 0x01;
inline constexpr std::uint8_t kVersion1 = 0x15;
inline constexpr std::uint8_t kJedecCommon = 0x18;
inline constexpr std::uint8_t kConfig = 0x1A;
inline constexpr std::uint8_t kDeviceOther = 0x1C;
inline constexpr std::uint8_t kDeviceGeometry = 0x1E;
inline constexpr std::uint8_t kManufacturerId = 0x20;
inline constexpr std::uint8_t kFunctionId = 0x21;
inline constexpr std::uint8_t kEnd = 0xFF;
}  // namespace cis

}  // namespace ftlab::hw::series2plus
