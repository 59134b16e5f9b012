// The Flash Memory Server as the study configures it.
#include "firmware/ftl/fms/fms.h"
#include "platform/machine/firmwares/firmwares.h"
#include "platform/run/study_mapping.h"

namespace ftlab::platform {
namespace {

class FmsInstance final : public FirmwareInstance {
 public:
  FmsInstance(const FirmwarePorts& ports, const FmsConfig& config)
      : arena_(Fms::arena_bytes(ports.flash.geometry(), config)), fms_(ports.flash, ports.probe, config, arena_) {}
  Ftl& ftl() override { return fms_; }

 private:
  std::vector<std::byte> arena_;
  Fms fms_;
};

}  // namespace

std::unique_ptr<FirmwareInstance> make_fms(const Study& study, const FirmwarePorts& ports) {
  return std::make_unique<FmsInstance>(ports, fms_config_for(study, ports));
}

}  // namespace ftlab::platform
