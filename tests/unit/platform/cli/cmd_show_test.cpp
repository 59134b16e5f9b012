// A saved result on the console, as the run that made it printed it.
#include <gmock/gmock.h>

#include "tests/unit/platform/cli/run_program.h"

namespace ftlab::platform::cli {
namespace {

using test::Outcome;
using test::run;
using test::run_in_child;
using testing::HasSubstr;

class Show : public test::FolderTest {
 protected:
  /// One line, and nothing on standard output.
  static std::string error(const std::string& place) {
    const Outcome outcome = run({"show", place});
    EXPECT_EQ(outcome.code, kBadInput);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1);
    return outcome.err;
  }
  Outcome run_study(const std::vector<std::string>& more) const {
    const std::string study =
        file("study.toml", "part = \"series2plus-4mb\"\n[ftl]\nutilization = 0.8\n[workload]\ntotal_mib = 1\n");
    std::vector<std::string> words = {"run", study, "--out", (folder_ / "out").string()};
    words.insert(words.end(), more.begin(), more.end());
    return run_in_child(words);
  }
};

TEST_F(Show, says_what_the_run_said_for_the_folder_and_for_the_file) {
  for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--seeds", "2"}}) {
    const Outcome made = run_study(more);
    ASSERT_EQ(made.code, kOk) << made.err;
    const Outcome shown = run({"show", (folder_ / "out").string()});
    EXPECT_EQ(shown.code, kOk) << shown.err;
    EXPECT_THAT(shown.out, HasSubstr("write amplification"));
    EXPECT_EQ(shown.out, made.out.substr(0, made.out.find("\nResults: ")));
    EXPECT_EQ(run({"show", (folder_ / "out" / "result.json").string()}).out, shown.out);
  }
}

TEST_F(Show, missing_result_is_named) {
  EXPECT_EQ(error((folder_ / "none").string()), "ftlab: error: " + (folder_ / "none").string() +
                                                    ": no such file; give a result.json or a folder that holds one\n");
  EXPECT_EQ(error(folder_.string()), "ftlab: error: " + (folder_ / "result.json").string() +
                                         ": no such file; give a result.json or a folder that holds one\n");
  EXPECT_THAT(error(""), HasSubstr("must not be empty"));
}

TEST_F(Show, what_is_no_result_is_refused) {
  EXPECT_THAT(error(file("a.json", "{\"schema\"")), HasSubstr("a.json: not valid JSON at byte "));
  EXPECT_THAT(error(file("b.json", "{\"schema\": \"ftlab-driver\", \"version\": 1}")),
              HasSubstr("b.json: not a result of ftlab"));
}

TEST_F(Show, result_with_parts_missing_is_refused_with_what_is_missing) {
  const std::string path = file("part.json", "{\"schema\": \"ftlab-result\", \"version\": 1}");
  EXPECT_THAT(error(path),
              testing::AllOf(testing::StartsWith("ftlab: error: " + path + ": is no whole result of this ftlab: key '"),
                             testing::EndsWith("' not found; make it anew with `ftlab run`\n")));
}

TEST_F(Show, help_ends_with_examples) {
  EXPECT_THAT(run({"show", "--help"}).out, HasSubstr("Examples:\n  ftlab show"));
}

}  // namespace
}  // namespace ftlab::platform::cli
