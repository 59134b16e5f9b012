#include "platform/files/end_with_parent.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace ftlab::platform {

void end_with_parent() {
  const char* given = std::getenv("FTLAB_DIE_WITH_PARENT");
  if (given == nullptr) return;
  const long parent = std::strtol(given, nullptr, 10);
  // Those that this process starts itself are not meant.
  ::unsetenv("FTLAB_DIE_WITH_PARENT");
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  // It may have ended before the call.
  if (::getppid() != parent) ::raise(SIGTERM);
}

}  // namespace ftlab::platform
