#include "platform/host/payload.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "common/word_sequence.h"

namespace ftlab::platform {
namespace {

constexpr std::uint32_t kForgotten = std::numeric_limits<std::uint32_t>::max();

// The finaliser of SplitMix64: well mixed from a counter, so that any sector can be made without its predecessors.
constexpr std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

}  // namespace

Payload::Payload(std::uint64_t seed, std::uint64_t device_bytes, Kept kept)
    : seed_(seed), makes_data_(kept != Kept::nothing) {
  if (kept == Kept::verified) versions_.assign((device_bytes + kSector - 1) / kSector, 0);
}

void Payload::fill_sector(std::uint64_t sector, std::uint32_t version, std::span<std::byte> into) const {
  // Half the bits of random data are zero, so programming clears bits as real data does.
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15ULL;
  write_words({.first = mix(seed_ ^ (sector << 20) ^ version) * kOdd, .step = kOdd}, into.data(), kSector);
}

std::span<const std::byte> Payload::fresh(std::uint64_t offset, std::uint32_t length, std::vector<std::byte>& buffer) {
  if (!makes_data_) {
    if (buffer.size() < length) buffer.resize(length);
    return std::span(buffer).first(length);
  }
  const std::uint64_t first = offset / kSector;
  const std::uint64_t last = (offset + length + kSector - 1) / kSector;
  buffer.resize(std::max<std::size_t>(buffer.size(), (last - first) * kSector));
  for (std::uint64_t sector = first; sector < last; ++sector) {
    std::uint32_t version = ++counter_;
    if (verifies()) {
      const bool whole = sector * kSector >= offset && (sector + 1) * kSector <= offset + length;
      std::uint32_t& known = versions_[sector];
      // A partly written sector mixes two versions; it is left out of checks until written whole again.
      known = whole ? (known == kForgotten ? counter_ : known + 1) : kForgotten;
      version = known;
    }
    fill_sector(sector, version, std::span(buffer).subspan((sector - first) * kSector, kSector));
  }
  return std::span(buffer).subspan(offset - first * kSector, length);
}

void Payload::forget(std::uint64_t offset, std::uint64_t length) {
  if (!verifies()) return;
  const std::uint64_t last = std::min<std::uint64_t>((offset + length + kSector - 1) / kSector, versions_.size());
  for (std::uint64_t sector = offset / kSector; sector < last; ++sector) versions_[sector] = kForgotten;
}

bool Payload::check(std::uint64_t offset, std::span<const std::byte> data) const {
  std::byte expected[kSector];
  for (std::uint64_t sector = (offset + kSector - 1) / kSector; (sector + 1) * kSector <= offset + data.size();
       ++sector) {
    const std::uint32_t version = versions_[sector];
    if (version == kForgotten) continue;
    if (version == 0) {
      std::fill_n(expected, kSector, std::byte{0xFF});
    } else {
      fill_sector(sector, version, expected);
    }
    if (std::memcmp(expected, data.data() + (sector * kSector - offset), kSector) != 0) return false;
  }
  return true;
}

}  // namespace ftlab::platform
