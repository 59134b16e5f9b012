#include "hw/array/shell.h"

namespace ftlab::hw {

template class DeviceModule<ArrayCore>;

}  // namespace ftlab::hw
