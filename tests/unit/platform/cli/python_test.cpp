// Some commands are another program, which takes our place.
#include "platform/cli/python.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <sstream>

#include "tests/unit/platform/cli/run_program.h"

namespace ftlab::platform::cli {
namespace {

using test::run;

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
  void python_that_ends_with(int code) {
    const std::string path = file("python", "#!/bin/sh\nprintf '%s\\n' \"$@\" > '" + (folder_ / "said").string() +
                                                "'\nexit " + std::to_string(code) + "\n");
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    ::setenv("FTLAB_PYTHON", path.c_str(), 1);
  }
  std::string said() const {
    std::ostringstream text;
    text << std::ifstream(folder_ / "said").rdbuf();
    return text.str();
  }
};

TEST_F(Python, package_is_called_with_the_folder) {
  python_that_ends_with(0);
  EXPECT_TRUE(has_python());
  EXPECT_EXIT(become({"report", folder_.string()}), testing::ExitedWithCode(kOk), "");
  EXPECT_EQ(said(), "-P\n-m\nftlab\nreport\n" + folder_.string() + "\n");
}

TEST_F(Python, reads_the_arguments_of_a_sweep_itself) {
  python_that_ends_with(0);
  EXPECT_EXIT(become({"sweep", "a.toml", "--jobs", "2", "--help"}), testing::ExitedWithCode(kOk), "");
  EXPECT_EQ(said(), "-P\n-m\nftlab\nsweep\na.toml\n--jobs\n2\n--help\n");
}

TEST_F(Python, exit_code_of_the_package_is_passed_on) {
  python_that_ends_with(2);
  EXPECT_EXIT(become({"report", folder_.string()}), testing::ExitedWithCode(2), "");
  EXPECT_EQ(draw_report(folder_), 2);
}

TEST_F(Python, missing_environment_says_how_to_get_it) {
  ::unsetenv("FTLAB_PYTHON");
  EXPECT_FALSE(has_python());
  const auto outcome = run({"report", folder_.string()});
  EXPECT_EQ(outcome.code, kBadInput);
  EXPECT_EQ(outcome.err,
            "ftlab: error: FTLAB_PYTHON is not set, so there is no Python for `report`; run `./ftlab report` in the "
            "source tree, which makes the environment, or set FTLAB_PYTHON to a Python that has the package ftlab\n");
}

TEST_F(Python, interpreter_that_is_not_there_is_one_line) {
  ::setenv("FTLAB_PYTHON", "/nonexistent/python", 1);
  EXPECT_EQ(run({"report", folder_.string()}).err,
            "ftlab: error: FTLAB_PYTHON=/nonexistent/python: cannot be run: No such file or directory\n");
}

TEST_F(Python, missing_folder_is_one_line) {
  EXPECT_EQ(run({"report", "/nonexistent"}).err,
            "ftlab: error: /nonexistent: no such folder; give the folder that `--out` named\n");
}

}  // namespace
}  // namespace ftlab::platform::cli
