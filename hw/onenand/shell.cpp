#include "hw/onenand/shell.h"

namespace ftlab::hw {

template class DeviceModule<OneNandCore>;

}  // namespace ftlab::hw
