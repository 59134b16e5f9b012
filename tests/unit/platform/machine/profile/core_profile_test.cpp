#include "platform/machine/profile/core_profile.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/unit/platform/machine/core/processor_fixture.h"
#include "tests/unit/platform/machine/core/small_program.h"
#include "tests/unit/platform/machine/core/thumb_code.h"
#include "tests/unit/platform/machine/profile/sleeping_program.h"

namespace ftlab::platform {
namespace {

TEST(CoreProfile, every_cycle_of_the_measured_phase_has_its_place) {
  std::string profile;
  Ticks measured{};
  Fixture fixture(
      sleeping_in_a_loop(),
      [&](Fixture& f) {
        f.start();
        const Ticks begun = f.cpu.now();
        f.cpu.measures(true);
        f.cpu.advance(std::chrono::milliseconds{1});
        f.cpu.measures(false);
        measured = f.cpu.now() - begun;
        f.cpu.advance(std::chrono::milliseconds{1});
      },
      std::chrono::seconds{1},
      [&](CoreProcessor& cpu) {
        cpu.let_watch(std::make_unique<CoreProfile>(cpu, [&](std::string_view text) { profile = text; }));
      });
  fixture.cpu.rethrow_error();
  std::map<std::string, std::uint64_t> cycles;
  std::uint64_t sum = 0;
  for (std::size_t at = 0; at < profile.size();) {
    const std::size_t space = profile.find(' ', at);
    const std::size_t end = profile.find('\n', at);
    const std::uint64_t count = std::stoull(profile.substr(space + 1, end - space));
    cycles[profile.substr(at, space - at)] = count;
    sum += count;
    at = end + 1;
  }
  EXPECT_EQ(measured, std::chrono::nanoseconds{100} * static_cast<std::int64_t>(sum)) << profile;
  EXPECT_GT(cycles["host;main;[asleep]"], 8000U) << profile;
  EXPECT_GT(cycles["host;main;[bus]"], 10U) << profile;
  EXPECT_GT(cycles["host;main"], 10U) << profile;
  EXPECT_EQ(cycles.size(), 3U) << "a handler of one instruction is not seen" << profile;
}

}  // namespace
}  // namespace ftlab::platform
