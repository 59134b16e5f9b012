// What must hold of a volume between requests. Walks the tables in memory; the flash is not touched.
#pragma once

#include "firmware/volume/volume.h"

namespace ftlab {

/// The first invariant that does not hold, as a sentence, or null.
[[nodiscard]] const char* check_volume(const Volume& volume);

}  // namespace ftlab
