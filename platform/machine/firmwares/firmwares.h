// One function for each firmware; a new one is one file here and one line in firmwares.cpp.
#pragma once

#include "firmware/ftl/flexfs/flexfs_config.h"
#include "firmware/ftl/fms/fms_config.h"
#include "platform/machine/firmware_instance.h"

namespace ftlab::platform {

/// Logical pages from the utilisation of the segments that must stay good. Throws InputError naming the key when the
/// firmware refuses the combination.
FmsConfig fms_config_for(const Study& study, const FirmwarePorts& ports);
/// The same for FlexFS. A scenario is offered all that FlexFS can hold, whatever the utilisation.
FlexFsConfig flexfs_config_for(const Study& study, const FirmwarePorts& ports);

std::unique_ptr<FirmwareInstance> make_fms(const Study& study, const FirmwarePorts& ports);
std::unique_ptr<FirmwareInstance> make_flexfs(const Study& study, const FirmwarePorts& ports);
std::unique_ptr<FirmwareInstance> make_in_place(const Study& study, const FirmwarePorts& ports);
std::unique_ptr<FirmwareInstance> make_page(const Study& study, const FirmwarePorts& ports);
std::unique_ptr<FirmwareInstance> make_pagemap(const Study& study, const FirmwarePorts& ports);

}  // namespace ftlab::platform
