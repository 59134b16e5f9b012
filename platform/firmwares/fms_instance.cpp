// The Flash Memory Server as the study configures it.
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "common/input_error.h"
#include "firmware/ftl/fms/fms.h"
#include "firmware/ftl/fms/fms_on_dies.h"
#include "platform/firmwares/makers.h"
#include "platform/firmwares/volume_size.h"
#include "platform/study/params.h"

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

/// The keys that leave more room when lowered, with their values.
std::string room_keys(const FmsConfig& config) {
  const auto marks = [&](const char* between) {
    return fmt::format("ftl.low_water ({}){}ftl.high_water ({})", config.low_water, between, config.high_water);
  };
  if (!fms::chosen(config).redistribution->partitioned) return marks(" and ");
  return marks(", ") + fmt::format(" and ftl.partitions ({})", config.shared.partitions);
}

/// The place of the key that the reason begins with, or of the table.
std::string where_of_reason(const Study& study, std::string_view reason) {
  const std::string key = fmt::format("ftl.{}", reason.substr(0, reason.find(' ')));
  return find_param(key) != nullptr ? study.where_of(key) : "ftl: ";
}

/// Names in it point into the study. Throws InputError naming the key when the firmware refuses the combination.
FmsConfig fms_config_for(const Study& study, const FirmwarePorts& ports) {
  const FlashGeometry& part = ports.flash.geometry();
  const FtlChoices& ftl = study.ftl;
  const bool overlap = study.ftl.erase == Erasing::overlap;
  if (overlap && !ports.flash.capabilities().background_erase) {
    throw InputError(study.where_of("ftl.erase") +
                     "\"overlap\" needs devices that erase side by side, and this part has one; use \"wait\"");
  }
  FmsConfig config = study.configs.get<FmsConfig>();
  config.selection = study.ftl.selection;
  config.data_checksum = study.ftl.data_checksum;
  config.erase_mode = overlap ? FmsConfig::EraseMode::overlap : FmsConfig::EraseMode::wait;
  config.seed = study.seed;
  config.page_bytes = static_cast<std::uint32_t>(ftl.page_bytes);
  if (config.checkpoint_every != 0) {
    throw InputError(study.where_of("ftl.checkpoint_every") +
                     "it is for arrays; elsewhere the FMS writes what a mount needs unasked, so leave the key out");
  }
  if (const char* reason = fms::check_policies(config, part, ports.flash.capabilities()))
    throw InputError(where_of_reason(study, reason) + reason);
  const FlashGeometry geometry = fms::segments_of(config, part);
  config.logical_pages = logical_pages_of(study, ports,
                                          {.volume = fms::volume_config(config),
                                           .geometry = geometry,
                                           .low_water = config.low_water,
                                           .lower = room_keys(config)});
  if (const char* reason = fms::check(config, part, ports.flash.capabilities())) {
    throw InputError(
        fmt::format("ftl: {} (ftl.utilization = {:g}, ftl.page_bytes = {}, ftl.low_water = {}, {} segments "
                    "of {} KiB)",
                    reason, ftl.utilization, config.page_bytes, config.low_water, geometry.segments,
                    geometry.segment_bytes / kKiB));
  }
  return config;
}

/// What the FMS decides, on the log of the page-mapped layer.
std::unique_ptr<FirmwareInstance> make_fms_on_array(const Study& study, const FirmwarePorts& ports) {
  if (study.ftl.erase == Erasing::overlap) {
    throw InputError(study.where_of("ftl.erase") + "an array erases on its dies by itself; leave the key out");
  }
  FmsConfig config = study.configs.get<FmsConfig>();
  config.selection = study.ftl.selection;
  config.data_checksum = study.ftl.data_checksum;
  config.seed = study.seed;
  if (const char* reason = fms::check_on_dies(config, ports.array->geometry()))
    throw InputError(where_of_reason(study, reason) + reason);
  return make_policies_on_array(study, ports, fms::choice_of(config), config.checkpoint_every);
}

}  // namespace

std::unique_ptr<FirmwareInstance> make_fms(const Study& study, const FirmwarePorts& ports) {
  if (ports.array != nullptr) return make_fms_on_array(study, ports);
  return std::make_unique<FmsInstance>(ports, fms_config_for(study, ports));
}

}  // namespace ftlab::platform
