// timing.read_distribution of a part file.
#pragma once

namespace ftlab::spec {
class TomlFile;
}

namespace ftlab::hw {

struct ArrayTiming;

/// Parts that say nothing take their tR. `timing` has all of tR.
void read_read_distribution(const spec::TomlFile& part, ArrayTiming& timing);

}  // namespace ftlab::hw
