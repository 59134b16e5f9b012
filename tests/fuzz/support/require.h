// How a target says that a rule is broken: on stderr, then it stops the process, so that the input is kept.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace ftlab::fuzz {

/// `rule`: what must hold; `detail`: what was found instead.
inline void require(bool holds, const char* rule, std::string_view detail = "") {
  if (holds) return;
  std::fprintf(stderr, "broken: %s: ", rule);
  std::fwrite(detail.data(), 1, detail.size(), stderr);
  std::fputs("\n", stderr);
  std::abort();
}

/// `broken`: the answer of a self_check().
inline void require_whole(const char* broken, const char* rule) {
  if (broken != nullptr) require(false, rule, broken);
}

}  // namespace ftlab::fuzz
