// Update in place in studies, and as one configures it.
#include "firmware/ftl/in_place/in_place.h"

#include <fmt/format.h>

#include <memory>
#include <utility>
#include <vector>

#include "common/input_error.h"
#include "firmware/target/handover.h"
#include "platform/firmwares/firmware_instance.h"
#include "platform/firmwares/members.h"
#include "platform/firmwares/served_part.h"

namespace ftlab::platform::firmwares {
namespace {

constexpr std::string_view kSaidOfInPlace[] = {"ftl.update"};

InPlaceConfig in_place_config_for(const Study& study, const FlashGeometry& geometry, std::uint32_t bad_reserve) {
  const std::uint32_t at_once = geometry.page_bytes * geometry.pages_at_once;
  const InPlaceConfig config =
      in_place::choose(static_cast<std::uint32_t>(study.ftl.page_bytes), utilization_ppb(study), geometry, bad_reserve);
  if (const char* reason = in_place::check(config, geometry)) {
    throw InputError(fmt::format(
        "{}{} (ftl.utilization = {:g}, ftl.page_bytes = {}, {} segments of {} bytes, {} bytes programmed at once)",
        where_of_reason(study, reason, "ftl.firmware"), reason, study.ftl.utilization, config.page_bytes,
        geometry.segments, geometry.pages_per_segment * geometry.page_bytes, at_once));
  }
  return config;
}

class InPlaceInstance final : public FirmwareInstance {
 public:
  InPlaceInstance(std::unique_ptr<ServedPart> part, ProbePort& probe, const InPlaceConfig& config)
      : part_(std::move(part)),
        arena_(InPlace::arena_bytes(part_->array(), config)),
        ftl_(part_->array(), probe, config, arena_) {}
  Ftl& ftl() override { return ftl_; }

 private:
  std::unique_ptr<ServedPart> part_;
  std::vector<std::byte> arena_;
  InPlace ftl_;
};

std::unique_ptr<FirmwareInstance> make_in_place(const Study& study, const FirmwarePorts& ports) {
  PagedFlashConfig wish;
  wish.bare = true;
  wish.resumes = false;
  std::unique_ptr<ServedPart> part = serve_part(study, ports, wish, ServedPages::of_part);
  const FlashGeometry& geometry = part->array().geometry();
  if (!study.platform.store_content && !geometry.keeps_metadata) {
    throw InputError(
        study.where_of("platform.store_content") +
        "what is updated in place is read to be written anew, so the part has to keep it; leave the key out");
  }
  const InPlaceConfig config = in_place_config_for(study, geometry, ports.bad_reserve);
  return std::make_unique<InPlaceInstance>(std::move(part), ports.probe, config);
}

}  // namespace

constexpr FirmwareRow in_place{
    .name = "in_place",
    .help = "update in place with a system buffer: a segment is read, erased and written back for each change",
    .title = [](const Study&) { return std::string("update in place with a system buffer"); },
    .said = kSaidOfInPlace,
    .make = make_in_place,
    .hand_over = [](const Study&, target::Handover& handover) { handover.layer = target::ServedLayer::in_place; },
    .updates_in_place = true};

}  // namespace ftlab::platform::firmwares
