// Attaching to a part: identifiers, known state, unlocked segments, the boundary between SLC and MLC area.
#include "firmware/driver/onenand/driver.h"
#include "hw/regs/onenand_regs.h"

namespace ftlab {

namespace onenand = hw::flexonenand;
namespace reg = hw::flexonenand::reg;

namespace {

constexpr std::uint32_t kSegmentBytes = onenand::kMlcPagesPerSegment * onenand::kPageBytes;
constexpr std::uint16_t kDataBufferWords = 0x0800;
constexpr std::uint16_t kBuffers = 0x0201;  // two data buffers, one boot buffer
constexpr std::uint32_t kLeastDensity = 5;  // 4 Gb: 1024 segments
constexpr std::uint32_t kMostDensity = 7;

struct PairTable {
  std::uint8_t partner[onenand::kMlcPagesPerSegment]{};
  constexpr PairTable() {
    for (std::uint32_t page = 0; page < onenand::kMlcPagesPerSegment; ++page) {
      partner[page] = static_cast<std::uint8_t>(onenand::paired::partner(page));
    }
  }
};
constexpr PairTable kPairs;

}  // namespace

bool OneNandSequences::identify(Identity& identity) {
  // Whatever runs is ended first: identifiers can be read from an idle part only.
  for (const bool before : {true, false}) {
    port_.write16(onenand::area::kBootRam, onenand::boot_command::kReset);
    if (!await(onenand::interrupt::kReset, DriverWait::poll, config_.erase_poll_ns).met) return false;
    if (!before) break;
    port_.write16(reg::kSystemConfig1, onenand::config::kDefault);
    port_.write16(onenand::area::kBootRam, onenand::boot_command::kReadId);
    identity.manufacturer = port_.read16(onenand::area::kBootRam);
    identity.device = port_.read16(onenand::area::kBootRam + 2);
  }
  identity.consistent =
      port_.read16(reg::kManufacturerId) == identity.manufacturer && port_.read16(reg::kDeviceId) == identity.device &&
      port_.read16(reg::kDataBufferSize) == kDataBufferWords && port_.read16(reg::kBufferCount) == kBuffers;
  identity.version = port_.read16(reg::kVersionId);
  return true;
}

void OneNandSequences::configure(std::uint16_t version) {
  system_config_ = onenand::config::kDefault | onenand::config::kOutputsOn;
  if (config_.sync_burst) {
    constexpr std::uint16_t kLatency66 = 4;
    constexpr std::uint16_t kLatencyAbove = 6;
    const std::uint32_t grade = (version & onenand::speed_grade::kMask) >> onenand::speed_grade::kShift;
    const bool fast = grade >= onenand::speed_grade::k83Mhz;
    const std::uint32_t latency = fast ? kLatencyAbove : kLatency66;
    system_config_ = static_cast<std::uint16_t>(
        (system_config_ & ~onenand::config::kLatencyMask) | (latency << onenand::config::kLatencyShift) |
        onenand::config::kSyncRead | (fast ? onenand::config::kHighFrequency : 0));
  }
  port_.write16(reg::kSystemConfig1, system_config_);
  port_.write16(reg::kStartBuffer, onenand::kStartBufferPage);
  port_.write16(reg::kStartAddress2, 0);
  selected_ = 0;
}

bool OneNandSequences::unlock_all(std::uint16_t die) {
  address({.die = die});
  if (!reset_core()) return false;
  port_.write16(reg::kStartBlock, 0);
  command(onenand::command::kUnlockAll);
  return await(onenand::interrupt::kInt, DriverWait::poll, config_.erase_poll_ns).met;
}

bool OneNandSequences::all_unlocked(std::uint16_t die, std::uint32_t segments) {
  for (std::uint32_t segment = 0; segment < segments; ++segment)
    if (!unlocked({.die = die, .segment = static_cast<std::uint16_t>(segment)})) return false;
  return true;
}

bool OneNandSequences::read_partition(std::uint16_t die, std::uint16_t& word) {
  port_.write16(reg::kSystemConfig1, system_config_ | onenand::config::kEccOff);
  address({.die = die});
  port_.write16(reg::kStartAddress8, 0);
  command(onenand::command::kPartitionAccess);
  bool good = await(onenand::interrupt::kInt, DriverWait::poll, config_.erase_poll_ns).met;
  if (good) {
    command(onenand::command::kLoad);
    good = await(onenand::interrupt::kRead, config_.read_wait, config_.read_poll_ns).met &&
           (port_.read16(reg::kControllerStatus) & onenand::status::kError) == 0;
    word = port_.read16(onenand::area::kDataRam);
  }
  good = reset_core() && good;
  port_.write16(reg::kSystemConfig1, system_config_);
  return good;
}

OneNandAttachStatus OneNandDriver::attach() {
  geometry_ = {};
  dies_ = {};
  open_erase_ = nullptr;
  erasing_ = erase_order_ = 0;
  finished_.clear();
  OneNandSequences::Identity identity;
  if (!sequences_.identify(identity)) return OneNandAttachStatus::not_ready;
  const std::uint32_t density = (identity.device & onenand::id::kDensityMask) >> onenand::id::kDensityShift;
  if (identity.manufacturer != onenand::id::kSamsung || density < kLeastDensity || density > kMostDensity ||
      (identity.device & onenand::id::kSeparationMask) != onenand::id::kSeparationFlex) {
    return OneNandAttachStatus::wrong_device;
  }
  if (!identity.consistent) return OneNandAttachStatus::bad_geometry;
  const std::uint32_t dies = (identity.device & onenand::id::kDualDie) != 0 ? 2 : 1;
  segments_per_die_ = (1024U << (density - kLeastDensity)) / dies;
  if (config_.segments_per_die > segments_per_die_) return OneNandAttachStatus::bad_geometry;
  if (config_.segments_per_die != 0) segments_per_die_ = config_.segments_per_die;
  const std::uint32_t segments = segments_per_die_ * dies;
  sequences_.configure(identity.version);
  std::uint32_t first_boundary = 0;
  for (std::uint16_t die = 0; die < dies; ++die) {
    std::uint16_t word = 0;
    if (!sequences_.unlock_all(die) || !sequences_.read_partition(die, word)) return OneNandAttachStatus::not_ready;
    if (!sequences_.all_unlocked(die, segments_per_die_)) return OneNandAttachStatus::locked;
    // No code covers the word: its fixed bits are all that tells it from noise.
    if (!onenand::partition::plausible(word, segments_per_die_)) return OneNandAttachStatus::bad_partition;
    const std::uint32_t boundary = word & onenand::partition::boundary_mask(segments_per_die_);
    if (die == 0) first_boundary = boundary;
    if (boundary != first_boundary) return OneNandAttachStatus::bad_geometry;
  }
  geometry_ = {.segments = segments,
               .segment_bytes = kSegmentBytes,
               .program_unit_bytes = onenand::kPageBytes,
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
                   .queue_depth = DoneRing::kDepth};
  return OneNandAttachStatus::ok;
}

void OneNandDriver::release() {
  while (DieState* const die = oldest_erase()) finish_erase(*die);
}

}  // namespace ftlab
