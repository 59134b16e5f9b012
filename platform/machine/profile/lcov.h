// Executed instructions as an lcov tracefile: source lines and functions with how often they were executed. Knows the
// file's form (geninfo(1)); no core and no program.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "platform/machine/core/source_line.h"

namespace ftlab::platform {

class Lcov {
 public:
  /// An instruction of this line. A line was executed as often as that of its instructions that was executed most.
  void add_line(const SourcePlace& place, std::uint64_t count);
  void add_function(const std::string& name, const SourcePlace& begins, std::uint64_t count);
  /// Files by name, lines by number.
  [[nodiscard]] std::string text() const;

 private:
  struct Function {
    unsigned line = 0;
    std::uint64_t count = 0;
  };
  struct File {
    std::map<unsigned, std::uint64_t> lines;
    std::map<std::string, Function> functions;
  };

  std::map<std::string, File> files_;
};

}  // namespace ftlab::platform
