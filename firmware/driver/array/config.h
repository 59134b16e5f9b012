// What a user decides about the driver of a NAND array.
#pragma once

#include "common/fields.h"

namespace ftlab {

struct ArrayDriverConfig {
  bool bursts = true;             ///< false: one descriptor for each bus transaction; nothing else differs
  bool suspend_programs = false;  ///< reads interrupt programs
  bool suspend_erases = false;
};

/// The keys of a study that set it.
inline constexpr Field<ArrayDriverConfig> kArrayDriverFields[] = {
    bool_field<&ArrayDriverConfig::bursts>("bursts",
                                           "hand descriptors to the controller in bursts; false: one by one, with the "
                                           "same result"),
    bool_field<&ArrayDriverConfig::suspend_programs>("suspend_programs", "reads interrupt programs of their die"),
    bool_field<&ArrayDriverConfig::suspend_erases>("suspend_erases", "reads interrupt erases of their die"),
};

}  // namespace ftlab
