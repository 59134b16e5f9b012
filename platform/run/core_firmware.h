// Firmware that a core executes, as a run sees it: requests go to the host queue and completions come from there, and
// what it counts is read out of its memory. Knows the report and the handover of firmware/target; no layer and no part.
#pragma once

#include <memory>
#include <optional>

#include "platform/firmwares/firmware_instance.h"
#include "platform/machine/machine.h"
#include "platform/machine/part_size.h"

namespace ftlab::platform {

/// Starts the one of the tree, or the program that the study names, on a machine whose processor is a core.
/// `bad_at_format` as in FirmwarePorts. Throws InputError when the firmware refuses the study.
class CoreFirmware : public FirmwareInstance {
 public:
  [[nodiscard]] virtual PartSize part() const = 0;
};
std::unique_ptr<CoreFirmware> start_on_core(Machine& machine, const Study& study,
                                            std::optional<std::uint32_t> bad_at_format);

}  // namespace ftlab::platform
