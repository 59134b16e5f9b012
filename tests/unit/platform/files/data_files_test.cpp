// Data folders: environment first, then beside the program, then the source tree.
#include "platform/files/data_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "tests/fixtures/error_text.h"

namespace ftlab::platform {
namespace {

namespace fs = std::filesystem;

class DataFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("ftlab_data_" + std::to_string(::getpid()));
    fs::create_directories(folder_ / "parts");
    std::ofstream(folder_ / "parts" / "zeta.toml") << "name = \"zeta\"\n";
    std::ofstream(folder_ / "parts" / "alpha.toml") << "name = \"alpha\"\n";
    std::ofstream(folder_ / "parts" / "notes.txt") << "not a part\n";
    ::setenv("FTLAB_DATA_DIR", folder_.c_str(), 1);
  }
  void TearDown() override {
    ::unsetenv("FTLAB_DATA_DIR");
    fs::remove_all(folder_);
  }
  fs::path folder_;
};

TEST_F(DataFiles, environment_names_the_folder) {
  EXPECT_THAT(data_names("parts"), testing::IsSupersetOf({"alpha", "zeta"}));
  EXPECT_EQ(data_file("parts", "zeta", {}, ""), folder_ / "parts" / "zeta.toml");
}

TEST_F(DataFiles, what_ships_is_found_beside_the_user_s_files_which_come_first) {
  const fs::path shipped = data_folder("parts") / "series2plus-4mb.toml";
  EXPECT_EQ(data_file("parts", "series2plus-4mb", {}, ""), shipped);
  EXPECT_EQ(data_file("hosts", "pentium-133", {}, ""), data_folder("hosts") / "pentium-133.toml");
  std::ofstream(folder_ / "parts" / "series2plus-4mb.toml") << "name = \"mine\"\n";
  EXPECT_EQ(data_file("parts", "series2plus-4mb", {}, ""), folder_ / "parts" / "series2plus-4mb.toml");
  const std::vector<std::string> names = data_names("parts");
  EXPECT_EQ(std::ranges::count(names, "series2plus-4mb"), 1);
}

TEST_F(DataFiles, environment_without_any_folder_is_refused) {
  ::setenv("FTLAB_DATA_DIR", (folder_ / "parts").c_str(), 1);
  EXPECT_EQ(test::error_text([] { (void)data_names("hosts"); }),
            "FTLAB_DATA_DIR=" + (folder_ / "parts").string() +
                ": has no folder parts, hosts, cores or scenarios; make one, or unset it");
}

TEST_F(DataFiles, paths_are_taken_as_they_are_relative_to_the_base) {
  EXPECT_EQ(data_file("parts", "parts/zeta.toml", folder_, ""), folder_ / "parts/zeta.toml");
  EXPECT_EQ(test::error_text([&] { (void)data_file("parts", "nope.toml", folder_, "s.toml:1: part: "); }),
            "s.toml:1: part: no such file: " + (folder_ / "nope.toml").string());
}

TEST_F(DataFiles, unknown_name_lists_the_known_ones) {
  EXPECT_THAT(test::error_text([] { (void)data_file("parts", "wombat", {}, "s.toml:1: part: "); }),
              testing::AllOf(testing::StartsWith("s.toml:1: part: no part named 'wombat'; known: alpha, array-mlc, "),
                             testing::EndsWith(", zeta")));
}

TEST(DataFilesDefault, build_tree_finds_the_hosts) {
  ::unsetenv("FTLAB_DATA_DIR");
  EXPECT_TRUE(fs::exists(data_folder("hosts") / "pentium-133.toml"));
}

}  // namespace
}  // namespace ftlab::platform
