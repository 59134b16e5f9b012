#include "platform/machine/core/spoilt_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <vector>

namespace ftlab::platform {
namespace {

/// Of the file, which memory repeats.
constexpr std::size_t kPatternBytes = std::size_t{2} << 20;

[[noreturn]] void no_room() {
  throw std::system_error(errno, std::generic_category(), "no memory for the simulated board");
}

}  // namespace

SpoiltMemory::SpoiltMemory(std::size_t bytes) : bytes_(bytes) {
  void* const reserved = ::mmap(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) no_room();
  at_ = static_cast<std::uint8_t*>(reserved);
  noise_ = ::memfd_create("ftlab", MFD_CLOEXEC);
  const std::vector<std::uint8_t> pattern(std::min(bytes_, kPatternBytes), kNoise);
  if (noise_ < 0 || ::write(noise_, pattern.data(), pattern.size()) != static_cast<ssize_t>(pattern.size())) no_room();
  spoil();
}

SpoiltMemory::~SpoiltMemory() {
  ::munmap(at_, bytes_);
  ::close(noise_);
}

void SpoiltMemory::spoil() {
  for (std::size_t from = 0; from < bytes_; from += kPatternBytes) {
    const std::size_t length = std::min(bytes_ - from, kPatternBytes);
    if (::mmap(at_ + from, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, noise_, 0) == MAP_FAILED) no_room();
  }
}

}  // namespace ftlab::platform
