#include "platform/machine/core/source_line.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <optional>
#include <sstream>

namespace ftlab::platform {
namespace {

/// To be read from its begin; -1: there is none.
int file_of(const std::string& text) {
  const int file = ::memfd_create("ftlab", MFD_CLOEXEC);
  if (file < 0) return -1;
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t n = ::write(file, text.data() + at, text.size() - at);
    if (n < 0) break;
    at += static_cast<std::size_t>(n);
  }
  ::lseek(file, 0, SEEK_SET);
  return file;
}

/// What a command prints that reads `input`; what it has to complain about nobody hears.
std::string printed_by(std::vector<std::string> words, const std::string& input = {}) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  const int in = file_of(input);
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  if (in >= 0) ::posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const bool started = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ) == 0;
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (in >= 0) ::close(in);
  std::string text;
  std::array<char, 1 << 16> block{};
  for (ssize_t n = 0; (n = ::read(ends[0], block.data(), block.size())) > 0;)
    text.append(block.data(), static_cast<std::size_t>(n));
  ::close(ends[0]);
  if (started) ::waitpid(child, nullptr, 0);
  return text;
}

/// "/path/to/ftl.c:120 (discriminator 2)", or "??:0" and the like.
std::optional<SourcePlace> place_in(std::string_view line) {
  line = line.substr(0, line.find(" (discriminator"));
  const std::size_t colon = line.rfind(':');
  if (colon == std::string_view::npos || line.starts_with('?')) return {};
  SourcePlace place{std::string(line.substr(0, colon)), 0};
  std::from_chars(line.data() + colon + 1, line.data() + line.size(), place.line);
  return place.line == 0 ? std::nullopt : std::optional(place);
}

}  // namespace

const char* addr2line_of(iss::ElfMachine machine) {
  return machine == iss::ElfMachine::arm ? "arm-none-eabi-addr2line" : "riscv64-unknown-elf-addr2line";
}

std::vector<std::vector<SourcePlace>> source_places(const std::string& file, iss::ElfMachine machine,
                                                    std::span<const std::uint32_t> addresses) {
  std::string asked;
  for (const std::uint32_t address : addresses) asked += fmt::format("0x{:x}\n", address);
  std::istringstream printed(printed_by({addr2line_of(machine), "-a", "-i", "-e", file}, asked));
  std::vector<std::vector<SourcePlace>> found;
  // A line with each address, then its places.
  for (std::string line; std::getline(printed, line);) {
    if (line.starts_with("0x")) {
      found.emplace_back();
    } else if (auto place = place_in(line); place && !found.empty()) {
      found.back().push_back(*std::move(place));
    }
  }
  found.resize(addresses.size());
  return found;
}

std::string source_line(const std::string& file, iss::ElfMachine machine, std::uint32_t address) {
  // "/path/to/ftl.c:120 (discriminator 2)", or "??:0" and the like; a line each for a function and those it is inlined
  // in.
  std::istringstream printed(printed_by({addr2line_of(machine), "-i", "-e", file, fmt::format("0x{:x}", address)}));
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
