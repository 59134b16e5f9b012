#include "platform/machine/iss/flash_cache.h"

#include <bit>

namespace ftlab::iss {

FlashCache::FlashCache(const FlashTiming& timing)
    : base_(timing.base),
      size_(timing.miss == 0 ? 0 : timing.size),
      miss_(timing.miss),
      shift_(static_cast<unsigned>(std::countr_zero(timing.line_bytes))),
      sets_(timing.sets, Set{std::vector<std::uint32_t>(timing.ways, kNone)}),
      there_((size_ >> shift_) + 1) {}

bool FlashCache::take(std::uint32_t line) {
  if (there_[line] != 0) return false;
  Set& set = sets_[line & (sets_.size() - 1)];
  std::uint32_t& place = set.lines[set.oldest];
  if (place != kNone) {
    there_[place] = 0;
    ++generation_;
  }
  place = line;
  there_[line] = 1;
  set.oldest = set.oldest + 1 == set.lines.size() ? 0 : set.oldest + 1;
  ++misses_;
  return true;
}

std::uint32_t FlashCache::touch(std::uint32_t address, std::uint32_t bytes) {
  if (!covers(address)) return 0;
  const std::uint32_t first = line_of(address);
  const std::uint32_t last = line_of(address + bytes - 1);
  std::uint32_t waits = take(first) ? miss_ : 0;
  if (last != first && covers(address + bytes - 1) && take(last)) waits += miss_;
  return waits;
}

bool FlashCache::holds_all(std::uint32_t address, std::uint32_t bytes) const {
  if (bytes == 0 || !covers(address) || !covers(address + bytes - 1)) return holds(address, bytes);
  const std::uint32_t last = line_of(address + bytes - 1);
  for (std::uint32_t line = line_of(address); line <= last; ++line)
    if (there_[line] == 0) return false;
  return true;
}

bool FlashCache::holds(std::uint32_t address, std::uint32_t bytes) const {
  if (!covers(address)) return true;
  const std::uint32_t last = address + bytes - 1;
  return there_[line_of(address)] != 0 && (!covers(last) || there_[line_of(last)] != 0);
}

}  // namespace ftlab::iss
