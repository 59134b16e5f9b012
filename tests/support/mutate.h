// Damages a text in small random ways, for tests of readers. Deterministic by the generator given.
#pragma once

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace ftlab::test {

/// A number in [0, n).
template <class Engine>
std::size_t below(Engine& engine, std::size_t n) {
  return boost::random::uniform_int_distribution<std::size_t>(0, n - 1)(engine);
}

/// One edit: bytes removed, a token of the format inserted, a byte replaced, a bit flipped, or a piece repeated.
template <class Engine>
void damage(std::string& text, std::span<const std::string_view> tokens, Engine& engine) {
  if (text.empty()) return;
  const std::size_t at = below(engine, text.size());
  switch (below(engine, 5)) {
    case 0:
      text.erase(at, 1 + below(engine, 12));
      break;
    case 1:
      text.insert(at, tokens[below(engine, tokens.size())]);
      break;
    case 2:
      text[at] = static_cast<char>(below(engine, 256));
      break;
    case 3:
      text[at] = static_cast<char>(text[at] ^ (1 << below(engine, 8)));
      break;
    default:
      text.insert(at, text.substr(below(engine, text.size()), 1 + below(engine, 60)));
  }
}

}  // namespace ftlab::test
