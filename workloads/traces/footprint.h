// How much of a device a trace needs. One pass over it; memory grows with the pages touched.
#pragma once

#include <cstdint>

#include "common/input_error.h"
#include "workloads/traces/open_trace.h"
#include "workloads/workload_config.h"

namespace ftlab::workloads {

struct Footprint {
  std::uint64_t pages = 0;   ///< that the records taking part read or write
  double fitting_scale = 1;  ///< the largest write_scale that fits; 1: all pages fit; 0: not even one does
};

/// Of the compact mappings on a device of so many pages, whatever write_scale says. Throws InputError as the readers
/// do.
Footprint footprint(const TraceConfig& config, std::uint64_t device_pages);
/// The same of a trace opened already.
Footprint footprint(OpenTrace trace, const TraceConfig& config, std::uint64_t device_pages);

/// What "fit" is for this trace on this device. Throws InputError when the mapping keeps no share of pages.
double fitting_scale(const TraceConfig& config, std::uint64_t device_bytes);

/// The trace needs more pages than the device has; what() says how many and what helps on the trace's side.
class TraceTooLarge : public InputError {
 public:
  TraceTooLarge(const TraceConfig& config, const Footprint& needed, std::uint64_t device_pages);
  [[nodiscard]] std::uint64_t needed_bytes() const { return needed_bytes_; }
  [[nodiscard]] std::uint64_t device_bytes() const { return device_bytes_; }

 private:
  std::uint64_t needed_bytes_;
  std::uint64_t device_bytes_;
};

}  // namespace ftlab::workloads
