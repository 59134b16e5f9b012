// What the tests of the models share: a model asked by name, and the text of its refusal.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "common/input_error.h"
#include "platform/analytic/model.h"
#include "tests/fixtures/error_text.h"

namespace ftlab::analytic::test {

inline Result ask(std::string_view name, const Inputs& inputs) { return evaluate(*find_model(name), inputs); }

inline double value(std::string_view name, const Inputs& inputs) { return ask(name, inputs).value; }

/// The InputError of a model that does not answer.
inline std::string refusal(std::string_view name, const Inputs& inputs) {
  return ftlab::test::error_text([&] { ask(name, inputs); }, "no refusal");
}

}  // namespace ftlab::analytic::test
