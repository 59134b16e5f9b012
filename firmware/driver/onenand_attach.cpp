// Attaching to a part: identifiers, known state, unlocked segments, the boundary between SLC and MLC area.
#include "firmware/driver/onenand_driver.h"
#include "hw/regs/onenand_regs.h"

namespace ftlab {

namespace regs = hw::flexonenand;
namespace reg = hw::flexonenand::reg;
namespace code = hw::flexonenand::command;

namespace {

constexpr std::uint32_t kSegmentBytes = regs::kMlcPagesPerSegment * regs::kPageBytes;
constexpr std::uint16_t kDataBufferWords = 0x0800;
constexpr std::uint16_t kBuffers = 0x0201;  // two data buffers, one boot buffer
constexpr std::uint32_t kLeastDensity = 5;  // 4 Gb: 1024 segments
constexpr std::uint32_t kMostDensity = 7;

struct PairTable {
  std::uint8_t partner[regs::kMlcPagesPerSegment]{};
  constexpr PairTable() {
    for (std::uint32_t page = 0; page < regs::kMlcPagesPerSegment; ++page) {
      partner[page] = static_cast<std::uint8_t>(regs::paired::partner(page));
    }
  }
};
constexpr PairTable kPairs;

}  // namespace

bool OneNandSequences::identify(Identity& identity) {
  // Whatever runs is ended first: identifiers can be read from an idle part only.
  for (const bool before : {true, false}) {
    port_.write16(regs::area::kBootRam, regs::boot_command::kReset);
    if (!await(regs::interrupt::kReset, DriverWait::poll, config_.erase_poll_ns).met) return false;
    if (!before) break;
    port_.write16(reg::kSystemConfig1, regs::config::kDefault);
    port_.write16(regs::area::kBootRam, regs::boot_command::kReadId);
    identity.manufacturer = port_.read16(regs::area::kBootRam);
    identity.device = port_.read16(regs::area::kBootRam + 2);
  }
  identity.consistent =
      port_.read16(reg::kManufacturerId) == identity.manufacturer && port_.read16(reg::kDeviceId) == identity.device &&
      port_.read16(reg::kDataBufferSize) == kDataBufferWords && port_.read16(reg::kBufferCount) == kBuffers;
  identity.version = port_.read16(reg::kVersionId);
  return true;
}

void OneNandSequences::configure(std::uint16_t version) {
  system_config_ = regs::config::kDefault | regs::config::kOutputsOn;
  if (config_.sync_burst) {
    constexpr std::uint16_t kLatency66 = 4;
    constexpr std::uint16_t kLatencyAbove = 6;
    const std::uint32_t grade = (version & regs::speed_grade::kMask) >> regs::speed_grade::kShift;
    const bool fast = grade >= regs::speed_grade::k83Mhz;
    const std::uint32_t latency = fast ? kLatencyAbove : kLatency66;
    system_config_ = static_cast<std::uint16_t>((system_config_ & ~regs::config::kLatencyMask) |
                                                (latency << regs::config::kLatencyShift) | regs::config::kSyncRead |
                                                (fast ? regs::config::kHighFrequency : 0));
  }
  port_.write16(reg::kSystemConfig1, system_config_);
  port_.write16(reg::kStartBuffer, regs::kStartBufferPage);
  port_.write16(reg::kStartAddress2, 0);
  selected_ = 0;
}

bool OneNandSequences::unlock_all(std::uint16_t die) {
  address({.die = die});
  if (!reset_core()) return false;
  port_.write16(reg::kStartBlock, 0);
  command(code::kUnlockAll);
  return await(regs::interrupt::kInt, DriverWait::poll, config_.erase_poll_ns).met;
}

bool OneNandSequences::read_boundary(std::uint16_t die, std::uint32_t segments, std::uint32_t& last_slc) {
  port_.write16(reg::kSystemConfig1, system_config_ | regs::config::kEccOff);
  address({.die = die});
  port_.write16(reg::kStartAddress8, 0);
  command(code::kPartitionAccess);
  bool good = await(regs::interrupt::kInt, DriverWait::poll, config_.erase_poll_ns).met;
  if (good) {
    command(code::kLoad);
    good = await(regs::interrupt::kRead, config_.read_wait, config_.read_poll_ns).met &&
           (port_.read16(reg::kControllerStatus) & regs::status::kError) == 0;
    last_slc = port_.read16(regs::area::kDataRam) & regs::partition::boundary_mask(segments);
  }
  good = reset_core() && good;
  port_.write16(reg::kSystemConfig1, system_config_);
  return good;
}

OneNandAttachStatus OneNandDriver::attach() {
  geometry_ = {};
  dies_ = {};
  open_erase_ = nullptr;
  erasing_ = erase_order_ = first_ = count_ = 0;
  OneNandSequences::Identity identity;
  if (!sequences_.identify(identity)) return OneNandAttachStatus::not_ready;
  const std::uint32_t density = (identity.device & regs::id::kDensityMask) >> regs::id::kDensityShift;
  if (identity.manufacturer != regs::id::kSamsung || density < kLeastDensity || density > kMostDensity ||
      (identity.device & regs::id::kSeparationMask) != regs::id::kSeparationFlex) {
    return OneNandAttachStatus::wrong_device;
  }
  if (!identity.consistent) return OneNandAttachStatus::bad_geometry;
  const std::uint32_t segments = 1024U << (density - kLeastDensity);
  const std::uint32_t dies = (identity.device & regs::id::kDualDie) != 0 ? 2 : 1;
  segments_per_die_ = segments / dies;
  sequences_.configure(identity.version);
  std::uint32_t first_boundary = 0;
  for (std::uint16_t die = 0; die < dies; ++die) {
    std::uint32_t boundary = 0;
    if (!sequences_.unlock_all(die) || !sequences_.read_boundary(die, segments_per_die_, boundary)) {
      return OneNandAttachStatus::not_ready;
    }
    if (die == 0) first_boundary = boundary;
    if (boundary != first_boundary) return OneNandAttachStatus::bad_geometry;
  }
  geometry_ = {.segments = segments,
               .segment_bytes = kSegmentBytes,
               .program_unit_bytes = regs::kPageBytes,
               .spare_bytes = kSpareBytes,
               .parallel_units = dies,
               .rated_erase_cycles = config_.rated_erase_cycles,
               .paired_page = kPairs.partner,
               .slc_segments_per_unit = first_boundary + 1};
  capabilities_ = {.cache_program = config_.cache_program,
                   .copy_back = true,
                   .spare = true,
                   .burst = config_.sync_burst,
                   .background_erase = config_.background_erase && dies > 1,
                   .chained = true,
                   .queue_depth = kQueueDepth};
  return OneNandAttachStatus::ok;
}

void OneNandDriver::release() {
  while (DieState* const die = oldest_erase()) finish_erase(*die);
}

}  // namespace ftlab
