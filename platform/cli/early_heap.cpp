// The heap before any library uses it: SystemC clears a pool of 3 MiB when it is loaded, which took some 770 page faults
// and nearly half of the time of a short command. Huge pages take two.
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

namespace {

constexpr std::uintptr_t kHugePage = 2 << 20;
constexpr int kAhead = 6 << 20;  // the pool, and room to begin and end with a huge page

void prepare_heap(int, char**, char**) {
  (void)mallopt(M_MMAP_THRESHOLD, kAhead);
  (void)mallopt(M_TOP_PAD, kAhead);
  (void)mallopt(M_TRIM_THRESHOLD, 2 * kAhead);
  void* const first = std::malloc(1);
  const auto begin = (reinterpret_cast<std::uintptr_t>(first) + kHugePage - 1) / kHugePage * kHugePage;
  const auto end = reinterpret_cast<std::uintptr_t>(sbrk(0)) / kHugePage * kHugePage;
  // Where the kernel has none the heap is as it was.
  if (begin < end) (void)madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
  std::free(first);
}

/// Constructors of shared libraries run before those of the program, and this before both.
[[gnu::section(".preinit_array"), gnu::used]] void (*const prepare)(int, char**, char**) = &prepare_heap;

}  // namespace
