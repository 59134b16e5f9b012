// The time hint as a SystemC interface, so that a module can export it.
#pragma once

#include <systemc>

#include "hw/base/time_hint.h"

namespace ftlab::hw {

class TimeHintIf : public virtual sc_core::sc_interface, public TimeHint {};

}  // namespace ftlab::hw
