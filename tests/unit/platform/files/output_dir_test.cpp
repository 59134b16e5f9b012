// All or nothing: a result file is complete under its name, or there is none and one line says why.
#include "platform/files/output_dir.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <sstream>

#include "common/input_error.h"
#include "tests/fixtures/error_text.h"

namespace ftlab::platform {
namespace {

namespace fs = std::filesystem;
using test::error_text;

class OutputDirTest : public testing::Test {
 protected:
  void SetUp() override {
    // A process looks through a folder once for what others left: each test has its own.
    root_ = fs::path(testing::TempDir()) / ("ftlab_out_" + std::to_string(::getpid()) + "_" +
                                            testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }
  [[nodiscard]] std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(root_), fs::directory_iterator()));
  }
  static std::string content(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  fs::path root_;
};

/// Files of this process may not grow beyond a size: what a full disk looks like to a writer, without root.
class SmallFiles {
 public:
  explicit SmallFiles(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    old_handler_ = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~SmallFiles() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit before_{};
  void (*old_handler_)(int) = nullptr;
};

TEST_F(OutputDirTest, folder_belongs_to_who_claimed_it_first_until_that_is_gone) {
  {
    OutputDir first(root_ / "out");
    EXPECT_TRUE(first.claim());
    EXPECT_TRUE(first.claim());
    EXPECT_FALSE(OutputDir(root_ / "out").claim());
    EXPECT_TRUE(OutputDir(root_ / "other").claim());
  }
  EXPECT_TRUE(OutputDir(root_ / "out").claim());
}

TEST_F(OutputDirTest, file_appears_whole_in_a_folder_made_on_the_way) {
  const OutputDir out(root_ / "a" / "b" / "");
  out.write("result.json", "{}\n");
  EXPECT_EQ(content(root_ / "a/b/result.json"), "{}\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(root_ / "a/b"), fs::directory_iterator()), 1);
}

TEST_F(OutputDirTest, nothing_is_visible_before_commit_and_nothing_stays_without_it) {
  {
    OutputFile file(root_ / "ops.csv");
    file.write("half");
    EXPECT_FALSE(fs::exists(root_ / "ops.csv"));
  }
  EXPECT_EQ(entries(), 0U);
}

TEST_F(OutputDirTest, old_result_survives_a_failed_new_one) {
  const OutputDir out(root_);
  out.write("result.json", "old");
  {
    const SmallFiles limit(100);
    EXPECT_EQ(error_text([&] { out.write("result.json", std::string(1000, 'x')); }),
              (root_ / "result.json").string() +
                  ": cannot be written: File too large; free some space or choose another place");
  }
  EXPECT_EQ(content(root_ / "result.json"), "old");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(OutputDirTest, failure_in_the_middle_of_a_stream_leaves_nothing) {
  std::string message;
  {
    const SmallFiles limit(100'000);
    message = error_text([&] {
      OutputFile file(root_ / "ops.csv");
      for (int i = 0; i < 10; ++i) file.write(std::string(50'000, 'x'));
      file.commit();
    });
  }
  EXPECT_THAT(message, testing::HasSubstr("ops.csv: cannot be written: File too large"));
  EXPECT_EQ(entries(), 0U);
}

TEST_F(OutputDirTest, devices_and_pipes_are_written_directly_and_stay) {
  {
    OutputFile file("/dev/null");
    file.write("x");
    file.commit();
  }
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  const fs::path pipe = root_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  {
    OutputFile file(pipe);
    file.write("through");
    file.commit();
  }
  char got[16] = {};
  EXPECT_EQ(::read(reader, got, sizeof got), 7);
  EXPECT_STREQ(got, "through");
  { OutputFile abandoned(pipe); }
  EXPECT_TRUE(fs::is_fifo(pipe)) << "neither replaced nor removed";
  EXPECT_EQ(entries(), 1U);
  ::close(reader);
}

TEST_F(OutputDirTest, full_device_is_one_line) {
  EXPECT_EQ(error_text([] {
              OutputFile file("/dev/full");
              file.write("x");
              file.commit();
            }),
            "/dev/full: cannot be written: No space left on device; free some space or choose another place");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(OutputDirTest, link_stays_a_link_and_its_file_is_replaced_only_by_a_whole_one) {
  std::ofstream(root_ / "real.csv") << "old";
  fs::create_symlink(root_ / "real.csv", root_ / "link.csv");
  { OutputFile abandoned(root_ / "link.csv"); }
  EXPECT_EQ(content(root_ / "real.csv"), "old");
  OutputFile file(root_ / "link.csv");
  file.write("new");
  file.commit();
  EXPECT_TRUE(fs::is_symlink(root_ / "link.csv"));
  EXPECT_EQ(content(root_ / "real.csv"), "new");
  EXPECT_EQ(entries(), 2U);
}

TEST_F(OutputDirTest, temporary_file_of_another_is_neither_used_nor_removed) {
  const fs::path theirs = root_ / fmt::format("x.csv.{}.part", ::getpid());
  std::ofstream(theirs) << "theirs";
  EXPECT_THAT(error_text([&] { OutputFile file(root_ / "x.csv"); }), testing::HasSubstr("File exists"));
  EXPECT_EQ(content(theirs), "theirs");
}

TEST_F(OutputDirTest, advice_names_the_option_of_the_caller) {
  EXPECT_EQ(error_text([&] { OutputFile file(root_ / "no" / "x", "give another FILE"); }),
            (root_ / "no" / "x").string() + ": cannot be written: No such file or directory; give another FILE");
  EXPECT_EQ(error_text([] { OutputFile file(""); }), "the name of a file to write must not be empty; name a file");
}

TEST_F(OutputDirTest, signals_leave_no_empty_folder_and_no_half_file) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      // Test runners may have had it ignored, which prepare_signals() respects.
      std::signal(signal, SIG_DFL);
      prepare_signals();
      const OutputDir out(root_ / "new" / "deep");
      const OutputDir kept(root_ / "kept");
      kept.write("result.json", "{}");
      OutputFile log(root_ / "ops.csv");
      log.write(std::string(200'000, 'x'));
      ::raise(signal);
      ::_exit(1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal) << "the caller sees how it ended";
    EXPECT_EQ(content(root_ / "kept" / "result.json"), "{}");
    EXPECT_EQ(entries(), 1U) << signal;
  }
}

/// The number of a process that is gone.
pid_t number_of_none() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  return child;
}

TEST_F(OutputDirTest, what_killed_processes_left_of_a_file_is_removed_by_the_next_that_writes_it) {
  const pid_t gone = number_of_none();
  const auto named = [this](const std::string& name) { return root_ / name; };
  const fs::path left = named(fmt::format("result.json.{}.part", gone));
  const std::vector<fs::path> others = {named(fmt::format("result.json.{}.part", ::getppid())),  // alive
                                        named(fmt::format("ops.csv.{}.part", gone)),             // of another file
                                        named(fmt::format("result.json.{}.part.txt", gone)),
                                        named("result.json.part"),
                                        named("result.json.1x.part"),
                                        named(fmt::format("result.json.-{}.part", gone))};
  std::ofstream(left) << "half";
  for (const fs::path& other : others) std::ofstream(other) << "x";
  const fs::path locked = named(fmt::format("result.json.{}.part", number_of_none()));
  const int another_machine = ::open(locked.c_str(), O_RDWR | O_CREAT, 0600);
  ASSERT_EQ(::flock(another_machine, LOCK_EX), 0);
  OutputDir(root_).write("result.json", "whole");
  EXPECT_FALSE(fs::exists(left));
  for (const fs::path& other : others) EXPECT_TRUE(fs::exists(other)) << other;
  EXPECT_TRUE(fs::exists(locked));
  ::close(another_machine);
}

TEST_F(OutputDirTest, a_folder_is_listed_once_for_all_files_of_a_run) {
  OutputDir(root_).write("result.json", "whole");
  const fs::path later = root_ / fmt::format("result.json.{}.part", number_of_none());
  std::ofstream(later) << "half";
  OutputDir(root_).write("result.json", "again");
  EXPECT_TRUE(fs::exists(later)) << "left to the next run";
}

TEST_F(OutputDirTest, file_that_is_being_written_is_locked) {
  const OutputFile file(root_ / "ops.csv");
  const fs::path part = root_ / fmt::format("ops.csv.{}.part", ::getpid());
  const int fd = ::open(part.c_str(), O_RDONLY);
  EXPECT_NE(::flock(fd, LOCK_EX | LOCK_NB), 0);
  ::close(fd);
}

/// What a child that does this says on standard error before a signal of its own ends it.
template <class Work>
std::string last_words_of(int signal, Work&& work) {
  int said[2] = {};
  EXPECT_EQ(::pipe(said), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(said[1], STDERR_FILENO);
    std::signal(signal, SIG_DFL);
    prepare_signals();
    work();
    ::_exit(0);
  }
  ::close(said[1]);
  std::string text;
  char block[4096];
  for (ssize_t n = 0; (n = ::read(said[0], block, sizeof block)) > 0;) text.append(block, static_cast<std::size_t>(n));
  ::close(said[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal);
  return text;
}

TEST_F(OutputDirTest, who_is_interrupted_says_in_one_line_what_was_written) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    EXPECT_EQ(last_words_of(signal, [&] { ::raise(signal); }), "ftlab: interrupted\n");
    EXPECT_EQ(last_words_of(signal,
                            [&] {
                              const LastWords first("nothing was written");
                              { const LastWords second("not these"); }
                              const OutputFile half(root_ / "half.csv");
                              ::raise(signal);
                            }),
              "ftlab: interrupted; nothing was written\n");
    EXPECT_EQ(last_words_of(signal,
                            [&] {
                              const LastWords words("nothing was written");
                              const OutputDir out(root_);
                              for (const char* name : {"a.csv", "b.json", "a.csv"}) out.write(name, "x");
                              ::raise(signal);
                            }),
              fmt::format("ftlab: interrupted; written: {0}/a.csv, {0}/b.json\n", root_.string()));
  }
}

TEST_F(OutputDirTest, signals_that_have_to_wait_come_afterwards) {
  const fs::path proof = root_ / "proof";
  last_words_of(SIGINT, [&] {
    const SignalsWait waiting;
    {
      const SignalsWait inner;
      ::raise(SIGINT);
    }
    std::ofstream(proof) << "all of it";
  });
  EXPECT_EQ(content(proof), "all of it");
}

TEST_F(OutputDirTest, child_that_is_ended_leaves_what_its_parent_made) {
  const OutputDir out(root_ / "new");
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    prepare_signals();
    ::raise(SIGTERM);
    ::_exit(1);
  }
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(fs::exists(root_ / "new"));
}

TEST_F(OutputDirTest, file_beyond_the_limit_is_an_error_and_not_the_end_of_the_program) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_DFL);
    prepare_signals();
    const rlimit limit{100, 100};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    int code = 1;
    try {
      const OutputDir out(root_ / "new");
      out.write("result.json", std::string(1000, 'x'));
    } catch (const InputError&) {
      code = 2;
    }
    ::_exit(code);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 2);
  EXPECT_EQ(entries(), 0U);
}

TEST_F(OutputDirTest, folders_made_for_nothing_are_removed) {
  { const OutputDir out(root_ / "new" / "deep"); }
  EXPECT_FALSE(fs::exists(root_ / "new"));
  { const OutputDir out(root_); }
  EXPECT_TRUE(fs::exists(root_)) << "a folder that was there before stays";
}

TEST_F(OutputDirTest, file_in_the_place_of_the_folder_is_refused) {
  std::ofstream(root_ / "out") << "x";
  EXPECT_EQ(error_text([&] { const OutputDir out(root_ / "out"); }),
            (root_ / "out").string() + ": is a file, not a folder; choose another place with --out");
  EXPECT_THAT(error_text([&] { const OutputDir out(root_ / "out" / "deeper"); }),
              testing::AllOf(testing::StartsWith((root_ / "out" / "deeper").string() + ": "),
                             testing::HasSubstr("Not a directory")));
  EXPECT_EQ(error_text([&] { const OutputDir out(""); }), "--out: must not be empty; name a folder for the results");
}

TEST_F(OutputDirTest, folder_in_the_place_of_a_file_is_refused) {
  fs::create_directories(root_ / "x.json");
  EXPECT_EQ(error_text([&] { OutputFile file(root_ / "x.json"); }),
            (root_ / "x.json").string() + ": is a directory; name a file");
}

TEST_F(OutputDirTest, missing_permission_is_one_line) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  fs::permissions(root_, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_THAT(error_text([&] { const OutputDir out(root_ / "x"); }), testing::HasSubstr("Permission denied"));
  fs::permissions(root_, fs::perms::owner_all);
}

}  // namespace
}  // namespace ftlab::platform
