// What lists fits the terminal; programs behind a pipe get whole lines.
#include <gmock/gmock.h>
#include <pty.h>
#include <sys/ioctl.h>

#include <array>
#include <sstream>

#include "platform/cli/table.h"
#include "tests/unit/platform/cli/run_program.h"

namespace ftlab::platform::cli {
namespace {

/// What the command prints on a terminal of so many columns; 0: the terminal does not know.
std::vector<std::string> lines_on_terminal(const std::vector<std::string>& words, unsigned short columns) {
  int ours = -1;
  const winsize size{24, columns, 0, 0};
  const pid_t child = ::forkpty(&ours, nullptr, nullptr, &size);
  if (child == 0) {
    std::vector<const char*> argv = {"ftlab"};
    for (const std::string& word : words) argv.push_back(word.c_str());
    ::_exit(run_command_line(static_cast<int>(argv.size()), argv.data()));
  }
  std::string text;
  std::array<char, 4096> block{};
  for (ssize_t got = 0; (got = ::read(ours, block.data(), block.size())) > 0;)
    text.append(block.data(), static_cast<std::size_t>(got));
  ::close(ours);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0) << text;
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    std::erase(line, '\r');
    for (const char* code : {"\033[1m", "\033[0m"}) {
      if (const std::size_t at = line.find(code); at != std::string::npos)
        line.erase(at, std::string_view(code).size());
    }
    lines.push_back(line);
  }
  return lines;
}

TEST(Terminal, no_line_of_a_listing_is_longer_than_the_terminal_is_wide) {
  for (const unsigned short columns : {60, 80, 132}) {
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"keys"},
                                               {"keys", "workload.request_bytes"},
                                               {"figures"},
                                               {"parts"},
                                               {"hosts"},
                                               {"policies"},
                                               {"workloads"},
                                               {"scenarios"},
                                               {"model"},
                                               {"inputs"}}) {
      const auto lines = lines_on_terminal(words, columns);
      EXPECT_GT(lines.size(), 2U) << words.front();
      for (const std::string& line : lines) EXPECT_LE(display_width(line), columns) << words.front() << ": " << line;
    }
  }
}

TEST(Terminal, one_part_fits_but_for_the_path_of_its_file) {
  const auto lines = lines_on_terminal({"parts", "flexonenand-4gb"}, 60);
  for (const std::string& line : lines) {
    if (line.ends_with(".toml")) continue;
    EXPECT_LE(display_width(line), 60U) << line;
  }
}

TEST(Terminal, width_is_that_of_the_variable_or_80_where_the_terminal_does_not_know) {
  const auto widest = [](const std::vector<std::string>& lines) {
    std::size_t most = 0;
    for (const std::string& line : lines) most = std::max(most, display_width(line));
    return most;
  };
  ::setenv("COLUMNS", "50", 1);
  EXPECT_LE(widest(lines_on_terminal({"policies"}, 0)), 50U);
  EXPECT_GT(widest(lines_on_terminal({"policies"}, 120)), 80U) << "what the terminal says goes first";
  ::setenv("COLUMNS", "none", 1);
  EXPECT_LE(widest(lines_on_terminal({"policies"}, 0)), 80U);
  ::unsetenv("COLUMNS");
  EXPECT_GT(widest(lines_on_terminal({"policies"}, 0)), 50U);
}

TEST(Terminal, pipes_get_whole_lines) {
  std::istringstream in(test::run({"policies"}).out);
  std::size_t most = 0;
  for (std::string line; std::getline(in, line);) most = std::max(most, line.size());
  EXPECT_GT(most, 132U);
}

}  // namespace
}  // namespace ftlab::platform::cli
