#include "firmware/driver/series2plus/card_control.h"

#include "hw/regs/series2plus_regs.h"

namespace ftlab {

namespace cmr = hw::series2plus::cmr;

namespace {
constexpr std::uint64_t kWakeNs = 1'000;  // power-down or reset to components that answer
constexpr std::uint64_t kVppPollNs = 1'000'000;
constexpr std::uint64_t kReadyPollNs = 10'000'000;
}  // namespace

void CardControl::wake() {
  clear_bits(cmr::kConfigurationOption, cmr::kOptionSreset);
  clear_bits(cmr::kConfigurationStatus, cmr::kStatusPowerDown);
  clear_bits(cmr::kReadyBusyMode, cmr::kReadyHighPerformance);
  attribute_.delay_ns(kWakeNs);
}

void CardControl::clear_bits(std::uint32_t address, std::uint8_t bits) {
  const std::uint8_t now = attribute_.read8(address);
  if ((now & bits) != 0) attribute_.write8(address, now & static_cast<std::uint8_t>(~bits));
}

bool CardControl::wait_all_ready() {
  for (std::uint64_t waited = 0;; waited += kReadyPollNs) {
    if ((attribute_.read8(cmr::kCardStatus) & cmr::kCardReady) != 0) return true;
    if (waited >= config_.erase_deadline_ns) return false;
    attribute_.delay_ns(kReadyPollNs);
  }
}

void CardControl::apply_lock_policy() {
  const std::uint8_t now = attribute_.read8(cmr::kWriteProtection);
  const auto others = static_cast<std::uint8_t>(now & ~cmr::kProtectBlockLockEnable);
  const std::uint8_t wanted = config_.honour_locks ? (others | cmr::kProtectBlockLockEnable) : others;
  if (wanted != now) attribute_.write8(cmr::kWriteProtection, wanted);
}

bool CardControl::write_protected() {
  constexpr std::uint8_t kProtected = cmr::kCardWriteProtectSwitch | cmr::kCardCommonWriteProtect;
  return (attribute_.read8(cmr::kCardStatus) & kProtected) != 0;
}

bool CardControl::provide_vpp() {
  if (vpp_good_) return true;
  std::uint8_t voltage = attribute_.read8(cmr::kVoltageControl);
  if (config_.use_vpp_generator && (voltage & cmr::kVoltageVppEnable) == 0) {
    attribute_.write8(cmr::kVoltageControl, voltage | cmr::kVoltageVppEnable);
    voltage = attribute_.read8(cmr::kVoltageControl);
    for (std::uint64_t waited = 0; (voltage & cmr::kVoltageVppValid) == 0 && waited < config_.vpp_settle_ns;
         waited += kVppPollNs) {
      attribute_.delay_ns(kVppPollNs);
      voltage = attribute_.read8(cmr::kVoltageControl);
    }
  }
  vpp_good_ = (voltage & cmr::kVoltageVppValid) != 0;
  return vpp_good_;
}

void CardControl::switch_vpp_off() {
  vpp_good_ = false;
  if (!config_.use_vpp_generator) return;
  clear_bits(cmr::kVoltageControl, cmr::kVoltageVppEnable);
}

}  // namespace ftlab
