// How long ago pages were programmed, and how often segments were read since their erase: what retention and read
// disturb come of. Kept only where the part's errors depend on it; an image does not have it. Knows no errors.
#pragma once

#include <cstdint>
#include <vector>

#include "common/units.h"
#include "hw/array/spec/spec.h"

namespace ftlab::hw::array {

class Exposure {
 public:
  struct Page {
    Ticks age{};              ///< since its program ended
    std::uint32_t reads = 0;  ///< of pages of its segment
  };

  explicit Exposure(const ArraySpec& spec)
      : programmed_at_(spec.errors.retains() ? std::size_t{spec.segments} * spec.pages_per_segment : 0),
        reads_(spec.errors.disturbs() ? spec.segments : 0) {}

  void programmed(std::uint32_t page, Ticks when) {
    if (!programmed_at_.empty()) programmed_at_[page] = when;
  }
  void read(std::uint32_t segment) {
    if (!reads_.empty()) ++reads_[segment];
  }
  void erased(std::uint32_t segment) {
    if (!reads_.empty()) reads_[segment] = 0;
  }
  [[nodiscard]] Page of(std::uint32_t page, std::uint32_t segment, Ticks now) const {
    Page found;
    if (!programmed_at_.empty() && now > programmed_at_[page]) found.age = now - programmed_at_[page];
    if (!reads_.empty()) found.reads = reads_[segment];
    return found;
  }

 private:
  std::vector<Ticks> programmed_at_;  ///< of each page; empty: nothing depends on it
  std::vector<std::uint32_t> reads_;  ///< of each segment; the same
};

}  // namespace ftlab::hw::array
