// Where pages of the host go: which stream, which die, and what is cleaned before. Waits for what is under way where no
// die has a place. Knows no request; a page written again after its program failed is one as the others.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/volume/reclaim/cleaning.h"

namespace ftlab::volume {

class HostWrites {
 public:
  HostWrites(Log& log, Moves& moves, Cleaning& cleaning, PagesInFlight& in_flight)
      : log_(log), moves_(moves), cleaning_(cleaning), in_flight_(in_flight) {}

  /// The same code measures and lays out.
  void layout(Arena& arena) { unit_dies_ = arena.take<std::uint32_t>(log_.streams_); }
  void clear() {
    std::ranges::fill(unit_dies_, 0);
    turn_ = 0;
  }

  /// Maps the page to the next place of a die and queues its program, after cleaning where that die is short of free
  /// segments. kUnmapped: nothing can be reclaimed.
  std::uint32_t write(std::uint32_t lpn, std::uint32_t data_class, std::uint16_t tag, std::uint16_t buffer,
                      bool read_only = false);
  /// Where the page written last was before.
  [[nodiscard]] std::uint32_t replaced() const { return replaced_; }

 private:
  std::uint32_t host_stream(std::uint32_t lpn, std::uint32_t data_class, bool read_only);
  /// The next place of the stream on the die, which counts as valid from now on; kUnmapped: no free segment is left.
  /// Without `wait` also where the next free segment may not be erased yet.
  std::uint32_t place(std::uint32_t die, std::uint32_t stream, bool wait);
  /// The next place of the stream on the die with the least work that has one; kUnmapped: nothing is under way any
  /// more, and there is none.
  std::uint32_t place_on_least_busy(std::uint32_t stream);
  /// The same as place(), but waits for nothing: neither for a segment that cleaning needs nor for one to be cleaned.
  std::uint32_t place_at_once(std::uint32_t die, std::uint32_t stream);
  [[nodiscard]] bool has_place_at_once(std::uint32_t die, std::uint32_t stream);
  // Program units of several pages: the host's pages fill one before they go to another die.
  /// In the program unit of the stream that the host has begun; kUnmapped: there is none.
  std::uint32_t place_in_begun_unit(std::uint32_t stream);
  void begin_to_wait(std::uint32_t ppn, std::uint32_t stream);
  /// Whether policies want a victim of the die cleaned that has free segments enough.
  [[nodiscard]] bool is_wanted(std::uint32_t die, std::uint32_t stream, bool full) {
    return log_.policies_.live() && log_.policies_.goes_on(die, stream, full);
  }
  /// The first die: its next free segments are the next checkpoint's, or data fill it until there is no room for one. A
  /// single die has it by its size, and data may lie there until then.
  [[nodiscard]] bool keeps_for_checkpoint(std::uint32_t die) const {
    const std::uint32_t kept = log_.kept_for_checkpoint_;
    return die == 0 && log_.segments_.free().count(die) <= log_.reserve_ + kept && kept > 0;
  }

  Log& log_;
  Moves& moves_;
  Cleaning& cleaning_;
  PagesInFlight& in_flight_;
  std::span<std::uint32_t> unit_dies_;  ///< of each stream: where the host has begun a program unit last
  std::uint32_t turn_ = 0;              ///< die of the page written last
  std::uint32_t replaced_ = kUnmapped;
};

}  // namespace ftlab::volume
