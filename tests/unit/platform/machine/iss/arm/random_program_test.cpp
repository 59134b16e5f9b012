// Random programs: blocks do what single instructions do. What instructions do is for others to say.
#include <gtest/gtest.h>

#include "tests/cores/arm_program.h"

namespace ftlab::tests {
namespace {

TEST(RandomProgram, in_blocks_as_in_single_instructions) {
  constexpr std::uint64_t kPrograms = 500;
  Playground playground;
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 0; seed < kPrograms; ++seed) {
    const ArmProgram program = make_arm_program(playground, seed, seed);
    if (!program.repeat(playground)) {
      continue;
    }
    const Playground::State single = playground.state();
    const std::vector<std::uint8_t> data = playground.data;
    program.begin(playground);
    ASSERT_EQ(playground.core.run(program.instructions).reason, iss::StopReason::budget) << seed;
    ASSERT_EQ(playground.state(), single) << seed;
    ASSERT_EQ(playground.data, data) << seed;
    ++compared;
  }
  EXPECT_GT(compared, kPrograms * 9 / 10);
}

}  // namespace
}  // namespace ftlab::tests
