// Reads until ECC is enough for every codeword, or no step is left. A segment remembers the step that was enough, and
// its next read begins there; it forgets with its erase, and the controller's RAM forgets all of them without supply.
// Knows nothing of time. Each step is drawn for itself.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "hw/array/aging/attempts.h"
#include "hw/array/aging/error_model.h"
#include "hw/array/aging/page_reads.h"
#include "hw/array/spec/spec.h"

namespace ftlab::hw::array {

class ReadRetry {
 public:
  explicit ReadRetry(const ArraySpec& spec)
      : steps_(spec.read_retry), first_(spec.read_retry.any() && spec.errors.any() ? spec.segments : 0) {}

  struct Outcome {
    ReadErrors errors;  ///< of the last step
    Attempts attempts;
  };
  Outcome read(ErrorModel& errors, std::uint32_t segment, double mean_bits);
  /// The same of a copy is sure to need no step, and to be correctable.
  [[nodiscard]] bool is_certain(const ErrorModel& errors, std::uint32_t segment, double mean_bits) const {
    if (first_.empty()) return errors.is_certain(mean_bits, true);
    return first_[segment] == 0 && errors.is_certain(mean_bits, false);
  }
  /// A read that somebody asked for, no copy.
  void count(std::uint32_t type, double mean_bits, const Outcome& outcome) {
    PageReads& count = counts_[type];
    ++count.reads;
    count.wrong_bits += mean_bits;
    count.retries += outcome.attempts.retries();
    if (outcome.errors.correctable) return;
    ++count.unreadable;
    count.lost_codewords += outcome.errors.lost_codewords;
    count.lost_bits += outcome.errors.lost_bits;
  }
  /// Of what no step can read.
  [[nodiscard]] Attempts in_vain(std::uint32_t segment) const {
    return first_.empty() ? Attempts{} : Attempts{first_[segment], steps_.last()};
  }
  void erased(std::uint32_t segment) {
    if (!first_.empty()) first_[segment] = 0;
  }
  void forget() { std::ranges::fill(first_, std::uint8_t{0}); }
  [[nodiscard]] const PageReadsByType& counts() const { return counts_; }

 private:
  ArrayReadRetry steps_;
  std::vector<std::uint8_t> first_;  ///< step of the next read, of each segment; empty: there is the plain read alone
  PageReadsByType counts_{};
};

}  // namespace ftlab::hw::array
