// Memory for tables that are read all over the place: in large pages of the machine, where it has some to give, since
// looking up addresses costs more than the tables' own cache misses otherwise.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <span>

namespace ftlab::platform {

class LargeMemory {
 public:
  explicit LargeMemory(std::size_t bytes)
      : bytes_(bytes == 0 ? 1 : bytes),
        at_(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    if (at_ == MAP_FAILED) throw std::bad_alloc();
    // Only a wish.
    (void)madvise(at_, bytes_, MADV_HUGEPAGE);
  }
  ~LargeMemory() { munmap(at_, bytes_); }
  LargeMemory(const LargeMemory&) = delete;
  LargeMemory& operator=(const LargeMemory&) = delete;

  [[nodiscard]] std::span<std::byte> bytes() { return {static_cast<std::byte*>(at_), bytes_}; }

 private:
  std::size_t bytes_;
  void* at_;
};

}  // namespace ftlab::platform
