// Update in place as the study configures it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/input_error.h"
#include "firmware/ftl/in_place/in_place.h"
#include "platform/machine/firmwares/firmwares.h"

namespace ftlab::platform {
namespace {

InPlaceConfig in_place_config_for(const Study& study, const FirmwarePorts& ports) {
  const FlashGeometry& geometry = ports.flash.geometry();
  InPlaceConfig config;
  config.page_bytes = study.ftl.page_bytes != 0 ? static_cast<std::uint32_t>(study.ftl.page_bytes)
                                                : std::max(geometry.program_unit_bytes, 4096U);
  const std::uint32_t usable = in_place::max_logical_segments(geometry, ports.bad_reserve);
  config.logical_segments = static_cast<std::uint32_t>(std::floor(study.ftl.utilization * usable + 0.5));
  if (const char* reason = in_place::check(config, geometry)) {
    throw InputError(fmt::format("{}{} (ftl.utilization = {:g}, ftl.page_bytes = {}, {} segments of {} bytes)",
                                 study.where_of("ftl.firmware"), reason, study.ftl.utilization, config.page_bytes,
                                 geometry.segments, geometry.segment_bytes));
  }
  return config;
}

class InPlaceInstance final : public FirmwareInstance {
 public:
  InPlaceInstance(const FirmwarePorts& ports, const InPlaceConfig& config)
      : arena_(InPlace::arena_bytes(ports.flash, config)), ftl_(ports.flash, ports.probe, config, arena_) {}
  Ftl& ftl() override { return ftl_; }

 private:
  std::vector<std::byte> arena_;
  InPlace ftl_;
};

}  // namespace

std::unique_ptr<FirmwareInstance> make_in_place(const Study& study, const FirmwarePorts& ports) {
  return std::make_unique<InPlaceInstance>(ports, in_place_config_for(study, ports));
}

}  // namespace ftlab::platform
