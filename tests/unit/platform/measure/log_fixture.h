// A log that a test writes, and its lines.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace ftlab::platform::test {

class LogTest : public ::testing::Test {
 protected:
  void TearDown() override { std::remove(path_.c_str()); }
  [[nodiscard]] std::vector<std::string> lines() const {
    std::vector<std::string> all;
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);) all.push_back(line);
    return all;
  }
  std::string path_ = ::testing::TempDir() + "ftlab_log_" + std::to_string(::getpid());
};

}  // namespace ftlab::platform::test
