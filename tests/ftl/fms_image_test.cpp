// A medium saved by one process is mounted by another.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

int tool(const std::string& arguments) {
  return std::system((std::string(FTLAB_IMAGE_TOOL) + " " + arguments).c_str());
}

TEST(FmsImage, written_by_one_process_is_whole_in_a_fresh_one) {
  const std::filesystem::path image = std::filesystem::path(testing::TempDir()) / "fms_image_test.bin";
  ASSERT_EQ(tool("write '" + image.string() + "' 51"), 0);
  EXPECT_EQ(tool("check '" + image.string() + "' 51"), 0);
  EXPECT_NE(tool("check '" + image.string() + "' 52 2>/dev/null"), 0) << "the check accepts anything";
  std::filesystem::remove(image);
}

}  // namespace
