// A firmware to start from is written whole into a folder of its own, and never over anything.
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "platform/files/data_files.h"
#include "tests/unit/platform/cli/run_program.h"

namespace ftlab::platform::cli {
namespace {

namespace fs = std::filesystem;
using test::run;
using testing::HasSubstr;

class NewFirmware : public testing::Test {
 protected:
  ~NewFirmware() override { fs::remove_all(folder_); }

  static std::string text(const fs::path& file) {
    std::ostringstream all;
    all << std::ifstream(file).rdbuf();
    return all.str();
  }

  fs::path folder_ = fs::path(testing::TempDir()) / ("ftlab_new_" + std::to_string(::getpid()));
};

TEST_F(NewFirmware, every_file_of_the_core_is_there) {
  for (const char* core : {"arm", "riscv"}) {
    const fs::path project = folder_ / core;
    const auto outcome = run({"new", "firmware", project.string(), "--core", core});
    EXPECT_EQ(outcome.code, kOk) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("run " + (project / "study.toml").string()));
    for (const char* part : {"common", "cores"}) {
      const fs::path from = data_folder("firmware") / part / (part == std::string("cores") ? core : "");
      for (const auto& entry : fs::recursive_directory_iterator(from)) {
        if (!entry.is_regular_file()) continue;
        EXPECT_EQ(text(project / entry.path().lexically_relative(from)), text(entry.path())) << entry.path();
      }
    }
  }
  EXPECT_THAT(text(folder_ / "arm/core/toolchain.cmake"), HasSubstr("arm-none-eabi-gcc"));
  EXPECT_THAT(text(folder_ / "riscv/core/toolchain.cmake"), HasSubstr("riscv64-unknown-elf-gcc"));
}

TEST_F(NewFirmware, an_empty_folder_is_taken_and_a_used_one_stays_as_it_is) {
  fs::create_directories(folder_);
  EXPECT_EQ(run({"new", "firmware", folder_.string()}).code, kOk);
  std::ofstream(folder_ / "src/ftl.c") << "mine\n";
  const auto refused = run({"new", "firmware", folder_.string()});
  EXPECT_EQ(refused.code, kBadInput);
  EXPECT_EQ(refused.err, "ftlab: error: " + folder_.string() + ": is not empty; give another DIR\n");
  EXPECT_EQ(text(folder_ / "src/ftl.c"), "mine\n");
}

TEST_F(NewFirmware, what_is_no_folder_is_refused) {
  fs::create_directories(folder_);
  const std::string file = (folder_ / "file").string();
  std::ofstream(file) << "mine\n";
  EXPECT_EQ(run({"new", "firmware", file}).err, "ftlab: error: " + file + ": is a file; give another DIR\n");
  EXPECT_THAT(run({"new", "firmware", file + "/below"}).err, HasSubstr("give another DIR"));
  EXPECT_EQ(run({"new", "firmware", ""}).code, kBadInput);
  EXPECT_EQ(run({"new"}).code, kBadInput);
  EXPECT_EQ(text(file), "mine\n");
}

}  // namespace
}  // namespace ftlab::platform::cli
