// Times of single driver operations on a simulated part: what a benchmark at the device driver interface measures.
// Knows PartPort and the clock of the CPU; no FTL.
#pragma once

#include "platform/study/study.h"

namespace ftlab::platform {

/// Mean time of an operation over one segment, in microseconds.
struct OperationTimes {
  double read_us = 0;   ///< one page with its spare bytes
  double write_us = 0;  ///< one page with its spare bytes
  double erase_us = 0;  ///< one segment
};

struct DriverTimes {
  OperationTimes slc;       ///< a segment of the part's SLC area
  OperationTimes mlc_lsb;   ///< a segment of the MLC area, LSB pages alone
  OperationTimes mlc_both;  ///< the same with all its pages
};

/// Programs, reads and erases a whole segment of each kind through the driver on the register model. One call per
/// process. Throws InputError for a part without paired pages.
DriverTimes measure_driver(const Study& study);

}  // namespace ftlab::platform
