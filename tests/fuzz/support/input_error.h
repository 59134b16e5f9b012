// Bad input is answered by one clear line, and by nothing else.
#pragma once

#include <string_view>

#include "common/input_error.h"
#include "tests/fuzz/support/require.h"

namespace ftlab::fuzz {

/// Runs `call`; true when it went through, false when it refused the input. Any other exception ends the process.
template <class Call>
bool reads_or_refuses(Call&& call) {
  try {
    call();
    return true;
  } catch (const InputError& error) {
    const std::string_view text = error.what();
    require(!text.empty() && text.find('\n') == std::string_view::npos, "a refusal is one line", text);
    require(text.size() < 4096, "a refusal is short", text);  // it may repeat a key or a value
    return false;
  }
}

}  // namespace ftlab::fuzz
