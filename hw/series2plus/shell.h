// Intel Series 2+ flash memory card as a SystemC module: windows "common" and "attribute", line RDY/BSY#.
#pragma once

#include "hw/series2plus/core.h"
#include "hw/shell/device_module.h"

namespace ftlab::hw {

using Series2PlusCard = DeviceModule<CardCore>;

extern template class DeviceModule<CardCore>;

}  // namespace ftlab::hw
