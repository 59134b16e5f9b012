// The plain page-mapped layer (`pagemap`) in studies, and as one configures it.
#include "firmware/ftl/pagemap/pagemap.h"

#include <fmt/format.h>

#include <vector>

#include "common/input_error.h"
#include "platform/firmwares/makers.h"
#include "platform/firmwares/members.h"
#include "platform/firmwares/volume_size.h"
#include "platform/study/firmware_keys.h"

namespace ftlab::platform::firmwares {
namespace {

PageMapConfig pagemap_config_for(const Study& study, const FirmwarePorts& ports) {
  const FlashGeometry& geometry = ports.flash.geometry();
  PageMapConfig config = study.configs.get<PageMapConfig>();
  config.page_bytes = static_cast<std::uint32_t>(study.ftl.page_bytes);
  config.data_checksum = study.ftl.data_checksum;
  config.logical_pages = logical_pages_of(study, ports,
                                          {.volume = pagemap::volume_config(config, geometry),
                                           .geometry = geometry,
                                           .low_water = config.low_water,
                                           .lower = fmt::format("ftl.low_water ({})", config.low_water)});
  if (const char* reason = pagemap::check(config, geometry, ports.flash.capabilities())) {
    throw InputError(
        fmt::format("{}{} (ftl.utilization = {:g}, ftl.page_bytes = {}, ftl.low_water = {}, {} segments of {} KiB)",
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

std::unique_ptr<FirmwareInstance> make_pagemap(const Study& study, const FirmwarePorts& ports) {
  return std::make_unique<PageMapInstance>(ports, pagemap_config_for(study, ports));
}

void add_pagemap_keys(FirmwareKeys& keys) {
  keys.add(pagemap::kPageMapFields);
  keys.share_data_checksum("pagemap.data_checksum");
}

}  // namespace

constexpr FirmwareRow pagemap{.name = "pagemap",
                              .help = "a plain page-mapped layer, greedy, for NOR and NAND parts",
                              .title = [](const Study&) { return std::string("plain page-mapped layer"); },
                              .make = make_pagemap,
                              .keys = add_pagemap_keys,
                              .not_on_arrays = kTooFewSpareBytes,
                              .many_in_flight = true};

}  // namespace ftlab::platform::firmwares
