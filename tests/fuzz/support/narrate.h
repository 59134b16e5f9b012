// Says on stderr what an input makes a target do, when FTLAB_FUZZ_TRACE is set: for reading a finding.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace ftlab::fuzz {

template <class... Arguments>
void narrate(const char* format, Arguments... arguments) {
  static const bool wanted = std::getenv("FTLAB_FUZZ_TRACE") != nullptr;
  if (!wanted) return;
  if constexpr (sizeof...(Arguments) == 0)
    std::fputs(format, stderr);
  else
    std::fprintf(stderr, format, arguments...);
}

}  // namespace ftlab::fuzz
