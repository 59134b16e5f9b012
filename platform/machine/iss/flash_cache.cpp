#include "platform/machine/iss/flash_cache.h"

#include <bit>

namespace ftlab::iss {

FlashCache::FlashCache(const FlashTiming& timing)
    : base_(timing.base),
      size_(timing.miss == 0 ? 0 : timing.size),
      miss_(timing.miss),
      shift_(static_cast<unsigned>(std::countr_zero(timing.line_bytes))),
      sets_(timing.sets),
      ways_(timing.ways),
      lines_(std::size_t{timing.sets} * timing.ways, kNone),
      there_((size_ >> shift_) + 1) {
  for (std::uint32_t set = 0; set < sets_; ++set) oldest_.push_back(set * ways_);
}

bool FlashCache::take(std::uint32_t line) {
  if (there_[line] != 0) return false;
  const std::uint32_t set = line & (sets_ - 1);
  std::uint32_t& oldest = oldest_[set];
  std::uint32_t& place = lines_[oldest];
  if (place != kNone) there_[place] = 0;
  place = line;
  there_[line] = 1;
  oldest = oldest + 1 == (set + 1) * ways_ ? set * ways_ : oldest + 1;
  ++misses_;
  return true;
}

std::uint32_t FlashCache::touch(std::uint32_t address, std::uint32_t bytes) {
  if (!covers(address)) return 0;
  const std::uint32_t first = line_of(address);
  const std::uint32_t last = line_of(address + bytes - 1);
  std::uint32_t waits = fetch(first);
  if (last != first && covers(address + bytes - 1)) waits += fetch(last);
  return waits;
}

bool FlashCache::holds(std::uint32_t address, std::uint32_t bytes) const {
  if (!covers(address)) return true;
  const std::uint32_t last = address + bytes - 1;
  return has(line_of(address)) && (!covers(last) || has(line_of(last)));
}

}  // namespace ftlab::iss
