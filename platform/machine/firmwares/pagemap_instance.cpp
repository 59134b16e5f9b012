// The plain page-mapped layer (`pagemap`) as the study configures it.
#include <fmt/format.h>

#include <vector>

#include "common/input_error.h"
#include "firmware/ftl/pagemap/pagemap.h"
#include "platform/machine/firmwares/firmwares.h"
#include "platform/machine/firmwares/volume_size.h"

namespace ftlab::platform {
namespace {

PageMapConfig config_for(const Study& study, const FirmwarePorts& ports) {
  const FlashGeometry& geometry = ports.flash.geometry();
  PageMapConfig config = study.pagemap;
  config.page_bytes = static_cast<std::uint32_t>(study.ftl.page_bytes);
  config.logical_pages = logical_pages_of(study, ports,
                                          {.volume = pagemap::volume_config(config, geometry),
                                           .geometry = geometry,
                                           .low_water_key = "pagemap.low_water",
                                           .low_water = config.low_water,
                                           .lower = fmt::format("pagemap.low_water ({})", config.low_water)});
  if (const char* reason = pagemap::check(config, geometry, ports.flash.capabilities())) {
    throw InputError(
        fmt::format("{}{} (ftl.utilization = {:g}, ftl.page_bytes = {}, pagemap.low_water = {}, {} segments of {} KiB)",
                    study.where_of("ftl.firmware"), reason, study.ftl.utilization, config.page_bytes, config.low_water,
                    geometry.segments, geometry.segment_bytes / kKiB));
  }
  return config;
}

class PageMapInstance final : public FirmwareInstance {
 public:
  PageMapInstance(const FirmwarePorts& ports, const PageMapConfig& config)
      : arena_(PageMap::arena_bytes(ports.flash.geometry(), config)),
        pagemap_(ports.flash, ports.probe, config, arena_) {}
  Ftl& ftl() override { return pagemap_; }

 private:
  std::vector<std::byte> arena_;
  PageMap pagemap_;
};

}  // namespace

std::unique_ptr<FirmwareInstance> make_pagemap(const Study& study, const FirmwarePorts& ports) {
  return std::make_unique<PageMapInstance>(ports, config_for(study, ports));
}

}  // namespace ftlab::platform
