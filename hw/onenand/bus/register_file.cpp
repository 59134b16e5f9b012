#include "hw/onenand/bus/register_file.h"

namespace ftlab::hw {

namespace regs = flexonenand;
namespace area = flexonenand::area;
namespace reg = flexonenand::reg;

std::uint16_t RegisterFile::read(std::uint32_t address) const {
  // What drivers read most.
  if (address == reg::kInterrupt) return dies_.host().interrupt();
  if (address == reg::kControllerStatus) return dies_.host().status();
  const OneNandRegisters& r = device_.registers;
  switch (address) {
    case reg::kManufacturerId:
      return regs::id::kSamsung;
    case reg::kDeviceId:
      return device_.spec.device_id;
    case reg::kVersionId:
      return device_.spec.version_id;
    case reg::kDataBufferSize:
      return regs::kPageBytes / 2;
    case reg::kBootBufferSize:
      return area::kBootRamBytes / 2;
    case reg::kBufferCount:
      return 0x0201;
    case reg::kTechnology:
      return regs::id::kTechnologyMlc;
    case reg::kStartAddress1:
      return r.start_address1;
    case reg::kStartAddress2:
      return r.start_address2;
    case reg::kStartAddress8:
      return r.start_address8;
    case reg::kStartBuffer:
      return r.start_buffer;
    case reg::kSystemConfig1:
      return r.config;
    case reg::kStartBlock:
      return r.start_block;
    case reg::kEndBlock:
      return r.end_block;
    case reg::kWriteProtect:
      return dies_.commanded().protection().state(device_.fba());
    case reg::kEccStatus1:
    case reg::kEccStatus2:
    case reg::kEccStatus3:
    case reg::kEccStatus4:
      return dies_.host().ecc_status((address - reg::kEccStatus1) / 2);
    default:
      if (address >= reg::kStartAddress3 && address < reg::kStartAddress8) {
        return r.unused_addresses[(address - reg::kStartAddress3) / 2];
      }
      return 0;  // reserved, and the command register, which is write only
  }
}

void RegisterFile::write(Ticks t, std::uint32_t address, std::uint16_t value) {
  OneNandRegisters& r = device_.registers;
  namespace field = regs::start_address;
  switch (address) {
    case reg::kStartAddress1:
      r.start_address1 = value & (field::kDie | field::kSegmentMask);
      break;
    case reg::kStartAddress2:
      r.start_address2 = value & field::kDie;
      break;
    case reg::kStartAddress8:
      r.start_address8 = value & (field::kPageMask | field::kSectorMask);
      break;
    case reg::kStartBuffer:
      r.start_buffer = value;
      break;
    case reg::kCommand:
      command(t, value);
      break;
    case reg::kSystemConfig1:
      r.config = static_cast<std::uint16_t>((value & regs::config::kWritable) | (r.config & ~regs::config::kWritable));
      meter_.configure(r.config);
      break;
    case reg::kInterrupt:
      dies_.host().clear_interrupt(value);
      break;
    case reg::kStartBlock:
      r.start_block = value;
      break;
    case reg::kEndBlock:
      r.end_block = value;
      break;
    default:
      if (address >= reg::kStartAddress3 && address < reg::kStartAddress8) {
        r.unused_addresses[(address - reg::kStartAddress3) / 2] = value;
      }
      break;  // read only or reserved
  }
}

void RegisterFile::command(Ticks t, std::uint16_t code) {
  if (code == regs::command::kHotReset) return control_.hot_reset(t);
  dies_.commanded().command(t, code);
  if (code != regs::command::kCoreReset) return;
  for (const auto& die : dies_) die->leave_special_access();
}

}  // namespace ftlab::hw
