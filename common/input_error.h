// The user's fault: bad file, bad key, bad value. Ends the program with one line and exit code 2.
// Firmware does not use this header (it is built without exceptions).
#pragma once

#include <stdexcept>
#include <string>

namespace ftlab {

/// what() is the whole one-line message a person reads: "FILE:LINE: KEY: what is wrong; how to mend it".
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace ftlab
