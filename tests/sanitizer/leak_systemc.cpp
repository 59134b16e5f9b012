// Loses memory when asked to ("lose"), in a SystemC thread. When the simulation is over, pages that may not be read
// take the place of the threads' stacks, so that the leak checker would stumble over them each time and not by chance.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <systemc>

namespace {

void* volatile held = nullptr;

struct Worker : sc_core::sc_module {
  SC_HAS_PROCESS(Worker);
  Worker(sc_core::sc_module_name name, bool loses) : sc_module(name), loses_(loses) { SC_THREAD(work); }
  void work() {
    wait(1, sc_core::SC_NS);
    if (loses_) {
      held = std::malloc(41);
      held = nullptr;
    }
    wait(1, sc_core::SC_NS);
  }
  const bool loses_;
};

void simulate(bool lose) {
  Worker first("first", lose);
  Worker second("second", false);
  sc_core::sc_start();
}

/// Readable and unreadable pages by turns, wherever the kernel finds room for them.
void leave_traps() {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  for (int i = 0; i < 1000; ++i) {
    void* pair = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(static_cast<char*>(pair) + page, page, PROT_NONE);
  }
}

}  // namespace

int sc_main(int argc, char** argv) {
  simulate(argc > 1 && std::strcmp(argv[1], "lose") == 0);
  leave_traps();
  return 0;
}
