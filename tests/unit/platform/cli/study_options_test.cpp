// STUDY, --set and --seed in any order mean the same.
#include "platform/cli/study_options.h"

#include <gmock/gmock.h>

#include <CLI/CLI.hpp>

#include "tests/fixtures/error_text.h"
#include "tests/unit/platform/cli/run_program.h"

namespace ftlab::platform::cli {
namespace {

class StudyOptionsTest : public test::FolderTest {
 protected:
  static Study parse(std::vector<std::string> words) {
    CLI::App app;
    StudyOptions options;
    add_study_options(app, options);
    std::reverse(words.begin(), words.end());
    app.parse(words);
    return load_study(options);
  }
};

TEST_F(StudyOptionsTest, settings_do_not_swallow_the_file_name) {
  const std::string path = file("s.toml", "seed = 2\n[ftl]\nselection = \"greedy\"\n");
  const Study before = parse({"--set", "ftl.selection=cat", "--set", "ftl.utilization=0.5", path});
  EXPECT_EQ(before.ftl.selection, "cat");
  EXPECT_EQ(before.ftl.utilization, 0.5);
  EXPECT_EQ(before.seed, 2U);
  EXPECT_EQ(parse({path, "--set", "ftl.selection=cat"}).ftl.selection, "cat");
}

TEST_F(StudyOptionsTest, seed_option_wins) {
  const std::string path = file("s.toml", "seed = 2\n");
  EXPECT_EQ(parse({path, "--seed", "9", "--set", "seed=5"}).seed, 9U);
}

TEST_F(StudyOptionsTest, absent_study_is_one_of_defaults_where_it_is_optional) {
  CLI::App app;
  StudyOptions options;
  add_study_options(app, options, StudyFile::optional);
  app.parse("--set ftl.selection=cat");
  const Study study = load_study(options);
  EXPECT_EQ(study.ftl.selection, "cat");
  EXPECT_EQ(study.seed, Study{}.seed);
  EXPECT_THROW(parse({"--seed", "2"}), CLI::RequiredError);
}

TEST_F(StudyOptionsTest, errors_name_option_or_file) {
  const std::string path = file("s.toml", "[ftl]\nselection = \"cta\"\n");
  EXPECT_EQ(ftlab::test::error_text([&] { (void)parse({path}); }),
            path +
                ":2: ftl.selection: 'cta' is not one of greedy | cost_benefit | cat | fifo | linux_pcmcia | "
                "windowed_greedy | d_choices | "
                "random | partition_fifo | lru; did you mean 'cat'?");
  EXPECT_EQ(ftlab::test::error_text([&] {
              (void)parse({path, "--set", "ftl.selection=cat", "--seed", "x"});
            }),
            "--seed: seed: must be an integer, not a string ('x')");
  EXPECT_EQ(ftlab::test::error_text([&] {
              (void)parse({path, "--set", "seed"});
            }),
            "--set: 'seed' is not KEY=VALUE; write for example --set ftl.selection=cat");
}

}  // namespace
}  // namespace ftlab::platform::cli
