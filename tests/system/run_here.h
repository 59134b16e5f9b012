// Runs studies for system tests, each in a child process (the SystemC kernel is global).
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <deque>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/input_error.h"
#include "platform/run/runner.h"
#include "tests/fixtures/error_text.h"

namespace ftlab::platform {

/// A study that is under way in a process of its own; that ends with this object at the latest.
class ChildRun {
 public:
  ChildRun(const Study& study, const LogFiles& logs) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) throw std::runtime_error("no pipe to a simulation");
    // What is buffered would be printed twice.
    std::fflush(nullptr);
    child_ = ::fork();
    if (child_ < 0) throw std::runtime_error("no process for a simulation");
    if (child_ == 0) {
      std::FILE* out = ::fdopen(ends[1], "w");
      std::fputs(outcome(study, logs).dump().c_str(), out);
      ::_exit(std::fclose(out));
    }
    ::close(ends[1]);
    from_child_ = ends[0];
  }
  ~ChildRun() {
    ::close(from_child_);
    if (child_ == 0) return;
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }
  ChildRun(const ChildRun&) = delete;
  ChildRun& operator=(const ChildRun&) = delete;

  /// The result.json. An InputError of the child is one here; a child that says nothing is a failure.
  nlohmann::ordered_json result() {
    std::string text;
    std::array<char, 65536> block{};
    for (ssize_t n = 0; (n = ::read(from_child_, block.data(), block.size())) > 0;)
      text.append(block.data(), static_cast<std::size_t>(n));
    int status = 0;
    ::waitpid(child_, &status, 0);
    child_ = 0;
    const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
    if (status != 0 || !json.is_object())
      throw std::runtime_error("a simulation ended without a result, wait status " + std::to_string(status));
    if (json.contains("refused")) throw InputError(json.at("refused").get<std::string>());
    if (json.contains("failed")) throw std::runtime_error(json.at("failed").get<std::string>());
    return json.at("result");
  }

 private:
  static nlohmann::ordered_json outcome(const Study& study, const LogFiles& logs) {
    try {
      return {{"result", run_study(study, {.logs = logs, .progress = {}})}};
    } catch (const InputError& error) {
      return {{"refused", error.what()}};
    } catch (const std::exception& error) {
      return {{"failed", error.what()}};
    }
  }

  pid_t child_ = 0;  ///< 0: waited for
  int from_child_ = -1;
};

/// Small enough for seconds with sanitizers: 4 MB card, a few MiB of writes.
inline std::vector<Setting> small_study(std::vector<Setting> more = {}) {
  std::vector<Setting> settings{
      {"part", "series2plus-4mb", "test"}, {"ftl.utilization", "0.8", "test"}, {"workload.total_mib", "6", "test"}};
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

/// All at the same time; results in the order of the studies.
inline std::vector<nlohmann::ordered_json> run_all(const std::vector<std::vector<Setting>>& studies,
                                                   const LogFiles& logs = {}) {
  std::deque<ChildRun> runs;
  for (const auto& settings : studies) runs.emplace_back(parse_study("", "test", settings), logs);
  std::vector<nlohmann::ordered_json> results;
  for (ChildRun& run : runs) results.push_back(run.result());
  return results;
}

inline nlohmann::ordered_json run_one_study(const std::vector<Setting>& settings, const LogFiles& logs = {}) {
  return run_all({settings}, logs).front();
}

/// The text of a result but for what its process cost.
inline std::string without_run(nlohmann::ordered_json result) {
  result.erase("run");
  return result.dump();
}

/// The text of what was measured, whatever the study said.
inline std::string measured(nlohmann::ordered_json result) {
  result.erase("config");
  return without_run(std::move(result));
}

/// Results, which are the same where events are timed one by one.
inline std::vector<nlohmann::ordered_json> run_in_both_styles(const std::vector<std::vector<Setting>>& studies) {
  std::vector<std::vector<Setting>> both = studies;
  for (const auto& study : studies) both.emplace_back(study).push_back({"platform.timing", "event", "test"});
  std::vector<nlohmann::ordered_json> runs = run_all(both);
  for (std::size_t i = 0; i < studies.size(); ++i)
    EXPECT_EQ(measured(runs[i]), measured(runs[i + studies.size()])) << "study " << i;
  runs.resize(studies.size());
  return runs;
}

/// Of an object of numbers by name.
inline double sum_of(const nlohmann::ordered_json& numbers) {
  double sum = 0;
  for (const auto& [name, value] : numbers.items()) sum += value.get<double>();
  return sum;
}

/// Bytes that the host wrote, a second.
inline double write_speed(const nlohmann::ordered_json& result) { return result["throughput"]["write_bytes_per_s"]; }

/// The refusal of a study: when it is read or when it runs; "accepted" without one.
inline std::string refusal(const std::vector<Setting>& settings) {
  return test::error_text([&] { run_one_study(settings); }, "accepted");
}

}  // namespace ftlab::platform
