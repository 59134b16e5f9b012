// The Flash Memory Server as the study configures it: policies that decide on the log of the page-mapped layer.
#include "common/input_error.h"
#include "firmware/ftl/fms/fms_config.h"
#include "firmware/target/handover.h"
#include "platform/firmwares/makers.h"
#include "platform/firmwares/pool_arithmetic.h"
#include "platform/firmwares/served_part.h"
#include "platform/firmwares/write_buffer.h"

namespace ftlab::platform {

std::unique_ptr<FirmwareInstance> make_fms(const Study& study, const FirmwarePorts& ports) {
  FmsConfig config = study.configs.get<FmsConfig>();
  config.selection = study.ftl.selection;
  config.seed = study.seed;
  if (ports.array != nullptr && config.segment_units != 1) {
    throw InputError(study.where_of("ftl.segment_units") +
                     "segments of several erase units are for NOR parts; ftl.clean_at_once cleans several segments of "
                     "a die together");
  }
  refuse_write_buffer(study, config.write_buffer);
  const fms::PolicyChoice choice = fms::choice_of(config);
  PagedFlashConfig part;
  part.begun_units = begun_units_of(choice);
  part.segment_units = config.segment_units;
  // The papers' card has its format in one: their figures of wear count it, and no page lies there.
  part.fixed_segments = 1;
  std::unique_ptr<ServedPart> served = serve_part(study, ports, part);
  if (const char* reason = fms::check(config, served->array().geometry()))
    throw InputError(where_of_reason(study, reason, "ftl.firmware") + reason);
  return make_policies(study, ports, std::move(served), config);
}

void hand_over_fms(const Study& study, target::Handover& handover) {
  FmsConfig config = study.configs.get<FmsConfig>();
  config.selection = study.ftl.selection;
  const fms::PolicyChoice choice = fms::choice_of(config);
  refuse_pool_arithmetic(study, fms::volume_of(config, choice));
  refuse_write_buffer(study, config.write_buffer);
  handover.layer = target::ServedLayer::fms;
  target::to_numbers(fms::kFmsFields, config, handover.fms);
  target::to_numbers(fms::kSharedFields, config.shared, handover.shared);
  handover.params = config.params;
}

}  // namespace ftlab::platform
