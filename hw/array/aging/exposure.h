// How long ago pages were programmed, and how often segments were read since their erase: what retention and read
// disturb come of. Kept only where the part's errors depend on it; an image does not have it. Knows no errors.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/units.h"
#include "hw/array/spec/spec.h"

namespace ftlab::hw::array {

class Exposure {
 public:
  struct Page {
    Ticks age{};              ///< since its program ended
    std::uint32_t reads = 0;  ///< of pages of its segment, sensed
    double stored_days = 0;   ///< beside its age, see store()
  };

  explicit Exposure(const ArraySpec& spec)
      : programmed_at_(spec.errors.retains() ? std::size_t{spec.segments} * spec.pages_per_segment : 0),
        reads_(spec.errors.disturbs() ? spec.segments : 0) {}

  void programmed(std::uint32_t page, Ticks when) {
    if (!programmed_at_.empty()) programmed_at_[page] = when;
  }
  void read(std::uint32_t segment, std::uint32_t times = 1) {
    if (!reads_.empty()) reads_[segment] += times;
  }
  void erased(std::uint32_t segment) {
    if (!reads_.empty()) reads_[segment] = 0;
  }
  /// All that is programmed by now has been stored for so many days of the reference temperature before, and each
  /// segment read so often. Once.
  void store(Ticks now, double days, std::uint32_t segment_reads) {
    stored_at_ = now;
    stored_days_ = days;
    for (std::uint32_t& reads : reads_) reads += std::min(segment_reads, UINT32_MAX - reads);
  }
  [[nodiscard]] Page of(std::uint32_t page, std::uint32_t segment, Ticks now) const {
    Page found;
    if (!programmed_at_.empty()) {
      if (now > programmed_at_[page]) found.age = now - programmed_at_[page];
      if (stored_days_ > 0 && programmed_at_[page] <= stored_at_) found.stored_days = stored_days_;
    }
    if (!reads_.empty()) found.reads = reads_[segment];
    return found;
  }

 private:
  std::vector<Ticks> programmed_at_;  ///< of each page; empty: nothing depends on it
  std::vector<std::uint32_t> reads_;  ///< of each segment; the same
  Ticks stored_at_{};
  double stored_days_ = 0;
};

}  // namespace ftlab::hw::array
