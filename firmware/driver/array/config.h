// What a user decides about the driver of a NAND array.
#pragma once

#include <cstdint>

#include "common/fields.h"

namespace ftlab {

struct ArrayDriverConfig {
  bool bursts = true;             ///< false: one descriptor for each bus transaction; nothing else differs
  bool suspend_programs = false;  ///< reads interrupt programs
  bool suspend_erases = false;
  std::uint32_t overtaking_reads = 16;  ///< about as long as a copy; 0: each operation in its turn
  std::uint32_t gather = 1;             ///< completions that make the controller interrupt the processor
};

/// The keys of a study that set it.
inline constexpr Field<ArrayDriverConfig> kArrayDriverFields[] = {
    bool_field<&ArrayDriverConfig::bursts>("bursts",
                                           "hand descriptors to the controller in bursts; false: one by one, with the "
                                           "same result"),
    integer_field<&ArrayDriverConfig::gather>(
        "gather", "completions", 1, 1024,
        "completions that make the controller interrupt the processor; it does so "
        "with fewer when nothing is under way"),
    integer_field<&ArrayDriverConfig::overtaking_reads>(
        "overtaking_reads", "reads", 0, 65535,
        "reads that come before an operation which waits for their die, at most, until it begins: a read waits for "
        "what "
        "its die is at, not for a victim's copies behind that; 0: each operation in its turn"),
    bool_field<&ArrayDriverConfig::suspend_programs>("suspend_programs", "reads interrupt programs of their die"),
    bool_field<&ArrayDriverConfig::suspend_erases>("suspend_erases", "reads interrupt erases of their die"),
};

}  // namespace ftlab
