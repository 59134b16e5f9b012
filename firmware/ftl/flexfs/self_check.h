// What must hold of a mounted FlexFS between requests. Walks the tables in memory; the flash is not touched.
#pragma once

#include "firmware/ftl/flexfs/state.h"

namespace ftlab::flexfs {

/// The first invariant that does not hold, as a sentence, or null.
[[nodiscard]] const char* check_tables(const FlexFsState& state);

}  // namespace ftlab::flexfs
