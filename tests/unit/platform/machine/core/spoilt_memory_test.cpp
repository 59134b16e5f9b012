// Memory after power-on, written and after power-on again.
#include "platform/machine/core/spoilt_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>

namespace ftlab::platform {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

bool is_noise(const SpoiltMemory& memory) {
  return std::ranges::all_of(std::span(memory.data(), memory.size()),
                             [](std::uint8_t byte) { return byte == SpoiltMemory::kNoise; });
}

TEST(SpoiltMemory, keeps_what_is_written_until_power_comes_again) {
  SpoiltMemory memory(5 * kMiB + 4096);
  EXPECT_TRUE(is_noise(memory));
  std::uint8_t* const before = memory.data();
  memory.data()[0] = 1;
  memory.data()[2 * kMiB] = 2;
  memory.data()[memory.size() - 1] = 3;
  EXPECT_EQ(memory.data()[0], 1);
  EXPECT_EQ(memory.data()[2 * kMiB], 2);
  EXPECT_EQ(memory.data()[4 * kMiB], SpoiltMemory::kNoise) << "another piece of the same file";
  EXPECT_EQ(std::ranges::count(std::span(memory.data(), memory.size()), SpoiltMemory::kNoise),
            static_cast<std::ptrdiff_t>(memory.size()) - 3);
  memory.spoil();
  EXPECT_EQ(memory.data(), before);
  EXPECT_TRUE(is_noise(memory));
}

TEST(SpoiltMemory, may_be_smaller_than_the_noise) {
  SpoiltMemory memory(100);
  EXPECT_TRUE(is_noise(memory));
  memory.data()[99] = 0;
  EXPECT_EQ(memory.data()[98], SpoiltMemory::kNoise);
}

}  // namespace
}  // namespace ftlab::platform
