// Reads the metadata of many segments' pages, in bursts, on all dies at once. Says nothing of what they mean.
//
// Each die has two segments under way: while the pages of one are looked at, it reads those of the other. Bursts come
// in an order that geometry alone decides, whatever ends first.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/volume/in_flight/workbench.h"

namespace ftlab::volume {

/// The n-th of all segments, in an order in which neighbours are on different dies.
[[nodiscard]] inline std::uint32_t segment_over_dies(const FlashGeometry& geometry, std::uint32_t n) {
  return n % geometry.dies * geometry.segments_per_die() + n / geometry.dies;
}

class BurstReader {
 public:
  enum class Then : std::uint8_t { read_on, next_segment, stop };
  /// A segment whose pages are read.
  struct Scan {
    std::uint32_t segment = kNoSegment;
    std::uint32_t first = 0;  ///< of its pages: in the burst
    std::uint32_t end = 0;    ///< behind those
    std::uint32_t used = 0;   ///< pages up to the last that is programmed
    std::uint32_t stream = 0;
    std::uint64_t newest = 0;  ///< of its pages, in the order of all programs
    /// Of each page of the program unit before the burst, a bit: it says nothing, and something has to be known of it.
    std::uint64_t silent = 0;
    std::uint64_t silent_lsb = 0;  ///< the same of the LSB unit before
  };

  explicit BurstReader(Workbench& bench) : bench_(bench) {}

  void layout(Arena& arena);

  /// `begin(scan)`: whether its segment is to be read, and from which page on: `first`. `take(scan, burst)`: its pages
  /// in their order. Nothing else is under way.
  template <class Begin, class Take>
  void run(Begin begin, Take take) {
    for (std::uint32_t& next : next_of_slot_) next = 0;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) queue_bursts(lane, begin);
    for (std::uint32_t lane = 0; bursts_[0] + bursts_[1] > 0; lane = 1 - lane) {
      await(lane);
      for (std::uint32_t slot = 0; slot < slots(); ++slot) {
        Scan& scan = scans_[lane * slots() + slot];
        if (scan.segment == kNoSegment) continue;
        const Then then = take(scan, found_.subspan(first_tag(lane, slot), scan.end - scan.first));
        if (then == Then::stop) return abandon();
        scan.first = scan.end;
        if (then == Then::next_segment) scan = {};
      }
      queue_bursts(lane, begin);
    }
  }

 private:
  static constexpr std::uint32_t kLanes = 2;
  /// Dies that are read at once: reports are told apart by 16 bits.
  static constexpr std::uint32_t kSlots = 256;
  static_assert(kLanes * kSlots * Workbench::kCollected < Log::kOwn);

  [[nodiscard]] std::uint32_t pages() const { return bench_.array.geometry().pages_per_segment; }
  [[nodiscard]] std::uint32_t slots() const { return static_cast<std::uint32_t>(next_of_slot_.size()); }
  [[nodiscard]] std::uint32_t first_tag(std::uint32_t lane, std::uint32_t slot) const {
    return (lane * slots() + slot) * static_cast<std::uint32_t>(Workbench::kCollected);
  }
  /// The next one that may have to be read in that place; kNoSegment: there is none.
  std::uint32_t next_segment(std::uint32_t slot);
  /// Of all bursts of the lane: first the program units that come first in theirs, so that dies which share a channel
  /// take turns.
  void queue_pages(std::uint32_t lane);
  void await(std::uint32_t lane);
  /// Takes what is still under way.
  void abandon();

  template <class Begin>
  void queue_bursts(std::uint32_t lane, Begin begin) {
    bursts_[lane] = 0;
    for (std::uint32_t slot = 0; slot < slots(); ++slot) {
      Scan& scan = scans_[lane * slots() + slot];
      while (scan.segment == kNoSegment) {
        scan = {};
        scan.segment = next_segment(slot);
        if (scan.segment == kNoSegment) break;
        if (!begin(scan)) scan.segment = kNoSegment;
      }
      if (scan.segment == kNoSegment) continue;
      scan.end = std::min<std::uint32_t>(pages(), scan.first + Workbench::kCollected);
      left_[lane] += scan.end - scan.first;
      ++bursts_[lane];
    }
    queue_pages(lane);
  }

  Workbench& bench_;
  std::span<std::uint32_t> next_of_slot_;       ///< segments of its dies that have begun
  std::span<Scan> scans_;                       ///< of each lane its slots
  std::span<FlashDone> found_;                  ///< of each of them a burst
  std::array<std::uint32_t, kLanes> bursts_{};  ///< of each lane: queued, and not looked at
  std::array<std::uint32_t, kLanes> left_{};    ///< of their pages: not reported
};

}  // namespace ftlab::volume
