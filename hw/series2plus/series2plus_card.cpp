#include "hw/series2plus/series2plus_card.h"

namespace ftlab::hw {

template class DeviceModule<CardCore>;

}  // namespace ftlab::hw
