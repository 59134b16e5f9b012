// Copies and fills by words: the library's own go byte by byte here, which took a third of a run on NAND.
#include <cstddef>
#include <cstdint>

namespace {

using Word [[gnu::may_alias]] = std::uint32_t;
constexpr std::size_t kWords = 8;  ///< a turn

[[nodiscard]] bool whole_words(std::uintptr_t addresses) { return addresses % sizeof(Word) == 0; }

}  // namespace

// The compiler would make calls of these functions of their loops.
#pragma GCC optimize("no-tree-loop-distribute-patterns")

extern "C" {

[[gnu::used]] void* memcpy(void* __restrict to, const void* __restrict from, std::size_t bytes) {
  auto* at = static_cast<std::byte*>(to);
  const auto* source = static_cast<const std::byte*>(from);
  if (whole_words(reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from))) {
    for (; bytes >= kWords * sizeof(Word); bytes -= kWords * sizeof(Word)) {
      const auto* const words = reinterpret_cast<const Word*>(source);
      auto* const copies = reinterpret_cast<Word*>(at);
      const Word a = words[0], b = words[1], c = words[2], d = words[3];
      const Word e = words[4], f = words[5], g = words[6], h = words[7];
      copies[0] = a, copies[1] = b, copies[2] = c, copies[3] = d;
      copies[4] = e, copies[5] = f, copies[6] = g, copies[7] = h;
      source += kWords * sizeof(Word);
      at += kWords * sizeof(Word);
    }
    for (; bytes >= sizeof(Word); bytes -= sizeof(Word), at += sizeof(Word), source += sizeof(Word))
      *reinterpret_cast<Word*>(at) = *reinterpret_cast<const Word*>(source);
  }
  while (bytes-- > 0) *at++ = *source++;
  return to;
}

[[gnu::used]] void* memset(void* to, int value, std::size_t bytes) {
  auto* at = static_cast<std::byte*>(to);
  for (; bytes > 0 && !whole_words(reinterpret_cast<std::uintptr_t>(at)); --bytes)
    *at++ = static_cast<std::byte>(value);
  const Word word = (static_cast<Word>(value) & 0xFF) * 0x01010101U;
  for (; bytes >= kWords * sizeof(Word); bytes -= kWords * sizeof(Word), at += kWords * sizeof(Word)) {
    auto* const words = reinterpret_cast<Word*>(at);
    words[0] = word, words[1] = word, words[2] = word, words[3] = word;
    words[4] = word, words[5] = word, words[6] = word, words[7] = word;
  }
  while (bytes-- > 0) *at++ = static_cast<std::byte>(value);
  return to;
}
}
