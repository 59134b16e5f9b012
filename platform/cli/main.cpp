// Entry of the program `ftlab`.
#include "platform/cli/commands.h"

int main(int argc, char** argv) { return ftlab::platform::cli::run_command_line(argc, argv); }

// libsystemc wants one beside its own main(), which ours replaces.
extern "C" int sc_main(int, char**) { return 0; }
