// The bytes a simulated host writes, and what it must read back.
// Content depends on seed, sector and how often that sector was written; nothing of FTLs or flash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ftlab::platform {

class Payload {
 public:
  /// What is told apart.
  static constexpr std::uint32_t kSector = 512;

  enum class Kept : std::uint8_t {
    data,      ///< fresh content for each write
    verified,  ///< the same, remembered, so that check() can judge reads
    nothing,   ///< the device keeps none: every write carries the same bytes
  };
  /// Verified: remembers the version of each 512-byte sector, 4 bytes of memory a sector.
  Payload(std::uint64_t seed, std::uint64_t device_bytes, Kept kept);

  /// New content for [offset, offset + length), as long as `buffer` stays what this makes of it.
  std::span<const std::byte> fresh(std::uint64_t offset, std::uint32_t length, std::vector<std::byte>& buffer);
  /// Forgets content of the sectors that a trim or a refused write touches: they may read back as old data.
  void forget(std::uint64_t offset, std::uint64_t length);
  /// True when every sector wholly inside the range holds its last version (0xFF if never written).
  [[nodiscard]] bool check(std::uint64_t offset, std::span<const std::byte> data) const;
  [[nodiscard]] bool verifies() const { return !versions_.empty(); }

 private:
  void fill_sector(std::uint64_t sector, std::uint32_t version, std::span<std::byte> into) const;

  std::uint64_t seed_;
  bool makes_data_;
  std::uint32_t counter_ = 0;  ///< version source when nothing is verified
  std::vector<std::uint32_t> versions_;
};

}  // namespace ftlab::platform
