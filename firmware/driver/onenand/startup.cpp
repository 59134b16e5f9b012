#include "firmware/driver/onenand/startup.h"

#include "hw/regs/onenand_regs.h"

namespace ftlab {

namespace onenand = hw::flexonenand;
namespace reg = hw::flexonenand::reg;

namespace {

constexpr std::uint16_t kDataBufferWords = 0x0800;
constexpr std::uint16_t kBuffers = 0x0201;  // two data buffers, one boot buffer
constexpr std::uint32_t kMinDensity = 5;    // 4 Gb: 1024 segments
constexpr std::uint32_t kMaxDensity = 7;

}  // namespace

bool OneNandStartup::identify(Identity& identity) {
  // Whatever runs is ended first: identifiers can be read from an idle part only.
  for (const bool before : {true, false}) {
    bus_.write16(onenand::area::kBootRam, onenand::boot_command::kReset);
    if (!bus_.await(onenand::interrupt::kReset, DriverWait::poll, config_.erase_poll_ns).met) return false;
    if (!before) break;
    bus_.write16(reg::kSystemConfig1, onenand::config::kDefault);
    bus_.write16(onenand::area::kBootRam, onenand::boot_command::kReadId);
    identity.manufacturer = bus_.read16(onenand::area::kBootRam);
    identity.device = bus_.read16(onenand::area::kBootRam + 2);
  }
  identity.consistent =
      bus_.read16(reg::kManufacturerId) == identity.manufacturer && bus_.read16(reg::kDeviceId) == identity.device &&
      bus_.read16(reg::kDataBufferSize) == kDataBufferWords && bus_.read16(reg::kBufferCount) == kBuffers;
  identity.version = bus_.read16(reg::kVersionId);
  return true;
}

void OneNandStartup::configure(std::uint16_t version) {
  system_config_ = onenand::config::kDefault | onenand::config::kOutputsOn;
  if (config_.sync_burst) {
    const std::uint32_t grade = (version & onenand::speed_grade::kMask) >> onenand::speed_grade::kShift;
    const bool fast = grade >= onenand::speed_grade::k83Mhz;
    const std::uint32_t latency = fast ? onenand::config::kLatency83Mhz : onenand::config::kLatencyTo66Mhz;
    system_config_ = static_cast<std::uint16_t>(
        (system_config_ & ~onenand::config::kLatencyMask) | (latency << onenand::config::kLatencyShift) |
        onenand::config::kSyncRead | (fast ? onenand::config::kHighFrequency : 0));
  }
  bus_.write16(reg::kSystemConfig1, system_config_);
  // The only value that is legal there.
  bus_.write16(reg::kStartBuffer, onenand::kStartBufferPage);
  bus_.selected_by_reset();
}

bool OneNandStartup::unlock_all(std::uint16_t die) {
  bus_.address({.die = die});
  if (!bus_.reset_core()) return false;
  bus_.write16(reg::kStartBlock, 0);
  bus_.command(onenand::command::kUnlockAll);
  return bus_.await(onenand::interrupt::kInt, DriverWait::poll, config_.erase_poll_ns).met;
}

bool OneNandStartup::all_unlocked(std::uint16_t die, std::uint32_t segments) {
  for (std::uint32_t segment = 0; segment < segments; ++segment)
    if (!bus_.unlocked({.die = die, .segment = static_cast<std::uint16_t>(segment)})) return false;
  return true;
}

bool OneNandStartup::read_partition(std::uint16_t die, std::uint16_t& word) {
  bus_.write16(reg::kSystemConfig1, system_config_ | onenand::config::kEccOff);
  bus_.address({.die = die});
  bus_.write16(reg::kStartAddress8, 0);
  bus_.command(onenand::command::kPartitionAccess);
  bool good = bus_.await(onenand::interrupt::kInt, DriverWait::poll, config_.erase_poll_ns).met;
  if (good) {
    bus_.command(onenand::command::kLoad);
    good = bus_.await(onenand::interrupt::kRead, config_.read_wait, config_.read_poll_ns).met &&
           (bus_.read16(reg::kControllerStatus) & onenand::status::kError) == 0;
    word = bus_.read16(onenand::area::kDataRam);
  }
  good = bus_.reset_core() && good;
  bus_.write16(reg::kSystemConfig1, system_config_);
  return good;
}

OneNandAttachStatus OneNandStartup::prepare_die(std::uint16_t die, std::uint32_t segments, std::uint32_t& boundary) {
  std::uint16_t word = 0;
  if (!unlock_all(die) || !read_partition(die, word)) return OneNandAttachStatus::not_ready;
  if (!all_unlocked(die, segments)) return OneNandAttachStatus::locked;
  // No code covers the word: its fixed bits are all that distinguishes it from noise.
  if (!onenand::partition::plausible(word, segments)) return OneNandAttachStatus::bad_partition;
  boundary = word & onenand::partition::boundary_mask(segments);
  return OneNandAttachStatus::ok;
}

OneNandStartup::Part OneNandStartup::run() {
  const auto failed = [](OneNandAttachStatus status) {
    Part none;
    none.status = status;
    return none;
  };
  Identity identity;
  if (!identify(identity)) return {};
  const std::uint32_t density = (identity.device & onenand::id::kDensityMask) >> onenand::id::kDensityShift;
  if (identity.manufacturer != onenand::id::kSamsung || density < kMinDensity || density > kMaxDensity ||
      (identity.device & onenand::id::kSeparationMask) != onenand::id::kSeparationFlex)
    return failed(OneNandAttachStatus::wrong_device);
  if (!identity.consistent) return failed(OneNandAttachStatus::bad_geometry);
  Part part;
  part.dies = (identity.device & onenand::id::kDualDie) != 0 ? 2 : 1;
  const std::uint32_t most = (1024U << (density - kMinDensity)) / part.dies;
  if (config_.segments_per_die > most) return failed(OneNandAttachStatus::bad_geometry);
  part.layout.segments_per_die = config_.segments_per_die != 0 ? config_.segments_per_die : most;
  configure(identity.version);
  for (std::uint32_t die = 0; die < part.dies; ++die) {
    std::uint32_t boundary = 0;
    const OneNandAttachStatus status =
        prepare_die(static_cast<std::uint16_t>(die), part.layout.segments_per_die, boundary);
    if (status != OneNandAttachStatus::ok) return failed(status);
    if (die > 0 && boundary + 1 != part.layout.slc_segments_per_die) return failed(OneNandAttachStatus::bad_geometry);
    part.layout.slc_segments_per_die = boundary + 1;
  }
  part.status = OneNandAttachStatus::ok;
  return part;
}

}  // namespace ftlab
