#include "hw/onenand/flex_onenand.h"

namespace ftlab::hw {

template class DeviceModule<OneNandCore>;

}  // namespace ftlab::hw
