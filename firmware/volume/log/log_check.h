// Whether what the log keeps of one thing in several places says the same, and what policies keep of it.
#pragma once

#include "firmware/volume/log/log.h"

namespace ftlab::volume {

class LogCheck {
 public:
  explicit LogCheck(const Log& log) : log_(log) {}
  /// Null, or the broken invariant.
  [[nodiscard]] const char* tables() const;

 private:
  [[nodiscard]] const char* units() const;
  [[nodiscard]] const char* slc() const;
  [[nodiscard]] const char* policies() const;

  const Log& log_;
};

}  // namespace ftlab::volume
