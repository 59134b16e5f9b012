// Which segments in use are filled as SLC, their LSB pages alone, and where their pages lie. Knows no flash, and not
// what they hold.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/port/flash_port.h"
#include "firmware/volume/format/page_metadata.h"
#include "firmware/volume/lists/lsb_places.h"
#include "firmware/volume/volume_config.h"

namespace ftlab::volume {

/// Pages, where segments may be filled as SLC.
struct SlcCounts {
  std::uint64_t pages_to_slc = 0;  ///< of the host, and what the volume writes for itself
  std::uint64_t pages_to_mlc = 0;
  std::uint64_t pages_moved = 0;  ///< copied out of segments that were filled as SLC
};

class SlcSegments {
 public:
  /// `geometry` outlives this.
  SlcSegments(const FlashGeometry& geometry, const VolumeConfig& config)
      : geometry_(geometry), places_(geometry), most_(places_.pages() > 0 ? most_of(config) : 0) {}

  /// The same code measures and lays out.
  void layout(Arena& arena) {
    filled_ = arena.take<std::uint8_t>(geometry_.segments);
    in_use_ = arena.take<std::uint32_t>(geometry_.dies);
    if (on()) opened_ = arena.take<std::uint64_t>(geometry_.segments);
  }
  void clear() {
    std::ranges::fill(filled_, 0);
    std::ranges::fill(in_use_, 0);
    std::ranges::fill(opened_, 0);
    counts_ = {};
  }

  /// Segments may be filled so.
  [[nodiscard]] bool on() const { return most_ > 0; }
  [[nodiscard]] bool has(std::uint32_t segment) const { return on() && filled_[segment] != 0; }
  /// Of the die.
  [[nodiscard]] std::uint32_t in_use(std::uint32_t die) const { return in_use_[die]; }
  [[nodiscard]] std::uint32_t most() const { return most_; }
  /// The die may have one more.
  [[nodiscard]] bool may_add(std::uint32_t die) const { return in_use_[die] < most_; }
  void add(std::uint32_t segment) {
    filled_[segment] = 1;
    ++in_use_[die_of(segment)];
  }
  /// Its first page has that sequence.
  void opened(std::uint32_t segment, std::uint64_t sequence) { opened_[segment] = sequence; }
  /// A page of that sequence was found there, which may not be its first.
  void found(std::uint32_t segment, std::uint64_t sequence) {
    if (on() && (opened_[segment] == 0 || sequence < opened_[segment])) opened_[segment] = sequence;
  }
  /// The segment was taken into use before those of higher ones; those of before a checkpoint that a mount began with
  /// have the same.
  [[nodiscard]] std::uint64_t opened_at(std::uint32_t segment) const { return opened_[segment]; }
  /// It is out of use, or filled otherwise.
  void remove(std::uint32_t segment) {
    if (!has(segment)) return;
    filled_[segment] = 0;
    --in_use_[die_of(segment)];
  }

  [[nodiscard]] const LsbPlaces& places() const { return places_; }
  /// That the segment has, as it is filled.
  [[nodiscard]] std::uint32_t pages_in(std::uint32_t segment) const {
    return has(segment) ? places_.pages() : geometry_.pages_per_segment;
  }
  /// Of its pages, counted from its start.
  [[nodiscard]] std::uint32_t last_in(std::uint32_t segment) const {
    return has(segment) ? places_.last() : geometry_.pages_per_segment - 1;
  }
  /// Pages that it still takes where `used` comes next.
  [[nodiscard]] std::uint32_t room_in(std::uint32_t segment, std::uint32_t used) const {
    return has(segment) ? places_.left(used) : geometry_.pages_per_segment - used;
  }
  /// The place that comes next where those before `used` are taken.
  [[nodiscard]] std::uint32_t next_in(std::uint32_t segment, std::uint32_t used) const {
    return has(segment) ? places_.from(used) : used;
  }
  /// The same place of the program unit before, in the segment from `first` on; there is one.
  [[nodiscard]] std::uint32_t before(std::uint32_t segment, std::uint32_t first, std::uint32_t ppn) const {
    return has(segment) ? first + places_.unit_before(ppn - first) : ppn - geometry_.pages_at_once;
  }
  /// The stream as it stands beside a page in that segment.
  [[nodiscard]] std::uint32_t named(std::uint32_t segment, std::uint32_t stream) const {
    return has(segment) ? stream | kSlcStream : stream;
  }

  /// A page of the host is written there.
  void count_written(std::uint32_t segment) { ++(has(segment) ? counts_.pages_to_slc : counts_.pages_to_mlc); }
  void count_moved(std::uint32_t segment, std::uint32_t pages) { counts_.pages_moved += has(segment) ? pages : 0; }
  [[nodiscard]] const SlcCounts& counts() const { return counts_; }

 private:
  [[nodiscard]] static std::uint32_t most_of(const VolumeConfig& config) {
    return config.regions != VolumeConfig::Regions::none ? UINT32_MAX : config.slc_segments;
  }
  [[nodiscard]] std::uint32_t die_of(std::uint32_t segment) const { return segment / geometry_.segments_per_die(); }

  const FlashGeometry& geometry_;
  LsbPlaces places_;
  std::uint32_t most_;  ///< of a die
  std::span<std::uint8_t> filled_;
  std::span<std::uint32_t> in_use_;
  std::span<std::uint64_t> opened_;
  SlcCounts counts_;
};

}  // namespace ftlab::volume
