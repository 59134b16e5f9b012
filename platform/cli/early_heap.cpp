// The heap before any library uses it: SystemC clears a pool of 3 MiB when it is loaded, which took some 770 page
// faults and nearly half of the time of a short command. Huge pages take two.
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

namespace {

constexpr std::uintptr_t kHugePage = 2 << 20;
constexpr std::uintptr_t kBefore = 64 << 10;
constexpr int kAhead = 6 << 20;  // the pool, and more

std::uintptr_t break_now() { return reinterpret_cast<std::uintptr_t>(sbrk(0)); }

void prepare_heap(int, char**, char**) {
  (void)mallopt(M_MMAP_THRESHOLD, kAhead);
  (void)mallopt(M_TOP_PAD, kAhead);
  (void)mallopt(M_TRIM_THRESHOLD, 2 * kAhead);
  // The heap begins a little before a huge page, so that its first words are in none: one that has been touched stays
  // as it is.
  const auto begin = (break_now() + kBefore + kHugePage - 1) / kHugePage * kHugePage;
  if (sbrk(static_cast<std::intptr_t>(begin - kBefore - break_now())) == reinterpret_cast<void*>(-1)) return;
  void* volatile first = std::malloc(1);  // a pair that nobody looks at would be left out
  std::free(first);
  const auto end = break_now() / kHugePage * kHugePage;
  // Where the kernel has none the heap is as it was.
  if (begin < end) (void)madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

/// Constructors of shared libraries run before those of the program, and this before both.
[[gnu::section(".preinit_array"), gnu::used]] void (*const prepare)(int, char**, char**) = &prepare_heap;

}  // namespace
