#include "platform/machine/profile/core_coverage.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "tests/fixtures/error_text.h"
#include "tests/unit/platform/machine/core/processor_fixture.h"
#include "tests/unit/platform/machine/core/small_program.h"
#include "tests/unit/platform/machine/core/thumb_code.h"
#include "tests/unit/platform/machine/profile/sleeping_program.h"

namespace ftlab::platform {
namespace {

/// A source with a line for each halfword of the code.
std::vector<std::vector<SourcePlace>> lines_of(std::span<const std::uint32_t> addresses) {
  std::vector<std::vector<SourcePlace>> places;
  for (const std::uint32_t address : addresses) places.push_back({{"code.s", (address - kCodeAt) / 2 + 1}});
  return places;
}

std::map<unsigned, unsigned> counts_in(const std::string& tracefile) {
  std::map<unsigned, unsigned> counts;
  std::istringstream in(tracefile);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("DA:")) continue;
    const std::size_t comma = line.find(',');
    counts[std::stoul(line.substr(3, comma - 3))] = std::stoul(line.substr(comma + 1));
  }
  return counts;
}

TEST(CoreCoverage, each_instruction_counts_as_often_as_it_is_executed) {
  std::string tracefile;
  std::uint64_t instructions = 0;
  std::uint64_t handlers = 0;
  // What lies behind the loop is not reached.
  Fixture fixture(
      sleeping_in_a_loop(),
      [&](Fixture& f) {
        f.start();
        f.cpu.advance(std::chrono::milliseconds{1});
        instructions = f.cpu.instructions();
        handlers = f.cpu.core_totals()->interrupts;
      },
      std::chrono::seconds{1},
      [&](CoreProcessor& cpu) {
        cpu.let_watch(std::make_unique<CoreCoverage>(
            cpu, [&](std::string_view text) { tracefile = text; }, lines_of));
      });
  fixture.cpu.rethrow_error();
  const std::map<unsigned, unsigned> counts = counts_in(tracefile);
  for (unsigned line = 1; line <= 6; ++line) EXPECT_EQ(counts.at(line), 1U) << line;
  for (unsigned line = 7; line <= 9; ++line) EXPECT_NEAR(counts.at(line), 14, 1) << line;
  EXPECT_EQ(counts.at(10), 0U);
  std::uint64_t sum = 0;
  for (const auto& [line, count] : counts) sum += count;
  EXPECT_GT(handlers, 10U);
  EXPECT_EQ(sum + handlers, instructions) << "a handler of one instruction is not seen: " << tracefile;
  EXPECT_NE(tracefile.find("FN:1,main\nFNDA:1,main\n"), std::string::npos) << tracefile;
}

TEST(CoreCoverage, a_program_without_lines_is_refused_before_it_runs) {
  std::string refused;
  Fixture fixture(
      small_program({kStay}), [](Fixture&) {}, std::chrono::seconds{1},
      [&](CoreProcessor& cpu) {
        refused = test::error_text([&] { const CoreCoverage coverage(cpu, [](std::string_view) {}); });
      });
  EXPECT_EQ(refused,
            "--coverage: small.elf: arm-none-eabi-addr2line names no source of it that is here; compile it with -g, "
            "beside its sources, and have arm-none-eabi-addr2line installed");
}

}  // namespace
}  // namespace ftlab::platform
