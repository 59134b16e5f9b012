// What must not stay behind when a signal ends the program: half-written files, folders made for results that never
// came. Knows paths; nothing of what they are for.
// Invariant: only the process that registered a path removes it, never a child that inherited the list.
#pragma once

#include <string>

namespace ftlab::platform {

/// While it lives, an end by SIGINT, SIGTERM or SIGHUP removes the path: a file always, a folder only when empty.
/// Places are limited; a path beyond them stays behind, which is all that happens.
class CleanupOnSignal {
 public:
  enum class Kind : char { file, folder };
  CleanupOnSignal(std::string path, Kind kind);
  ~CleanupOnSignal();
  CleanupOnSignal(const CleanupOnSignal&) = delete;
  CleanupOnSignal& operator=(const CleanupOnSignal&) = delete;

 private:
  std::string path_;
  int slot_ = -1;
};

/// To be called once, at the start of the program. The signals above clean up and then end the program as they would
/// have; those that the caller ignored stay ignored. A file that grows beyond the process's limit is an error of the
/// write instead of the end of the program.
void prepare_signals();

}  // namespace ftlab::platform
