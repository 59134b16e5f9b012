// The message of the InputError that a call throws; a test that expects one compares the whole line.
#pragma once

#include <string>

#include "common/input_error.h"

namespace ftlab::test {

template <class Call>
std::string error_text(Call&& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace ftlab::test
