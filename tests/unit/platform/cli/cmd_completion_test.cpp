// What may stand where, and the scripts that ask for it.
#include <gmock/gmock.h>

#include "tests/unit/platform/cli/run_program.h"

namespace ftlab::platform::cli {
namespace {

using test::run;
using testing::HasSubstr;
using testing::Not;

TEST(Completion, commands_and_options_of_the_program_come_first) {
  const std::string words = run({"__complete", ""}).out;
  EXPECT_THAT(words, HasSubstr("run\n"));
  EXPECT_THAT(words, HasSubstr("reproduce\n"));
  EXPECT_THAT(words, HasSubstr("--seed\n"));
  EXPECT_THAT(words, Not(HasSubstr("__complete")));
}

TEST(Completion, options_of_a_command_and_names_that_it_takes) {
  EXPECT_THAT(run({"__complete", "run", "--s"}).out, HasSubstr("--seeds\n"));
  EXPECT_THAT(run({"__complete", "run", "--set", ""}).out, HasSubstr("ftl.selection=\n"));
  EXPECT_THAT(run({"__complete", "parts", ""}).out, HasSubstr("series2plus-24mb\n"));
  EXPECT_THAT(run({"__complete", "keys", "ftl"}).out, HasSubstr("ftl.selection\n"));
  EXPECT_THAT(run({"__complete", "trace", ""}).out, testing::AllOf(HasSubstr("info\n"), HasSubstr("classes\n")));
  EXPECT_THAT(run({"__complete", "model", ""}).out, HasSubstr("optimal_split\n"));
  EXPECT_THAT(run({"__complete", "model", "greedy", "--set", ""}).out,
              testing::AllOf(HasSubstr("spare_factor=\n"), Not(HasSubstr("ftl."))));
  EXPECT_EQ(run({"__complete", "nothing", ""}).out, "");
}

TEST(Completion, every_shell_has_a_script_and_another_is_refused) {
  for (const char* shell : {"bash", "zsh", "fish"})
    EXPECT_THAT(run({"completion", shell}).out, HasSubstr("__complete"));
  EXPECT_EQ(run({"completion", "tcsh"}).code, kBadInput);
  EXPECT_THAT(run({"--help"}).out, Not(HasSubstr("__complete")));
}

}  // namespace
}  // namespace ftlab::platform::cli
