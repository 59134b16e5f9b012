// The FMS's decisions on the page-mapped layer's log, for arrays of dies with many requests in flight: which
// configurations can work there.
#pragma once

#include "firmware/ftl/fms/fms_config.h"
#include "firmware/port/array_port.h"

namespace ftlab::fms {

/// Null when the policies work together on such an array, however many pages they are to hold; else a sentence that
/// begins with the key, with the reason and the way out. PageConfig::policies is choice_of(config).
[[nodiscard]] const char* check_on_dies(const FmsConfig& config, const ArrayGeometry& array);

}  // namespace ftlab::fms
