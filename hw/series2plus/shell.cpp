#include "hw/series2plus/shell.h"

namespace ftlab::hw {

template class DeviceModule<CardCore>;

}  // namespace ftlab::hw
