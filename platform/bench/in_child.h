// A simulation for a benchmark, in a process of its own because the SystemC kernel is global. Knows no figure.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "platform/run/runner.h"

namespace ftlab::platform {

/// What `simulate` gives as JSON. What it throws ends the child; that throws here.
template <class Simulate>
nlohmann::ordered_json in_child(const Simulate& simulate) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) throw std::runtime_error("no pipe to a simulation");
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("no process for a simulation");
  if (child == 0) {
    [&]() noexcept {
      std::FILE* out = ::fdopen(ends[1], "w");
      std::fputs(simulate().dump().c_str(), out);
      ::_exit(std::fclose(out));
    }();
  }
  ::close(ends[1]);
  std::FILE* in = ::fdopen(ends[0], "r");
  std::string text;
  std::array<char, 65536> block{};
  while (const std::size_t n = std::fread(block.data(), 1, block.size(), in)) text.append(block.data(), n);
  std::fclose(in);
  ::waitpid(child, nullptr, 0);
  return nlohmann::ordered_json::parse(text);
}

/// The result.json of a study.
inline nlohmann::ordered_json run_in_child(const Study& study) {
  return in_child([&] { return run_study(study); });
}

}  // namespace ftlab::platform
