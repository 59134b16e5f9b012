#include "firmware/driver/series2plus/identify.h"

#include "hw/regs/series2plus_regs.h"

namespace ftlab {

namespace regs = hw::series2plus;
namespace code = hw::series2plus::command;
using regs::doubled;

namespace {

/// One pair shows status and identifier in turn wherever it is read; another pair shows the same thing twice.
bool hears_first_pair(MmioPort& common, std::uint32_t address) {
  common.write16(0, doubled(code::kReadCsr));
  const std::uint16_t status = common.read16(address);
  common.write16(0, doubled(code::kReadIdentifier));
  return common.read16(address) != status;
}

}  // namespace

bool has_series2plus_pair(MmioPort& common, std::uint32_t base) {
  common.write16(base, doubled(code::kReadIdentifier));
  const std::uint16_t manufacturer = common.read16(base);
  const std::uint16_t device = common.read16(base + 2);
  common.write16(base, doubled(code::kReadArray));
  return manufacturer == doubled(regs::kManufacturerCode) && device == doubled(regs::kDeviceCode);
}

std::uint32_t segments_of_first_pair(MmioPort& common, std::uint32_t segments, std::uint32_t segment_bytes) {
  std::uint32_t inside = 0;
  std::uint32_t outside = segments;
  while (outside - inside > 1) {
    const std::uint32_t middle = inside + (outside - inside) / 2;
    (hears_first_pair(common, middle * segment_bytes) ? inside : outside) = middle;
  }
  common.write16(0, doubled(code::kReadArray));
  return outside;
}

}  // namespace ftlab
