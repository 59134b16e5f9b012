// Keeps what a device says to its observer, in order.
#pragma once

#include <cstdint>
#include <vector>

#include "hw/base/observer.h"

namespace ftlab::hw::testing {

class Recorder : public DeviceObserver {
 public:
  void on_start(DeviceOp& op) override {
    op.tag = static_cast<std::uint32_t>(started.size()) + 100;
    started.push_back(op);
  }
  void on_end(const DeviceOp& op) override { ended.push_back(op); }
  void on_access(const DeviceOp& op) override { accesses.push_back(op); }

  std::vector<DeviceOp> started;
  std::vector<DeviceOp> ended;
  std::vector<DeviceOp> accesses;
};

}  // namespace ftlab::hw::testing
