// Tuples as the PC Card standard orders them; what the original card held beyond what drivers look for is not known.
#include "hw/series2plus/spec/cis.h"

#include <bit>
#include <iterator>
#include <string>

#include "hw/regs/series2plus_regs.h"

namespace ftlab::hw {
namespace {

namespace tuple = series2plus::cis;

constexpr std::uint8_t kFlash150ns = 0x53;  // type 5 = flash, no write-protect switch of its own, speed code 3
constexpr std::uint8_t kFlash250ns = 0x51;
constexpr std::uint8_t kOther3V3 = 0x02;

void append(std::vector<std::uint8_t>& cis, std::uint8_t code, const std::vector<std::uint8_t>& body) {
  cis.push_back(code);
  cis.push_back(static_cast<std::uint8_t>(body.size()));
  cis.insert(cis.end(), body.begin(), body.end());
}

std::vector<std::uint8_t> version_body(const std::string& product) {
  std::vector<std::uint8_t> body{0x04, 0x01};  // PC Card 2.1
  for (const std::string& text : {std::string("Intel"), product}) {
    body.insert(body.end(), text.begin(), text.end());
    body.push_back(0);
  }
  body.push_back(tuple::kEnd);
  return body;
}

}  // namespace

std::optional<std::uint8_t> device_size_byte(std::uint64_t capacity_bytes) {
  constexpr std::uint64_t kUnits[] = {512, 2048, 8192, 32768, 131072, 524288, 2097152};
  for (std::size_t code = std::size(kUnits); code-- > 0;) {
    const std::uint64_t count = capacity_bytes / kUnits[code];
    if (count >= 1 && count <= 32 && count * kUnits[code] == capacity_bytes) {
      return static_cast<std::uint8_t>((count - 1) << 3 | code);
    }
  }
  return std::nullopt;
}

std::vector<std::uint8_t> make_cis(const CardSpec& spec) {
  const std::uint8_t size = device_size_byte(spec.capacity_bytes()).value();
  const auto erase_code = static_cast<std::uint8_t>(std::countr_zero(spec.segment_bytes / 2) + 1);
  const auto base = series2plus::cmr::kConfigurationOption;
  std::vector<std::uint8_t> cis;
  append(cis, tuple::kDevice, {kFlash150ns, size, tuple::kEnd});
  append(cis, tuple::kDeviceOther, {kOther3V3, kFlash250ns, size, tuple::kEnd});
  append(cis, tuple::kDeviceGeometry, {2, erase_code, 1, 1, 1, 1});
  append(cis, tuple::kJedecCommon, {series2plus::kManufacturerCode, series2plus::kDeviceCode});
  append(cis, tuple::kManufacturerId, {series2plus::kManufacturerCode, 0, 0, 0});
  append(cis, tuple::kFunctionId, {1, 0});
  append(cis, tuple::kVersion1, version_body(spec.cis_product));
  append(cis, tuple::kConfig,
         {0x01, 0x00, static_cast<std::uint8_t>(base & 0xFF), static_cast<std::uint8_t>(base >> 8), 0x03});
  cis.push_back(tuple::kEnd);
  return cis;
}

}  // namespace ftlab::hw
