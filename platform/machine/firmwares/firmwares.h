// One function for each firmware; a new one is one file here and one line in firmwares.cpp.
#pragma once

#include "platform/machine/firmware_instance.h"

namespace ftlab::platform {

std::unique_ptr<FirmwareInstance> make_fms(const Study& study, const FirmwarePorts& ports);
std::unique_ptr<FirmwareInstance> make_flexfs(const Study& study, const FirmwarePorts& ports);
std::unique_ptr<FirmwareInstance> make_pagemap(const Study& study, const FirmwarePorts& ports);

}  // namespace ftlab::platform
