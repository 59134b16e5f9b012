// What loss of power does to operations that have not ended: what had not begun never happened, what runs is torn.
// Knows nothing of what follows: times, completions and registers are the controller's to forget.
#pragma once

#include "hw/array/commands/operation_meter.h"
#include "hw/array/commands/work_log.h"
#include "hw/array/context.h"

namespace ftlab::hw::array {

/// Takes off what dies would have worked beyond `now`; before undo_after().
void take_off_die_time(Ticks now, const Context& device, WorkLog& log, OperationMeter& meter, Timeline& timeline);

/// Goes back over the log, which is empty afterwards; sums keep what was spent.
void undo_after(Ticks now, Context& device, WorkLog& log, OperationMeter& meter);

/// Its pages are uncorrectable and it takes no program until the next erase.
void tear_segment(const Context& device, Segment& segment);

}  // namespace ftlab::hw::array
