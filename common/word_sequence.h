// Arithmetic sequences of 64-bit words as bytes: made and recognised, in the widest steps that the machine has.
// Knows nothing of what they stand for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ftlab {

struct WordSequence {
  std::uint64_t first = 0;
  std::uint64_t step = 0;

  friend bool operator==(const WordSequence&, const WordSequence&) = default;
};

namespace detail {

/// Bytes that one step of a loop takes: two vectors of AVX2, four of SSE2.
inline constexpr std::size_t kSequenceStep = 64;
using SequenceWords [[gnu::vector_size(32)]] = std::uint64_t;

[[gnu::always_inline]] inline void write_steps(const WordSequence& s, std::byte* into, std::size_t bytes) {
  SequenceWords low{s.first, s.first + s.step, s.first + 2 * s.step, s.first + 3 * s.step};
  SequenceWords high = low + 4 * s.step;
  for (std::size_t at = 0; at < bytes; at += kSequenceStep) {
    std::memcpy(into + at, &low, sizeof low);
    std::memcpy(into + at + sizeof low, &high, sizeof high);
    low += 8 * s.step;
    high += 8 * s.step;
  }
}

[[gnu::always_inline]] inline bool match_steps(const WordSequence& s, const std::byte* from, std::size_t bytes) {
  SequenceWords low{s.first, s.first + s.step, s.first + 2 * s.step, s.first + 3 * s.step};
  SequenceWords high = low + 4 * s.step;
  SequenceWords differs{};
  for (std::size_t at = 0; at < bytes; at += kSequenceStep) {
    SequenceWords found_low;
    SequenceWords found_high;
    std::memcpy(&found_low, from + at, sizeof found_low);
    std::memcpy(&found_high, from + at + sizeof found_low, sizeof found_high);
    differs |= (found_low ^ low) | (found_high ^ high);
    low += 8 * s.step;
    high += 8 * s.step;
  }
  return (differs[0] | differs[1] | differs[2] | differs[3]) == 0;
}

#ifdef __x86_64__
inline const bool kWideSequences = __builtin_cpu_supports("avx2") != 0;
[[gnu::target("avx2")]] inline void write_wide(const WordSequence& s, std::byte* into, std::size_t bytes) {
  write_steps(s, into, bytes);
}
[[gnu::target("avx2")]] inline bool match_wide(const WordSequence& s, const std::byte* from, std::size_t bytes) {
  return match_steps(s, from, bytes);
}
#endif

}  // namespace detail

/// `bytes`: a multiple of 64.
inline void write_words(const WordSequence& s, std::byte* into, std::size_t bytes) {
#ifdef __x86_64__
  if (detail::kWideSequences) return detail::write_wide(s, into, bytes);
#endif
  detail::write_steps(s, into, bytes);
}

/// False: the bytes, a multiple of 64, are no sequence, and `s` is anything.
inline bool recognise_words(const std::byte* from, std::size_t bytes, WordSequence& s) {
  std::uint64_t words[3];
  std::memcpy(words, from, sizeof words);
  s = {words[0], words[1] - words[0]};
  // Nearly all others show it at once.
  if (words[2] - words[1] != s.step) return false;
#ifdef __x86_64__
  if (detail::kWideSequences) return detail::match_wide(s, from, bytes);
#endif
  return detail::match_steps(s, from, bytes);
}

}  // namespace ftlab
