// The medium image of a device, whichever fixture drives it.
#pragma once

#include <sstream>
#include <string>

#include "tests/fixtures/error_text.h"

namespace ftlab::hw::testing {

template <class Fixture>
std::string image_of(const Fixture& fixture) {
  std::ostringstream out;
  fixture.core.save_image(out);
  return out.str();
}

/// What load_image says of these bytes; empty when it takes them.
template <class Fixture>
std::string complaint(Fixture& target, const std::string& bytes) {
  std::istringstream in(bytes);
  return test::error_text([&] { target.core.load_image(in, "x.img"); }, "");
}

template <class Fixture>
bool refuses(Fixture& target, const std::string& bytes, const std::string& reason) {
  const std::string message = complaint(target, bytes);
  return message.starts_with("x.img: ") && message.find(reason) != std::string::npos &&
         message.find('\n') == std::string::npos;
}

}  // namespace ftlab::hw::testing
