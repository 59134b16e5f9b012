// Loses memory when asked to ("lose"), in a program without SystemC.
#include <cstdlib>
#include <cstring>

namespace {
void* volatile held = nullptr;
}

int main(int argc, char** argv) {
  held = std::malloc(41);
  if (argc > 1 && std::strcmp(argv[1], "lose") == 0) held = nullptr;
  return 0;
}
