// Mutates texts by lines and fields, as well as by bytes: fields are repeated, exchanged, or become words of the format
// or numbers at which readers go wrong. Knows no format; `words` are the format's own.
// With a fuzzer only: FTLAB_TEXT_MUTATOR(kWords, header) makes it the target's; the first `header` bytes are no text.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ftlab::fuzz {

class TextMutator {
 public:
  TextMutator(std::span<const std::string_view> words, unsigned seed) : words_(words), random_(seed) {}

  std::string mutate(std::string text) {
    for (std::size_t edits = 1 + below(3); edits > 0; --edits) edit(text);
    return text;
  }

 private:
  struct Piece {
    std::size_t at = 0;
    std::size_t size = 0;
  };

  std::size_t below(std::size_t n) { return n == 0 ? 0 : random_() % n; }

  void edit(std::string& text) {
    const Piece line = line_at(text, below(text.size()));
    const Piece other = line_at(text, below(text.size()));
    const std::string copy = text.substr(other.at, other.size);
    switch (below(8)) {
      case 0:
        text.insert(line.at, copy);
        break;
      case 1:
        text.erase(line.at, line.size);
        break;
      case 2:
        text.replace(line.at, line.size, copy);
        break;
      case 3:
        text.resize(below(text.size() + 1));
        break;
      case 4: {
        const Piece from = field_at(text, below(text.size()));
        replace_field(text, text.substr(from.at, from.size));
        break;
      }
      default:
        replace_field(text, below(2) == 0 ? std::string(word()) : number());
    }
  }

  std::string_view word() { return words_.empty() ? std::string_view() : words_[below(words_.size())]; }

  std::string number() {
    static constexpr std::string_view kNumbers[] = {"0",
                                                    "-1",
                                                    "1",
                                                    "255",
                                                    "4294967295",
                                                    "4294967296",
                                                    "9223372036854775807",
                                                    "18446744073709551615",
                                                    "18446744073709551616",
                                                    "0.5",
                                                    "1e308",
                                                    "1e-308",
                                                    "-0.0",
                                                    "nan",
                                                    "inf",
                                                    "0x10",
                                                    "00"};
    if (below(2) == 0) return std::string(kNumbers[below(std::size(kNumbers))]);
    return std::to_string(std::uint64_t{random_()} >> below(32));
  }

  void replace_field(std::string& text, const std::string& with) {
    const Piece field = field_at(text, below(text.size()));
    text.replace(field.at, field.size, with);
  }

  static Piece line_at(const std::string& text, std::size_t at) {
    if (text.empty()) return {};
    const std::size_t before = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    const std::size_t end = text.find('\n', begin);
    return {begin, (end == std::string::npos ? text.size() : end + 1) - begin};
  }
  static Piece field_at(const std::string& text, std::size_t at) {
    constexpr std::string_view kBorders = " \t\r\n,=[]{}\"";
    if (text.empty()) return {};
    const std::size_t before = text.find_last_of(kBorders, at);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    const std::size_t end = text.find_first_of(kBorders, begin);
    return {begin, (end == std::string::npos ? text.size() : end) - begin};
  }

  std::span<const std::string_view> words_;
  std::minstd_rand random_;
};

}  // namespace ftlab::fuzz

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

#define FTLAB_TEXT_MUTATOR(words, header)                                                                    \
  extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size, \
                                                 unsigned seed) {                                            \
    if (seed % 2 == 0 || size <= (header)) return LLVMFuzzerMutate(data, size, max_size);                    \
    std::string text(reinterpret_cast<const char*>(data) + (header), size - (header));                       \
    text = ftlab::fuzz::TextMutator(words, seed).mutate(std::move(text));                                    \
    size = std::min(text.size(), max_size - (header));                                                       \
    std::memcpy(data + (header), text.data(), size);                                                         \
    return size + (header);                                                                                  \
  }
