// Which region takes the next page (FlexFS paper, 4.1.2 and 4.1.3): predicts idle time from past windows of N_p pages,
// derives the share alpha of the SLC region from it (Eq. 1, 2, 4), and distributes incoming pages by that share (Eq.
// 3). Knows no segments, no flash and no clock; wear and energy reach it as upper limits of the share. Invariants:
// alpha, share <= 1; in a window at most N_p * share (rounded up) pages go to the SLC region.
#pragma once

#include <cstdint>

#include "firmware/ftl/flexfs/decide/fraction.h"
#include "firmware/ftl/flexfs/decide/windows.h"
#include "firmware/ftl/flexfs/flexfs_config.h"

namespace ftlab::flexfs {

class Allocator {
 public:
  /// `slc_slots`: pages of a segment in the SLC region, S_p of Eq. 2.
  void configure(const FlexFsConfig& config, std::uint32_t slc_slots);
  /// Back to the first window: alpha = 1.
  void clear();

  /// Decides for one incoming page and counts it. `limit`: the share that wear and energy allow.
  [[nodiscard]] Region place(bool hot, Q16 limit);
  /// The page did not get the region it was given (no segment to be had): keeps the counts true.
  void moved(Region from, bool hot);
  /// All N_p pages of the window have come.
  [[nodiscard]] bool window_full() const { return pages_ >= config_.window_pages; }
  /// A page of background work took so long. Where that is longer than T_trig, T_mig counts it.
  void note_move(std::uint64_t took_ns) { move_ns_ += took_ns / kMoveSmoothing - move_ns_ / kMoveSmoothing; }
  /// Closes the window, whose idle time is given; alpha holds for the next one.
  void close_window(std::uint64_t idle_ns);

  [[nodiscard]] Q16 alpha() const { return alpha_; }
  [[nodiscard]] std::uint64_t predicted_idle_ns() const { return predicted_idle_ns_; }
  /// Mean of hot pages written to the SLC region in a window.
  [[nodiscard]] std::uint32_t predicted_hot_pages() const { return predicted_hot_pages_; }
  /// Mean share of hot pages among those written to the SLC region; they are not expected to migrate.
  [[nodiscard]] Q16 hot_share_of_slc() const;
  /// T_mig of Eq. 4, nanoseconds.
  [[nodiscard]] std::uint64_t migration_ns() const;

 private:
  static constexpr std::size_t kWindows = 10;  // the paper's number of windows
  static constexpr std::size_t kRecent = 3;    // and how many of them weigh more
  static constexpr std::uint64_t kMoveSmoothing = 16;

  FlexFsConfig config_;
  std::uint32_t slc_slots_ = 1;
  Windows<kWindows> idle_;
  Windows<kWindows> hot_;
  Windows<kWindows> slc_;
  Q16 alpha_ = kOne;
  std::int64_t credit_ = 0;  ///< Q16: SLC pages due but not yet given
  std::uint32_t pages_ = 0;  ///< of this window
  std::uint32_t slc_pages_ = 0;
  std::uint32_t hot_pages_ = 0;  ///< hot ones among slc_pages_
  std::uint64_t predicted_idle_ns_ = 0;
  std::uint64_t move_ns_ = 0;  ///< what a page of background work takes, running mean
  std::uint32_t predicted_hot_pages_ = 0;
};

}  // namespace ftlab::flexfs
