// Entry of the program `ftlab`.
#include "platform/cli/commands.h"
#include "platform/files/cleanup_on_signal.h"
#include "platform/files/end_with_parent.h"

int main(int argc, char** argv) {
  ftlab::platform::prepare_signals();
  ftlab::platform::end_with_parent();
  return ftlab::platform::cli::run_command_line(argc, argv);
}
