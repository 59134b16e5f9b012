#include "firmware/driver/series2plus/cis_reader.h"

#include "hw/regs/series2plus_regs.h"

namespace ftlab {
namespace {

namespace cis = hw::series2plus::cis;

constexpr std::uint32_t kChainLimit = 4096;
constexpr std::uint8_t kNull = 0x00;
constexpr std::uint8_t kEndOfList = 0xFF;
constexpr std::uint8_t kExtendedSpeed = 0x07;
constexpr std::uint8_t kMoreSpeedBytes = 0x80;
constexpr std::uint8_t kHole = 0;

/// Bytes of one tuple body; reads beyond its end give the list end mark, so that no parser can run away.
class Body {
 public:
  Body(MmioPort& attribute, std::uint32_t first, std::uint32_t length)
      : attribute_(attribute), next_(first), end_(first + length) {}
  std::uint8_t next() { return next_ < end_ ? attribute_.read8(2 * next_++) : kEndOfList; }

 private:
  MmioPort& attribute_;
  std::uint32_t next_;
  std::uint32_t end_;
};

/// Pairs of (type and speed, size): size is 1..32 units of 512 << 2 * code bytes.
std::uint64_t device_bytes(Body body) {
  std::uint64_t total = 0;
  for (std::uint8_t type = body.next(); type != kEndOfList; type = body.next()) {
    if ((type & 0x07U) == kExtendedSpeed) {
      while ((body.next() & kMoreSpeedBytes) != 0) {
      }
    }
    const std::uint8_t size = body.next();
    if (size == kEndOfList) break;
    const std::uint64_t unit = std::uint64_t{512} << (2 * (size & 0x07U));
    if ((type >> 4) != kHole) total += unit * ((size >> 3) + 1U);
  }
  return total;
}

/// Every field but the bus width is a power of two, written as exponent + 1.
std::uint32_t segment_bytes(Body body) {
  const std::uint32_t bus_bytes = body.next();
  const std::uint32_t erase = body.next();
  body.next();  // read unit
  body.next();  // write unit
  body.next();  // partition
  const std::uint32_t interleave = body.next();
  const bool sane = bus_bytes == 2 && erase >= 1 && interleave >= 1 && erase + interleave <= 26;
  return sane ? bus_bytes << (erase - 1 + interleave - 1) : 0;
}

}  // namespace

CardInformation read_card_information(MmioPort& attribute) {
  CardInformation card;
  for (std::uint32_t at = 0; at + 1 < kChainLimit;) {
    const std::uint8_t code = attribute.read8(2 * at);
    if (code == cis::kEnd) break;
    if (code == kNull) {
      ++at;
      continue;
    }
    const std::uint32_t length = attribute.read8(2 * (at + 1));
    if (length == kEndOfList || at + 2 + length > kChainLimit) break;
    Body body(attribute, at + 2, length);
    if (code == cis::kDevice) card.capacity_bytes = device_bytes(body);
    if (code == cis::kDeviceGeometry) card.segment_bytes = segment_bytes(body);
    if (code == cis::kJedecCommon) {
      card.manufacturer_code = body.next();
      card.device_code = body.next();
    }
    at += 2 + length;
  }
  return card;
}

}  // namespace ftlab
