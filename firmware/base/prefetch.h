// Hints for the caches of the machine that simulates, whose memory is far away. A core has none in front of its memory,
// where a hint would be an instruction without effect.
#pragma once

namespace ftlab {

#ifdef FTLAB_ON_CORE
constexpr bool kPrefetches = false;
#else
constexpr bool kPrefetches = true;
#endif

// GCC takes a function that only prefetches for one without effect, and leaves its call out, unless it is inline.
[[gnu::always_inline]] inline void prefetch_to_read(const void* address) {
  if constexpr (kPrefetches) __builtin_prefetch(address);
}
[[gnu::always_inline]] inline void prefetch_to_write(const void* address) {
  if constexpr (kPrefetches) __builtin_prefetch(address, 1);
}

}  // namespace ftlab
