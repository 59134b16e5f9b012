// A NAND array with its controller as a SystemC module: windows "common" and, where bytes are kept, "data"; line ready.
#pragma once

#include "hw/array/core.h"
#include "hw/shell/device_module.h"

namespace ftlab::hw {

using NandArray = DeviceModule<ArrayCore>;

extern template class DeviceModule<ArrayCore>;

}  // namespace ftlab::hw
