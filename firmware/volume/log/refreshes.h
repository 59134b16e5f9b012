// Segments whose data should move because reading it becomes unsafe: by what reads of them say, and by how many there
// were since the erase. Knows no flash and no page; who moves them, and when, is the layer's to say.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/map/listed_segments.h"
#include "firmware/port/flash_port.h"
#include "firmware/port/refresh_limits.h"

namespace ftlab::volume {

class Refreshes {
 public:
  enum class Need : std::uint8_t { none, in_idle_time, at_once };

  explicit Refreshes(const FlashGeometry& geometry) : bits_(geometry.refresh_bits), reads_(geometry.refresh_reads) {}

  /// The same code measures and lays out.
  void layout(Arena& arena, std::uint32_t segments) { rows_ = arena.take<Row>(segments); }
  void clear() {
    std::ranges::fill(rows_, Row{});
    wanted_ = urgent_ = 0;
    due_ = should_record_ = must_record_ = false;
  }

  /// What a read of a page there has found.
  void read(std::uint32_t segment, const FlashDone& done) {
    Row& row = rows_[segment];
    if (reads_ != 0) count(row);
    if (done.must_move || (reads_ != 0 && row.reads >= 2 * std::uint64_t{reads_}))
      raise(row, Need::at_once);
    else if ((bits_ != 0 && done.corrected_bits >= bits_) || (reads_ != 0 && row.reads >= reads_))
      raise(row, Need::in_idle_time);
  }
  /// It takes no more pages, so that it can be cleaned.
  void sealed(std::uint32_t segment) { due_ = due_ || (wanted_ > 0 && rows_[segment].need != Need::none); }
  /// Its pages are elsewhere.
  void moved(std::uint32_t segment) {
    // Else its row holds nothing: where nobody counts reads and all read well, no cleaning waits for it.
    if (reads_ == 0 && wanted_ == 0) return;
    Row& row = rows_[segment];
    if (row.need != Need::none) --wanted_;
    if (row.need == Need::at_once) --urgent_;
    row = {.unrecorded = row.unrecorded};
  }

  /// Some segment that could be cleaned should be.
  [[nodiscard]] bool wanted() const { return due_ && wanted_ > 0; }
  /// The same, without waiting for idle time.
  [[nodiscard]] bool urgent() const { return due_ && urgent_ > 0; }
  /// One that `may_be_cleaned`, the most urgent first; kNoSegment: none can, until another one is sealed or read.
  template <class MayBeCleaned>
  [[nodiscard]] std::uint32_t next(MayBeCleaned&& may_be_cleaned) {
    std::uint32_t best = kNoSegment;
    for (std::uint32_t segment = 0; segment < rows_.size(); ++segment) {
      const Need need = rows_[segment].need;
      if (need == Need::none || (best != kNoSegment && need <= rows_[best].need)) continue;
      if (may_be_cleaned(segment)) best = segment;
    }
    if (best == kNoSegment) due_ = false;
    return best;
  }
  /// There was no room for its pages: not before another one is sealed or read.
  void put_off() { due_ = false; }

  /// For checkpoints: reads as hundredths of the limit; kNoShare: there is none.
  static constexpr std::uint8_t kNoShare = 0xFF;
  [[nodiscard]] std::uint8_t share_of(std::uint32_t segment) const {
    if (reads_ == 0) return kNoShare;
    const std::uint64_t hundredfold = std::uint64_t{rows_[segment].reads} * 100;
    return static_cast<std::uint8_t>(std::min<std::uint64_t>((hundredfold + reads_ - 1) / reads_, 254));
  }
  /// So many reads of a segment are unrecorded that a checkpoint must be written.
  [[nodiscard]] bool must_record() const { return must_record_; }
  /// Nearly as many, so that one written in idle time spares a request the wait for it.
  [[nodiscard]] bool should_record() const { return should_record_; }
  /// A checkpoint has them; or there is no room for one, and the next reads ask again.
  void recorded() {
    for (Row& row : rows_) row.unrecorded = 0;
    should_record_ = must_record_ = false;
  }
  void found_share(std::uint32_t segment, std::uint8_t share) {
    if (reads_ == 0 || share == kNoShare) return;
    found(segment, static_cast<std::uint32_t>(std::uint64_t{reads_} * share / 100) + unrecorded_reads(reads_));
  }
  /// No checkpoint knows the segment, and it holds data: read half as often as it may be.
  void found_unknown(std::uint32_t segment) {
    if (reads_ != 0) found(segment, rows_[segment].reads + reads_ / 2);
  }

 private:
  struct Row {
    std::uint32_t reads = 0;       ///< since the erase
    std::uint32_t unrecorded = 0;  ///< since the last checkpoint
    Need need = Need::none;
  };

  void count(Row& row) {
    ++row.reads;
    ++row.unrecorded;
    const std::uint32_t most = unrecorded_reads(reads_);
    // Half of what is left after a mount, so that no mount makes one due.
    should_record_ = should_record_ || row.unrecorded >= most - unrecorded_reads_after_mount(reads_) / 2;
    must_record_ = must_record_ || row.unrecorded >= most;
  }
  void found(std::uint32_t segment, std::uint32_t reads) {
    Row& row = rows_[segment];
    row.reads = reads;
    row.unrecorded = unrecorded_reads(reads_) - unrecorded_reads_after_mount(reads_);
    if (row.reads >= reads_) raise(row, Need::in_idle_time);
  }
  void raise(Row& row, Need need) {
    if (need <= row.need) return;
    if (row.need == Need::none) ++wanted_;
    if (need == Need::at_once) ++urgent_;
    row.need = need;
    due_ = true;
  }

  std::uint32_t bits_;
  std::uint32_t reads_;
  std::span<Row> rows_;
  std::uint32_t wanted_ = 0;  ///< rows with any need
  std::uint32_t urgent_ = 0;
  bool due_ = false;
  bool should_record_ = false;
  bool must_record_ = false;
};

}  // namespace ftlab::volume
