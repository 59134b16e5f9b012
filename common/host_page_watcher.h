// Who wants to know when firmware begins a page of a host request, and when it takes the report of one: see ProbePort.
#pragma once

#include <cstdint>

#include "common/units.h"

namespace ftlab {

class HostPageWatcher {
 public:
  HostPageWatcher() = default;
  HostPageWatcher(const HostPageWatcher&) = delete;
  HostPageWatcher& operator=(const HostPageWatcher&) = delete;

  virtual void page_begins(std::uint16_t page, std::uint32_t request) = 0;
  virtual void page_reported(std::uint16_t page, Ticks now) = 0;

 protected:
  ~HostPageWatcher() = default;
};

}  // namespace ftlab
