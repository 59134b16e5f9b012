// Some commands are another program, which takes our place.
#include "platform/cli/python.h"

#include <gmock/gmock.h>

#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "platform/study/study.h"
#include "platform/study/study_files.h"
#include "tests/unit/platform/cli/run_program.h"

namespace ftlab::platform::cli {
namespace {

using test::run;
using testing::HasSubstr;

/// As run(), in a process that does not come back.
void become(const std::vector<std::string>& words) {
  std::vector<const char*> argv = {"ftlab"};
  for (const std::string& word : words) argv.push_back(word.c_str());
  std::exit(run_command_line(static_cast<int>(argv.size()), argv.data()));
}

class Python : public test::FolderTest {
 protected:
  void TearDown() override {
    ::unsetenv("FTLAB_PYTHON");
    FolderTest::TearDown();
  }
  /// A stand-in for Python that notes its arguments.
  void python_that_ends_with(int code, const std::string& before = "") {
    const std::string path =
        file("python", "#!/bin/sh\nprintf '%s\\n' \"$@\" > '" + in_folder("saying") + "'\nmv '" + in_folder("saying") +
                           "' '" + in_folder("said") + "'\n" + before + "exit " + std::to_string(code) + "\n");
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    ::setenv("FTLAB_PYTHON", path.c_str(), 1);
  }
  std::string in_folder(const std::string& name) const { return (folder_ / name).string(); }
  /// What the stand-in is told by this command line.
  std::string handed_on(const std::vector<std::string>& words) const {
    std::filesystem::remove(folder_ / "said");
    EXPECT_EXIT(become(words), testing::ExitedWithCode(kOk), "");
    std::ostringstream text;
    text << std::ifstream(folder_ / "said").rdbuf();
    return text.str();
  }
  std::string small_study(const std::string& more = "") const {
    return file("study.toml", more + "part = \"series2plus-4mb\"\n[workload]\ntotal_mib = 1\n");
  }
};

TEST_F(Python, package_is_called_with_the_folder) {
  python_that_ends_with(0);
  EXPECT_EQ(handed_on({"report", folder_.string()}), "-P\n-m\nftlab\nreport\n" + folder_.string() + "\n");
}

TEST_F(Python, reads_the_arguments_of_questions_to_many_runs_itself) {
  python_that_ends_with(0);
  EXPECT_EQ(handed_on({"sweep", "a.toml", "--jobs", "2", "--help"}),
            "-P\n-m\nftlab\nsweep\na.toml\n--jobs\n2\n--help\n");
  EXPECT_EQ(handed_on({"reproduce", "fms-table4", "--out", "x", "--list"}),
            "-P\n-m\nftlab\nreproduce\nfms-table4\n--out\nx\n--list\n");
}

TEST_F(Python, main_study_gets_the_options_that_were_given) {
  python_that_ends_with(0);
  EXPECT_EQ(handed_on({}), "-P\n-m\nftlab\nmain-study\n");
  EXPECT_EQ(handed_on({"--seed", "7"}), "-P\n-m\nftlab\nmain-study\n--seed\n7\n");
  EXPECT_EQ(handed_on({"--seed", "1", "--out", "a b", "--trace=x.srt"}),
            "-P\n-m\nftlab\nmain-study\n--trace\nx.srt\n--out\na b\n--seed\n1\n");
}

TEST_F(Python, several_seeds_get_study_first_seed_settings_and_folder) {
  python_that_ends_with(0);
  const std::string study = small_study();
  const std::string out = in_folder("out");
  EXPECT_EQ(handed_on({"run", study, "--seeds", "2", "--out", out}),
            "-P\n-m\nftlab\nseeds\n" + study + "\n--seeds\n2\n--seed\n1\n--out\n" + out + "\n");
  EXPECT_EQ(handed_on({"run", "--set", "ftl.selection=cat", "--jobs", "3", study, "--seeds", "12", "--seed", "5",
                       "--set", "voltage=\"3.3V\"", "--out", out}),
            "-P\n-m\nftlab\nseeds\n" + study +
                "\n--seeds\n12\n--seed\n5\n--set\nftl.selection=cat\n--set\nvoltage=\"3.3V\"\n--jobs\n3\n--out\n" +
                out + "\n");
}

TEST_F(Python, several_seeds_say_as_much_as_one_would) {
  python_that_ends_with(0);
  const std::string out = in_folder("out");
  EXPECT_THAT(handed_on({"run", small_study(), "--seeds", "2", "--out", out, "-q", "--json"}),
              testing::EndsWith("--quiet\n--json\n"));
}

TEST_F(Python, result_of_several_seeds_is_repeated_with_as_many) {
  python_that_ends_with(0);
  const Study study = parse_study("part = \"series2plus-4mb\"\nseed = 4\n", "s.toml");
  nlohmann::ordered_json result{{"schema", "ftlab-result"}, {"version", 1}, {"config", resolved_config(study)}};
  result["config"]["documents"] = study_documents(study);
  result["ensemble"]["seeds"] = {4, 5, 6};
  const std::string path = file("before/result.json", result.dump());
  EXPECT_EQ(handed_on({"run", path, "--out", in_folder("out")}),
            "-P\n-m\nftlab\nseeds\n" + path + "\n--seeds\n3\n--seed\n4\n--out\n" + in_folder("out") + "\n");
}

TEST_F(Python, several_seeds_are_refused_before_python_when_one_would_be) {
  python_that_ends_with(0);
  const std::string out = in_folder("out");
  EXPECT_THAT(run({"run", small_study("sed = 1\n"), "--seeds", "2", "--out", out}).err,
              HasSubstr("study.toml:1: sed: "));
  for (const std::string log : {"--log-ops", "--log-requests", "--log-bus"}) {
    EXPECT_THAT(run({"run", small_study(), "--seeds", "2", "--out", out, log, "x"}).err,
                HasSubstr(log + " writes one run"));
  }
  EXPECT_FALSE(std::filesystem::exists(out));
  file("out/result.json", R"({"run": {"study": "/another.toml"}})");
  EXPECT_THAT(run({"run", small_study(), "--seeds", "2", "--out", out}).err,
              HasSubstr("is the result of another study, /another.toml"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "said"));
}

TEST_F(Python, several_seeds_of_a_trace_that_can_be_read_only_once_are_refused) {
  python_that_ends_with(0);
  const auto outcome = run({"run", small_study(), "--seeds", "2", "--out", in_folder("out"), "--set",
                            "workload.kind=trace", "--set", "workload.path=/dev/null"});
  EXPECT_EQ(outcome.code, kBadInput);
  EXPECT_THAT(
      outcome.err,
      testing::EndsWith("/dev/null: can be read only once, and every seed reads it; save the trace to a file\n"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
}

TEST_F(Python, folder_of_several_seeds_stays_claimed_until_python_ends) {
  python_that_ends_with(3, "while [ ! -e '" + in_folder("go") + "' ]; do sleep 0.01; done\n");
  const std::string study = small_study();
  const std::string out = in_folder("out");
  const pid_t child = ::fork();
  if (child == 0) become({"run", study, "--seeds", "2", "--out", out});
  while (!std::filesystem::exists(folder_ / "said") && ::waitpid(child, nullptr, WNOHANG) == 0)
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
  EXPECT_EQ(run({"run", study, "--seeds", "1", "--out", out}).err,
            "ftlab: error: --out " + out + ": another run is writing there; choose another folder\n");
  file("go", "");
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), kEndedEarly);
  EXPECT_EQ(test::run_in_child({"run", study, "--seeds", "1", "--out", out}).code, kOk);
}

TEST_F(Python, knows_which_folders_were_made_for_its_results) {
  python_that_ends_with(0, "printf '%s' \"$FTLAB_MADE_FOLDERS\" > '" + in_folder("said") + "'\n");
  EXPECT_EQ(handed_on({"run", small_study(), "--seeds", "2", "--out", in_folder("a/b/")}), "2 " + in_folder("a/b"));
  std::filesystem::create_directory(folder_ / "there");
  EXPECT_EQ(handed_on({"run", small_study(), "--seeds", "2", "--out", in_folder("there")}), "0 " + in_folder("there"));
}

TEST_F(Python, signals_wait_until_the_package_can_heed_them) {
  const std::string path =
      file("python",
           "#!/usr/bin/env python3\nimport os, signal\nfor name in 'SIGINT', 'SIGTERM', 'SIGHUP':\n"
           "  os.kill(os.getpid(), getattr(signal, name))\nos._exit(5)\n");
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  ::setenv("FTLAB_PYTHON", path.c_str(), 1);
  EXPECT_EXIT(become({"report", folder_.string()}), testing::ExitedWithCode(5), "");
}

TEST_F(Python, exit_code_of_the_package_is_passed_on) {
  python_that_ends_with(2);
  EXPECT_EXIT(become({"report", folder_.string()}), testing::ExitedWithCode(2), "");
}

TEST_F(Python, interpreter_of_the_system_answers_where_none_is_named) {
  python_that_ends_with(0);
  std::filesystem::rename(folder_ / "python", folder_ / "python3");
  ::unsetenv("FTLAB_PYTHON");
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", (folder_.string() + ":" + path).c_str(), 1);
  EXPECT_EQ(handed_on({"reproduce"}), "-P\n-m\nftlab\nreproduce\n");
  ::setenv("PATH", in_folder("none").c_str(), 1);
  const auto outcome = run({"run", small_study(), "--seeds", "2", "--out", in_folder("out")});
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(outcome.code, kBadInput);
  EXPECT_EQ(outcome.err,
            "ftlab: error: python3, which answers this command, cannot be run: No such file or directory; install "
            "Python 3.11 or later, or name one by FTLAB_PYTHON\n");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
}

TEST_F(Python, package_is_the_one_that_belongs_to_the_program) {
  const std::string path = file("python", "#!/bin/sh\necho \"$PYTHONPATH\" > '" + in_folder("said") + "'\n");
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  ::setenv("FTLAB_PYTHON", path.c_str(), 1);
  ::setenv("PYTHONPATH", "/of/the/user", 1);
  const std::string source = handed_on({"reproduce"});
  EXPECT_THAT(source, testing::EndsWith("reports/src:/of/the/user\n"));
  file("data/python/src/ftlab/__init__.py", "");
  file("data/parts/a.toml", "");
  ::setenv("FTLAB_DATA_DIR", in_folder("data").c_str(), 1);
  EXPECT_EQ(handed_on({"reproduce"}), in_folder("data") + "/python/src:/of/the/user\n");
  ::unsetenv("FTLAB_DATA_DIR");
  ::unsetenv("PYTHONPATH");
}

TEST_F(Python, interpreter_that_is_not_there_is_one_line) {
  ::setenv("FTLAB_PYTHON", "/nonexistent/python", 1);
  EXPECT_EQ(run({"report", folder_.string()}).err,
            "ftlab: error: FTLAB_PYTHON=/nonexistent/python: cannot be run: No such file or directory\n");
}

}  // namespace
}  // namespace ftlab::platform::cli
