// Entry of the program `ftlab`.
#include "platform/cli/commands.h"

int main(int argc, char** argv) { return ftlab::platform::cli::run_program(argc, argv); }
