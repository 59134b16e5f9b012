// Runs a command line in this process and keeps what it printed. The temporary folder is the test's own.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "platform/cli/commands.h"

namespace ftlab::platform::cli::test {

struct Outcome {
  int code = 0;
  std::string out;
  std::string err;
};

inline Outcome run(const std::vector<std::string>& words) {
  std::vector<const char*> argv = {"ftlab"};
  for (const std::string& word : words) argv.push_back(word.c_str());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Outcome outcome;
  outcome.code = run_command_line(static_cast<int>(argv.size()), argv.data());
  outcome.out = testing::internal::GetCapturedStdout();
  outcome.err = testing::internal::GetCapturedStderr();
  return outcome;
}

/// The same in a process of its own, for command lines that simulate: the SystemC kernel runs once in a process.
inline Outcome run_in_child(const std::vector<std::string>& words) {
  const std::filesystem::path said = std::filesystem::path(testing::TempDir()) / ("said_" + std::to_string(::getpid()));
  const pid_t child = ::fork();
  if (child == 0) {
    const Outcome outcome = run(words);
    std::ofstream(said.string() + ".out") << outcome.out;
    std::ofstream(said.string() + ".err") << outcome.err;
    ::_exit(outcome.code);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  const auto content = [](const std::string& path) {
    std::ifstream in(path);
    std::string text((std::istreambuf_iterator<char>(in)), {});
    std::filesystem::remove(path);
    return text;
  };
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content(said.string() + ".out"),
          content(said.string() + ".err")};
}

class FolderTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) / ("ftlab_cli_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  /// Writes a file and returns its path.
  std::string file(const std::string& name, const std::string& content) const {
    const std::filesystem::path path = folder_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << content;
    return path.string();
  }
  std::filesystem::path folder_;
};

}  // namespace ftlab::platform::cli::test
