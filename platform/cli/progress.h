// A one-line progress bar on a terminal; silent in a pipe or file, but for a program that asks with FTLAB_PROGRESS,
// which reads lines "ftlab: progress: 0.42". Knows a share, not what makes progress.
#pragma once

#include <chrono>
#include <string>

namespace ftlab::platform::cli {

class ProgressBar {
 public:
  explicit ProgressBar(std::string title);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// `share` 0..1. Redraws at most ten times a second.
  void update(double share);
  /// Removes the line.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;

  std::string title_;
  bool terminal_;
  bool for_program_;
  bool drawn_ = false;
  double said_ = 0;  ///< to a program
  Clock::time_point start_;
  Clock::time_point last_{};
};

}  // namespace ftlab::platform::cli
