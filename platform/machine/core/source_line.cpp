#include "platform/machine/core/source_line.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <sstream>
#include <vector>

namespace ftlab::platform {
namespace {

/// What a command prints; what it has to complain about nobody hears.
std::string printed_by(std::vector<std::string> words) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const bool started = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ) == 0;
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  std::string text;
  std::array<char, 1024> block{};
  for (ssize_t n = 0; (n = ::read(ends[0], block.data(), block.size())) > 0;)
    text.append(block.data(), static_cast<std::size_t>(n));
  ::close(ends[0]);
  if (started) ::waitpid(child, nullptr, 0);
  return text;
}

}  // namespace

std::string source_line(const std::string& file, iss::ElfMachine machine, std::uint32_t address) {
  const char* const tool =
      machine == iss::ElfMachine::arm ? "arm-none-eabi-addr2line" : "riscv64-unknown-elf-addr2line";
  // "/path/to/ftl.c:120 (discriminator 2)", or "??:0" and the like; a line each for a function and those it is inlined
  // in.
  std::istringstream printed(printed_by({tool, "-i", "-e", file, fmt::format("0x{:x}", address)}));
  std::string best;
  for (std::string line; std::getline(printed, line);) {
    line = line.substr(0, line.find(' '));
    if (const std::size_t folder = line.rfind('/'); folder != std::string::npos) line.erase(0, folder + 1);
    if (line.starts_with('?') || line.ends_with(":?") || line.ends_with(":0")) continue;
    if (best.empty()) best = line;
    // What an instruction of a header is for, who includes it says.
    if (line.find(".h:") == std::string::npos) return line;
  }
  return best;
}

}  // namespace ftlab::platform
