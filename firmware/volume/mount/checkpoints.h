// Checkpoints: the map and what is known of each segment, written when nothing is under way into segments of their own.
// The one before stays until the new one is whole. Knows the log and the format.
#pragma once

#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/volume/format/checkpoint_page.h"
#include "firmware/volume/requests/page_service.h"

namespace ftlab::volume {

class Checkpoints {
 public:
  explicit Checkpoints(PageService& pages) : pages_(pages), bench_(pages.bench()) {}

  void layout(Arena& arena);
  void clear() {
    held_count_ = 0;
    written_ = written_at_ = found_since_ = 0;
  }
  /// A mount has found so many pages that were programmed after the newest one.
  void begin(std::uint64_t found_since) { found_since_ = found_since; }

  /// Where `every` of the `pages` of this session came since the newest one, or reads must be recorded; 0: never.
  void write_if_due(std::uint32_t every, std::uint64_t pages);
  /// One that cannot be written for want of room or for failures leaves the one before.
  void write();

  /// Nothing is under way, of the host or of cleaning.
  void come_to_rest();

  /// Since clear().
  [[nodiscard]] std::uint64_t written() const { return written_; }

  // Mounting.
  [[nodiscard]] CheckpointLayout shape() const;
  /// The segments of the checkpoint to be mounted, to be filled in: as many as one needs.
  [[nodiscard]] std::span<std::uint32_t> hold();
  /// Of the newest checkpoint.
  [[nodiscard]] std::span<const std::uint32_t> held() const { return segments_.subspan(held_first_, held_count_); }

 private:
  void await(std::uint32_t reports);
  void write_pages(std::span<const std::uint32_t> segments, std::uint64_t sequence);
  void make_page(std::uint32_t index, std::uint64_t sequence);

  PageService& pages_;
  Workbench& bench_;
  std::span<std::uint32_t> segments_;  ///< of two checkpoints
  std::uint32_t held_first_ = 0;       ///< of the newest
  std::uint32_t held_count_ = 0;       ///< 0: there is none
  bool failed_ = false;
  std::uint64_t written_ = 0;
  std::uint64_t written_at_ = 0;   ///< pages, when it was due last
  std::uint64_t found_since_ = 0;  ///< until then in this session
};

}  // namespace ftlab::volume
