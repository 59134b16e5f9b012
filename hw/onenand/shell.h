// Samsung Flex-OneNAND as a SystemC module: window "bus", line INT.
#pragma once

#include "hw/onenand/core.h"
#include "hw/shell/device_module.h"

namespace ftlab::hw {

using FlexOneNand = DeviceModule<OneNandCore>;

extern template class DeviceModule<OneNandCore>;

}  // namespace ftlab::hw
