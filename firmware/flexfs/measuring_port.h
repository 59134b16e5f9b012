// A flash port without flash: lets the tables of ports' users be measured before there is memory for them.
// Invariant: accepts no operation.
#pragma once

#include "firmware/port/flash_port.h"

namespace ftlab::flexfs {

class MeasuringPort final : public FlashPort {
 public:
  explicit MeasuringPort(const FlashGeometry& geometry) : geometry_(geometry) {}
  [[nodiscard]] const FlashGeometry& geometry() const override { return geometry_; }
  [[nodiscard]] const FlashCapabilities& capabilities() const override { return capabilities_; }
  std::size_t submit(std::span<const FlashOp>) override { return 0; }
  std::size_t reap(std::span<FlashDone>, bool) override { return 0; }

 private:
  FlashGeometry geometry_;
  FlashCapabilities capabilities_;
};

}  // namespace ftlab::flexfs
