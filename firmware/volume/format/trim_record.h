// Which pages of a group were trimmed, as a page of the layer's own that lies behind those of the host. Cleaning copies
// it as any page; so it says itself up to which program it counts. Knows no flash and no log.
//
// A version that was programmed up to then, of a page that is named, is void; what was written later counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "firmware/base/crc32.h"
#include "firmware/base/little_endian.h"

namespace ftlab::volume {

class TrimRecord {
 public:
  static constexpr std::uint32_t kHead = 16;

  /// Host pages that one record covers; 0: pages are too small.
  [[nodiscard]] static std::uint32_t covered(std::uint32_t page_bytes) {
    return page_bytes > kHead ? (page_bytes - kHead) * 8 : 0;
  }

  explicit TrimRecord(std::span<std::byte> page) : page_(page) {}

  void clear() { std::memset(page_.data(), 0, page_.size()); }
  void name(std::uint32_t index) { page_[kHead + index / 8] |= std::byte{1} << (index % 8); }
  [[nodiscard]] bool names(std::uint32_t index) const {
    return (page_[kHead + index / 8] >> (index % 8) & std::byte{1}) != std::byte{0};
  }
  /// Complete: counts for what was programmed up to `sequence`.
  void seal(std::uint64_t sequence) {
    const Le64 until = sequence;
    std::memcpy(page_.data(), &until, sizeof until);
    const Le32 check = check_of();
    std::memcpy(page_.data() + sizeof until, &check, sizeof check);
  }
  [[nodiscard]] bool intact() const {
    Le32 check;
    std::memcpy(&check, page_.data() + sizeof(Le64), sizeof check);
    return check == check_of();
  }
  [[nodiscard]] std::uint64_t until() const {
    Le64 until;
    std::memcpy(&until, page_.data(), sizeof until);
    return until;
  }

 private:
  [[nodiscard]] std::uint32_t check_of() const {
    return crc32c(page_.data() + kHead, page_.size() - kHead, crc32c(page_.data(), sizeof(Le64)));
  }

  std::span<std::byte> page_;
};

}  // namespace ftlab::volume
