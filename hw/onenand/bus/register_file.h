// The registers at the end of the window: what they read as, and what a write to them does.
// Callers have brought the dies to the time they give.
#pragma once

#include <cstdint>

#include "hw/onenand/bus/bus_meter.h"
#include "hw/onenand/bus/control.h"
#include "hw/onenand/commands/dies.h"
#include "hw/onenand/context.h"

namespace ftlab::hw {

class RegisterFile {
 public:
  RegisterFile(OneNandContext& device, BusMeter& meter, Dies& dies, OneNandControl& control)
      : device_(device), meter_(meter), dies_(dies), control_(control) {}

  [[nodiscard]] std::uint16_t read(std::uint32_t address) const;
  void write(Ticks t, std::uint32_t address, std::uint16_t value);

 private:
  void command(Ticks t, std::uint16_t code);

  OneNandContext& device_;
  BusMeter& meter_;
  Dies& dies_;
  OneNandControl& control_;
};

}  // namespace ftlab::hw
