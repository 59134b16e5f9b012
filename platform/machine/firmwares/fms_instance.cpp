// The Flash Memory Server as the study configures it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "common/input_error.h"
#include "firmware/ftl/fms/fms.h"
#include "platform/machine/firmwares/firmwares.h"
#include "platform/machine/firmwares/logical_pages.h"

namespace ftlab::platform {
namespace {

/// Throws InputError, with the sizes that work, unless pages of this size fit into the part's segments.
void require_page_size(const Study& study, const FlashGeometry& geometry) {
  const auto fits = [&](std::uint32_t bytes) {
    return geometry.segment_bytes % bytes == 0 && usable_slots(geometry, bytes, study.fms.data_checksum) > 0;
  };
  if (fits(static_cast<std::uint32_t>(study.ftl.page_bytes))) return;
  std::vector<std::uint32_t> work;
  for (std::uint32_t bytes = 256; bytes <= 65536; bytes *= 2)
    if (fits(bytes)) work.push_back(bytes);
  if (work.empty()) return;  // the part cannot be served at all, which is said by check()
  const char* medium = is_nand(geometry) ? ", because a page of the part is the mapping unit" : "";
  throw InputError(fmt::format("{}{} bytes do not suit this part with segments of {} KiB{}; use {}",
                               study.where_of("ftl.page_bytes"), study.ftl.page_bytes, geometry.segment_bytes / kKiB,
                               medium, fmt::join(work, ", ")));
}

/// Throws InputError, with the most that works, when cleaning could not find room at this utilization.
void require_room(const Study& study, const FmsConfig& config, const FlashGeometry& geometry, std::uint32_t segments) {
  const std::uint32_t most = fms::max_logical_pages(config, geometry);
  if (config.logical_pages <= most) return;
  const std::uint32_t slots = usable_slots(geometry, config.page_bytes, config.data_checksum);
  int percent = static_cast<int>(study.ftl.utilization * 100);
  while (percent > 0 && logical_pages_for(percent / 100.0, segments, config.low_water, slots) > most) --percent;
  const std::string way_out = percent > 0 ? fmt::format("use at most {:.2f} (ftl.spare_factor {:.2f}), or lower",
                                                        percent / 100.0, 1 - percent / 100.0)
                                          : std::string("lower");
  throw InputError(
      fmt::format("{}{:g} leaves cleaning no room on {} segments of {} KiB; {} ftl.low_water ({}) and "
                  "ftl.high_water ({})",
                  study.where_of("ftl.utilization"), study.ftl.utilization, geometry.segments,
                  geometry.segment_bytes / kKiB, way_out, config.low_water, config.high_water));
}

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

FmsConfig fms_config_for(const Study& study, const FirmwarePorts& ports) {
  const FlashGeometry& geometry = ports.flash.geometry();
  const FtlChoices& ftl = study.ftl;
  if (study.fms.erase_mode == FmsConfig::EraseMode::overlap && !ports.flash.capabilities().background_erase) {
    throw InputError(study.where_of("ftl.erase") +
                     "\"overlap\" needs devices that erase side by side, and this part has one; use \"wait\"");
  }
  FmsConfig config = study.fms;
  config.page_bytes = static_cast<std::uint32_t>(ftl.page_bytes);
  require_page_size(study, geometry);
  const std::uint32_t data = data_segments(geometry);
  const std::uint32_t segments = data - std::min(data, ports.bad_reserve);
  if (segments <= config.low_water) {
    throw InputError(
        fmt::format("{}{} segments in reserve leave none of the {} data segments of this part; use at most {}, or "
                    "a larger part",
                    study.where_of("ftl.low_water"), config.low_water, segments, segments > 1 ? segments - 1 : 0));
  }
  config.logical_pages = logical_pages_for(ftl.utilization, segments, config.low_water,
                                           usable_slots(geometry, config.page_bytes, config.data_checksum));
  require_room(study, config, geometry, segments);
  if (const char* reason = fms::check(config, geometry, ports.flash.capabilities())) {
    throw InputError(
        fmt::format("ftl: {} (ftl.utilization = {:g}, ftl.page_bytes = {}, ftl.low_water = {}, {} segments "
                    "of {} KiB)",
                    reason, ftl.utilization, config.page_bytes, config.low_water, geometry.segments,
                    geometry.segment_bytes / kKiB));
  }
  return config;
}

std::unique_ptr<FirmwareInstance> make_fms(const Study& study, const FirmwarePorts& ports) {
  return std::make_unique<FmsInstance>(ports, fms_config_for(study, ports));
}

}  // namespace ftlab::platform
