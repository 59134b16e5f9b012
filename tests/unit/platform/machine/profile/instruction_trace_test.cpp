#include "platform/machine/profile/instruction_trace.h"

#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "tests/unit/platform/machine/core/processor_fixture.h"
#include "tests/unit/platform/machine/core/small_program.h"
#include "tests/unit/platform/machine/core/thumb_code.h"
#include "tests/unit/platform/machine/profile/sleeping_program.h"

namespace ftlab::platform {
namespace {

struct TracedRow {
  double time_s = 0;
  std::uint64_t cycle = 0;
  std::uint64_t cycles = 0;
  std::string address{};
};

std::vector<TracedRow> rows_of(const std::string& csv) {
  std::vector<TracedRow> rows;
  std::istringstream in(csv);
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line, "time_s,cycle,cycles,address,code,instruction,function,line");
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    std::vector<std::string> words;
    for (std::string word; std::getline(fields, word, ',');) words.push_back(word);
    rows.push_back({std::stod(words.at(0)), std::stoull(words.at(1)), std::stoull(words.at(2)), words.at(3)});
  }
  return rows;
}

TEST(InstructionTrace, rows_of_the_span_follow_each_other_without_a_gap) {
  std::string csv;
  std::uint64_t measured = 0;
  Fixture fixture(
      sleeping_in_a_loop(),
      [&](Fixture& f) {
        f.start();
        measured = f.cpu.core().cycles();
        f.cpu.measures(true);
        f.cpu.advance(std::chrono::milliseconds{1});
      },
      std::chrono::seconds{1},
      [&](CoreProcessor& cpu) {
        const InstructionTrace::Span span{std::chrono::microseconds{200}, std::chrono::microseconds{500}};
        cpu.let_watch(std::make_unique<InstructionTrace>(cpu, span, [&](std::string_view row) { csv += row; }));
      });
  fixture.cpu.rethrow_error();
  const std::vector<TracedRow> rows = rows_of(csv);
  // Four instructions for each 70 us of the part.
  ASSERT_GT(rows.size(), 12U) << csv;
  ASSERT_LT(rows.size(), 35U) << csv;
  EXPECT_GE(rows.front().cycle, measured + 2000);
  EXPECT_LT(rows.back().cycle, measured + 5000);
  bool sleeps = false;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_NEAR(rows[i].time_s, 1e-7 * static_cast<double>(rows[i].cycle), 1e-9);
    if (rows[i].address == "0x0000008e") sleeps = sleeps || rows[i].cycles > 100;
    if (i == 0) continue;
    EXPECT_EQ(rows[i].cycle, rows[i - 1].cycle + rows[i - 1].cycles) << csv;
  }
  EXPECT_TRUE(sleeps) << csv;
}

}  // namespace
}  // namespace ftlab::platform
