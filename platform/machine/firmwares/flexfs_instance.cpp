// FlexFS as the study configures it, and the figures of its paper.
#include "firmware/ftl/flexfs/flexfs.h"
#include "platform/machine/firmwares/firmwares.h"
#include "platform/run/study_mapping.h"

namespace ftlab::platform {
namespace {

constexpr double kMib = static_cast<double>(kMiB);

class FlexFsInstance final : public FirmwareInstance {
 public:
  FlexFsInstance(const FirmwarePorts& ports, const FlexFsConfig& config)
      : arena_(FlexFs::arena_bytes(ports.flash.geometry(), config)),
        flexfs_(ports.flash, ports.probe, config, arena_, &ports.clock) {}
  Ftl& ftl() override { return flexfs_; }

  [[nodiscard]] std::vector<FirmwareFigure> figures() const override {
    const flexfs::FlexFsStats s = flexfs_.flexfs_stats();
    const auto share = [](std::uint32_t q16) { return static_cast<double>(q16) / 65536.0; };
    const auto number = [](auto n) { return static_cast<double>(n); };
    return {{"alpha", share(s.alpha)},
            {"delta", share(s.delta)},
            {"energy_share", share(s.energy_share)},
            {"slc_share", share(s.share)},
            {"predicted_idle_s", number(s.predicted_idle_ns) * 1e-9},
            {"predicted_hot_pages", number(s.predicted_hot_pages)},
            {"slc_segments", number(s.slc_segments)},
            {"mlc_segments", number(s.mlc_segments)},
            {"free_segments", number(s.free_segments)},
            {"hot_files", number(s.hot_files)},
            {"window_budget_mib", number(s.window_budget_bytes) / kMib},
            {"used_mib", number(s.used_bytes) / kMib},
            {"endurance_mib", number(s.endurance_bytes) / kMib},
            {"predicted_mj_per_mib", number(s.predicted_nj_per_mib) * 1e-6},
            {"pages_to_slc", number(s.pages_to_slc)},
            {"pages_to_mlc", number(s.pages_to_mlc)},
            {"hot_pages_to_slc", number(s.hot_pages_to_slc)},
            {"diverted_pages", number(s.diverted_pages)},
            {"compulsory_pages", number(s.compulsory_pages)},
            {"background_pages", number(s.background_pages)},
            {"cleaned_pages", number(s.cleaned_pages)},
            {"refreshed_pages", number(s.refreshed_pages)},
            {"compulsory_runs", number(s.compulsory_runs)},
            {"coalesced_writes", number(s.coalesced_writes)},
            {"filled_pages", number(s.filled_pages)},
            {"lost_writes", number(s.lost_writes)},
            {"anchors", number(s.checkpoints)}};
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
