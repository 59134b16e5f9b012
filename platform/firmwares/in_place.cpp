// Update in place in studies, and as one configures it.
#include "firmware/ftl/in_place/in_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/input_error.h"
#include "platform/firmwares/firmware_instance.h"
#include "platform/firmwares/members.h"
#include "platform/firmwares/served_part.h"

namespace ftlab::platform::firmwares {
namespace {

constexpr std::string_view kSaidOfInPlace[] = {"ftl.update"};

InPlaceConfig in_place_config_for(const Study& study, const FirmwarePorts& ports) {
  const FlashGeometry& geometry = ports.flash.geometry();
  InPlaceConfig config;
  config.page_bytes = study.ftl.page_bytes != 0 ? static_cast<std::uint32_t>(study.ftl.page_bytes)
                                                : std::max(geometry.program_unit_bytes, 4096U);
  const std::uint32_t usable = in_place::max_logical_segments(geometry, ports.bad_reserve);
  config.logical_segments = static_cast<std::uint32_t>(std::floor(study.ftl.utilization * usable + 0.5));
  if (const char* reason = in_place::check(config, geometry)) {
    throw InputError(fmt::format(
        "{}{} (ftl.utilization = {:g}, ftl.page_bytes = {}, {} segments of {} bytes, {} bytes programmed at once)",
        where_of_reason(study, reason, "ftl.firmware"), reason, study.ftl.utilization, config.page_bytes,
        geometry.segments, geometry.segment_bytes, geometry.program_unit_bytes));
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

std::unique_ptr<FirmwareInstance> make_in_place(const Study& study, const FirmwarePorts& ports) {
  const bool keeps_metadata = ports.array == nullptr && ports.flash.geometry().spare_bytes > 0;
  if (!study.platform.store_content && !keeps_metadata) {
    throw InputError(
        study.where_of("platform.store_content") +
        "what is updated in place is read to be written anew, so the part has to keep it; leave the key out");
  }
  return std::make_unique<InPlaceInstance>(ports, in_place_config_for(study, ports));
}

}  // namespace

constexpr FirmwareRow in_place{
    .name = "in_place",
    .help = "update in place with a system buffer: a segment is read, erased and written back for each change",
    .title = [](const Study&) { return std::string("update in place with a system buffer"); },
    .said = kSaidOfInPlace,
    .make = make_in_place,
    .updates_in_place = true};

}  // namespace ftlab::platform::firmwares
