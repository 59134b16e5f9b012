#include "platform/cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace ftlab::platform::cli {

ProgressBar::ProgressBar(std::string title)
    : title_(std::move(title)),
      terminal_(::isatty(STDERR_FILENO) == 1),
      for_program_(std::getenv("FTLAB_PROGRESS") != nullptr),
      start_(Clock::now()) {}

ProgressBar::~ProgressBar() { finish(); }

void ProgressBar::update(double share) {
  if (for_program_) {
    if (share - said_ < 0.01) return;
    said_ = share;
    fmt::print(stderr, "ftlab: progress: {:.2f}\n", share);
    return;
  }
  const auto now = Clock::now();
  if (!terminal_ || now - last_ < std::chrono::milliseconds{100}) return;
  last_ = now;
  constexpr int kWidth = 28;
  share = std::clamp(share, 0.0, 1.0);
  const int filled = static_cast<int>(share * kWidth);
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const std::string left = share > 0.02 ? fmt::format(" {:.0f} s left", elapsed / share * (1 - share)) : "";
  fmt::print(stderr, "\r\033[K{} [{}{}] {:3.0f} %{}", title_, std::string(static_cast<std::size_t>(filled), '#'),
             std::string(static_cast<std::size_t>(kWidth - filled), '.'), share * 100, left);
  std::fflush(stderr);
  drawn_ = true;
}

void ProgressBar::finish() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace ftlab::platform::cli
