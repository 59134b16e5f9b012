#include "platform/measure/overwrites.h"

#include <cmath>
#include <cstdint>
#include <numeric>

namespace ftlab::platform {
namespace {

std::uint64_t programmed_in(const FtlStats& stats) {
  return stats.pages_written + stats.pages_copied + stats.pages_swapped + stats.pages_padded;
}

}  // namespace

void Overwrites::see(const FtlStats& stats) {
  const std::uint64_t programmed = programmed_in(stats);
  if (pages_ == 0) return;
  // Negative after a loss of power that took off pages which the last overwrite had counted.
  const auto written = static_cast<std::int64_t>(stats.pages_written - written_);
  if (begun_ && written < static_cast<std::int64_t>(pages_)) return;
  if (begun_) {
    amplification_.push_back(static_cast<double>(programmed - programmed_) /
                             static_cast<double>(stats.pages_written - written_));
  }
  begun_ = true;
  written_ = stats.pages_written;
  programmed_ = programmed;
}

// Modulo 2^64, as differences are taken.
void Overwrites::start_over(const FtlStats& last) {
  written_ -= last.pages_written;
  programmed_ -= programmed_in(last);
}

std::optional<double> Overwrites::drift() const {
  const auto measured = amplification_.begin() + static_cast<std::ptrdiff_t>(measured_from_);
  const auto count = static_cast<double>(amplification_.end() - measured);
  if (count == 0) return std::nullopt;
  if (measured_from_ > 0) {
    return std::abs(std::accumulate(measured, amplification_.end(), 0.0) / count / *(measured - 1) - 1);
  }
  if (count < 2) return std::nullopt;
  return std::abs(amplification_.back() / amplification_.front() - 1);
}

}  // namespace ftlab::platform
