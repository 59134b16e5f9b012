// The array one operation at a time, as layers ask for it that do not queue: a FlashPort whose spare bytes are a page's
// metadata. Waits for each operation. Pages of a segment are programmed without gaps, which the controller demands.
#pragma once

#include <span>

#include "firmware/port/array_port.h"
#include "firmware/port/flash_port.h"

namespace ftlab {

class ArrayFlash final : public FlashPort {
 public:
  explicit ArrayFlash(ArrayPort& array);

  [[nodiscard]] const FlashGeometry& geometry() const override { return geometry_; }
  [[nodiscard]] const FlashCapabilities& capabilities() const override { return capabilities_; }
  std::size_t submit(std::span<const FlashOp> ops) override;
  std::size_t reap(std::span<FlashDone> done, bool wait) override;

 private:
  [[nodiscard]] FlashStatus run(const FlashOp& op);
  [[nodiscard]] ArrayDone wait_for(const ArrayOp& op);
  void read_into(const FlashOp& op, const ArrayDone& done);

  ArrayPort& array_;
  FlashGeometry geometry_;
  FlashCapabilities capabilities_;
  FlashDone ended_;
  bool unreaped_ = false;
};

}  // namespace ftlab
