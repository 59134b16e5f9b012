// FlexFS as the study configures it, and the figures of its paper.
#include "firmware/ftl/flexfs/flexfs.h"
#include "platform/machine/firmwares/firmwares.h"
#include "platform/run/study_mapping.h"

namespace ftlab::platform {
namespace {

class FlexFsInstance final : public FirmwareInstance {
 public:
  FlexFsInstance(const FirmwarePorts& ports, const FlexFsConfig& config)
      : arena_(FlexFs::arena_bytes(ports.flash.geometry(), config)),
        flexfs_(ports.flash, ports.probe, config, arena_, &ports.clock) {}
  Ftl& ftl() override { return flexfs_; }

  [[nodiscard]] std::vector<FirmwareFigure> figures() const override {
    return figures_of(flexfs::kFlexFsCounters, flexfs_.flexfs_stats());
  }

 private:
  std::vector<std::byte> arena_;
  FlexFs flexfs_;
};

}  // namespace

std::unique_ptr<FirmwareInstance> make_flexfs(const Study& study, const FirmwarePorts& ports) {
  return std::make_unique<FlexFsInstance>(ports, flexfs_config_for(study, ports));
}

}  // namespace ftlab::platform
