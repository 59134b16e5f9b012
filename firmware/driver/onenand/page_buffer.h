// The data of PartOps on its way to and from the DataRAM of a die, with the layout of spare bytes.
// Knows no array operation.
//
// Spare bytes of the port are the 4 user bytes (2 to 5) of each of the eight 16-byte slots, in order: 32 a page.
#pragma once

#include "firmware/driver/common/part_port.h"
#include "firmware/driver/onenand/bus.h"
#include "firmware/port/probe_port.h"

namespace ftlab {

class OneNandPageBuffer {
 public:
  OneNandPageBuffer(OneNandBus& bus, ProbePort& probe) : bus_(bus), probe_(probe) {}

  /// What the op programs. A copy without spare bytes of its own keeps those it has loaded.
  void put(const PartOp& op, std::uint16_t die);
  /// What the op reads.
  void hand_over(const PartOp& op, std::uint16_t die);
  /// The spare area as the part lays it out.
  const OneNandSpare& raw_spare();
  /// Main area of FFh, and these spare bytes.
  void put_marker(const OneNandSpare& spare, std::uint16_t die);

 private:
  OneNandBus& bus_;
  ProbePort& probe_;
  OneNandSpare spare_{};
};

}  // namespace ftlab
