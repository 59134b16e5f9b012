// A descriptor where the master wrote it, read field by field: a load of several fields at once would wait until each
// of them, written just before, has left the simulating processor's store buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "hw/array/array/page_store.h"
#include "hw/regs/array_regs.h"

namespace ftlab::hw::array {

class DescriptorView {
 public:
  /// The one in front; the bytes stay where they are.
  explicit DescriptorView(std::span<const std::byte> bytes) : at_(bytes.data()) {}
  // As one in a list is looked at.
  // NOLINTNEXTLINE(google-explicit-constructor,hicpp-explicit-conversions)
  DescriptorView(const Descriptor& d) : DescriptorView(std::as_bytes(std::span(&d, 1))) {}

  [[nodiscard]] Op op() const { return field<Op>(offsetof(Descriptor, op)); }
  [[nodiscard]] bool reports() const { return field<std::uint8_t>(offsetof(Descriptor, report)) != 0; }
  [[nodiscard]] std::uint16_t tag() const { return field<std::uint16_t>(offsetof(Descriptor, tag)); }
  [[nodiscard]] std::uint32_t page() const { return field<std::uint32_t>(offsetof(Descriptor, page)); }
  [[nodiscard]] std::uint32_t target() const { return field<std::uint32_t>(offsetof(Descriptor, target)); }
  [[nodiscard]] std::uint16_t buffer() const { return field<std::uint16_t>(offsetof(Descriptor, buffer)); }
  [[nodiscard]] bool has_new_metadata() const { return field<std::uint8_t>(offsetof(Descriptor, new_metadata)) != 0; }
  [[nodiscard]] Metadata metadata() const {
    return {field<std::uint64_t>(offsetof(Descriptor, metadata)),
            field<std::uint64_t>(offsetof(Descriptor, metadata) + sizeof(std::uint64_t))};
  }

 private:
  template <class T>
  [[nodiscard]] T field(std::size_t offset) const {
    T value;
    std::memcpy(&value, at_ + offset, sizeof value);
    return value;
  }

  const std::byte* at_;
};

}  // namespace ftlab::hw::array
