// The report is another program: it gets the folder, and its exit code is ours.
#include "platform/cli/report.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <sstream>

#include "tests/unit/platform/cli/run_program.h"

namespace ftlab::platform::cli {
namespace {

using test::run;

class Report : public test::FolderTest {
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

TEST_F(Report, package_is_called_with_the_folder) {
  python_that_ends_with(0);
  EXPECT_TRUE(report_available());
  EXPECT_EQ(run({"report", folder_.string()}).code, kOk);
  EXPECT_EQ(said(), "-m\nftlab_reports\n" + folder_.string() + "\n");
}

TEST_F(Report, exit_code_of_the_package_is_passed_on) {
  python_that_ends_with(2);
  EXPECT_EQ(run({"report", folder_.string()}).code, 2);
}

TEST_F(Report, missing_environment_says_how_to_get_it) {
  ::unsetenv("FTLAB_PYTHON");
  EXPECT_FALSE(report_available());
  const auto outcome = run({"report", folder_.string()});
  EXPECT_EQ(outcome.code, kBadInput);
  EXPECT_EQ(
      outcome.err,
      "ftlab: error: FTLAB_PYTHON is not set, so there is no Python to draw with; run `./ftlab report DIR` in the "
      "source tree, which makes the environment, or set FTLAB_PYTHON to a Python that has ftlab_reports\n");
}

TEST_F(Report, interpreter_that_is_not_there_is_one_line) {
  ::setenv("FTLAB_PYTHON", "/nonexistent/python", 1);
  EXPECT_EQ(run({"report", folder_.string()}).err,
            "ftlab: error: FTLAB_PYTHON=/nonexistent/python: cannot be run: No such file or directory\n");
}

TEST_F(Report, missing_folder_is_one_line) {
  EXPECT_EQ(run({"report", "/nonexistent"}).err,
            "ftlab: error: /nonexistent: no such folder; give the folder that `--out` named\n");
}

}  // namespace
}  // namespace ftlab::platform::cli
