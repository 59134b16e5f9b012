// Policies of firmware/policy at work on the log. Each die is a log of its own with its own free
// segments and victims, so it has a set of policies of its own, which sees that die's segments alone. They see the
// log's own tables; what is kept here is what no log knows: updates and last write of each page, and the policies'
// clock. Knows no flash and no request.
//
// Until join() nothing is told to any policy: a mount fills the log first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/map/page_table.h"
#include "firmware/map/segment_table.h"
#include "firmware/map/segment_view.h"
#include "firmware/policy/page_move.h"
#include "firmware/policy/policy_choice.h"
#include "firmware/policy/policy_set.h"
#include "firmware/port/flash_port.h"
#include "firmware/port/host_port.h"
#include "firmware/port/probe_port.h"
#include "firmware/volume/format/checkpoint_page.h"
#include "firmware/volume/format/page_metadata.h"

namespace ftlab::volume {

class LogPolicies final : private PageWatcher {
 public:
  /// `segments`: the log's, which outlive this.
  LogPolicies(ProbePort& probe, const FlashGeometry& geometry, SegmentTable& segments, const fms::PolicyChoice* choice);

  [[nodiscard]] bool chosen() const { return choice_ != nullptr; }
  /// The same code measures and lays out; takes nothing where no policies are chosen. `map`: where each page lies.
  void layout(Arena& arena, std::uint32_t logical_pages, std::span<const std::uint32_t> map);
  /// Of a table that was cleared: nothing is known of any page, and no policy is told of anything.
  void clear();
  /// The policies see every change.
  [[nodiscard]] bool live() const { return segments_.is_watched(); }

  // Mounting: pages as they are found.
  void found(std::uint32_t lpn, std::uint32_t ppn, std::uint64_t sequence);
  // What a checkpoint has of the clock when it was written, then of a page, and of a segment with pages; after the
  // pages that it maps, and before those that were programmed since, of which each counts as one update more. Nothing
  // of them counts where the clock was of the other kind.
  void found_clock(const CheckpointHistory& history, std::uint64_t sequence);
  void found_page(std::uint32_t lpn, const CheckpointHistory& history);
  void found_opened(std::uint32_t segment, const CheckpointHistory& history);
  /// Policies go on from what was found, and from what map and segments are now; `sequence`: of the page programmed
  /// last.
  void join(std::uint64_t sequence);
  /// The host's clock, which ages are measured in where the choice says so; theirs never runs backwards.
  void tick(std::uint64_t now_ns) {
    now_ns_ = now_ns;
    if (live() && by_time()) clock_ = std::max(clock_, now_ns + clock_offset_);
  }

  // --- changes that the segments do not tell ---
  /// The segment is taken into use; its first page has that sequence.
  void opened(std::uint32_t segment, std::uint64_t sequence) {
    segments_.record(segment).opened_sequence = order_of(number_of(sequence));
    segments_.record(segment).opened_stamp = clock_;
  }
  /// It is free, and erased before it takes a page: that counts from now on, as policies have it.
  void released(std::uint32_t segment) {
    segments_.count_next_erase(segment);
    dies_[segment / per_die_].erased = true;
  }
  /// The host has written it.
  void written(std::uint32_t lpn) { pages_.write(lpn, pages_.next_updates(lpn), clock_); }
  /// It lies nowhere any more.
  void unmapped(std::uint32_t lpn) { pages_.forget(lpn); }

  // --- decisions ---
  /// Stream of a page that the host writes; its last version lies at `ppn`, or nowhere. `separated`: the one that the
  /// log has for it, where it says so by itself. Time goes on by one write.
  [[nodiscard]] std::uint32_t host_stream(std::uint32_t lpn, std::uint32_t ppn, bool read_only,
                                          std::uint32_t separated);
  /// The log says by itself which stream a page goes to, but for the placement's.
  [[nodiscard]] bool leaves_streams() const { return choice_->separated_streams > 0; }
  /// The log chooses victims by itself, for each pool from its lists.
  [[nodiscard]] bool by_pools() const { return choice_->by_pools; }
  /// Of the placement: copies stay there.
  [[nodiscard]] bool is_placed(std::uint32_t stream) const { return places_ && stream == cleaning_streams_; }
  /// Whether a victim of the die is to be cleaned before the stream, which has no room or has it again, goes on.
  [[nodiscard]] bool goes_on(std::uint32_t die, std::uint32_t stream, bool full);
  /// What is cleaned next makes room for no page that waits.
  void clean_for_nobody(std::uint32_t die) { dies_[die].waiting = kNone; }
  [[nodiscard]] bool is_worth(std::uint32_t victim);
  /// kNoSegment of the log where there is nothing to gain.
  [[nodiscard]] std::uint32_t pick_victim(std::uint32_t die);
  /// A die is cleaned in idle time while no more of its segments are free; 0: none is.
  [[nodiscard]] std::uint32_t idle_water() const { return chosen() ? choice_->idle_water : 0; }
  /// Shorter idle times are not worth it.
  [[nodiscard]] std::uint64_t idle_min_ns() const { return chosen() ? choice_->idle_min_ns : 0; }
  /// Streams belong to partitions: what one has open is no room for another's copies.
  [[nodiscard]] bool partitioned() const { return chosen() && choice_->chosen.redistribution->partitioned; }
  /// Segments of a die that may be cleaned together.
  [[nodiscard]] std::uint32_t at_once() const { return chosen() ? choice_->clean_at_once : 1; }
  /// `moves`, the valid pages of victims of one die in the order of their places: puts them into the order, and gives
  /// them the streams, in which they are to be copied.
  void plan(std::span<PageMove> moves);
  /// Asks no more than once after each time that segments were released.
  [[nodiscard]] std::optional<fms::WearMove> level_wear(std::uint32_t die);
  /// What it wanted is done.
  void leveled(std::uint32_t die, const fms::WearMove& move) {
    dies_[die].policies.wear_leveling().moved({move.from - die * per_die_, move.to - die * per_die_});
  }

  /// What a policy keeps otherwise than it is, or null.
  [[nodiscard]] const char* self_check() const;
  /// For the log's own check.
  [[nodiscard]] bool knows(std::uint32_t lpn) const { return pages_.is_mapped(lpn); }
  [[nodiscard]] PageHistory history_of(std::uint32_t lpn) const { return {pages_.updates(lpn), pages_.stamp(lpn)}; }
  [[nodiscard]] std::uint64_t clock() const { return clock_; }

  // --- for checkpoints ---
  [[nodiscard]] CheckpointHistory clock_history() const { return {by_time() ? 1U : 0U, clock_ >> stored_shift()}; }
  [[nodiscard]] CheckpointHistory page_history(std::uint32_t lpn) const {
    const PageHistory history = history_of(lpn);
    return {history.updates, history.stamp >> stored_shift()};
  }
  [[nodiscard]] CheckpointHistory segment_history(std::uint32_t segment) const {
    return {0, segments_.record(segment).opened_stamp >> stored_shift()};
  }

 private:
  struct Die {
    fms::PolicySet policies;
    std::uint32_t waiting = kNone;  ///< see CleaningView
    bool erased = false;            ///< since wear leveling was asked
  };

  [[nodiscard]] fms::CleaningView view(std::uint32_t die) const {
    return {segments_.view(die),
            pages_,
            clock_,
            data_segments_,
            probe_,
            dies_[die].waiting,
            static_cast<std::uint32_t>(dies_.size())};
  }
  /// The log counts the redistribution's streams first, then the placement's.
  [[nodiscard]] std::uint32_t index_of(StreamId stream) const;
  [[nodiscard]] bool by_time() const { return choice_->by_time; }
  /// Stamps of a checkpoint have 48 bits: of nanoseconds they would be full after 78 hours.
  [[nodiscard]] unsigned stored_shift() const { return by_time() ? 10 : 0; }
  [[nodiscard]] std::uint64_t from_stored(const CheckpointHistory& history) const {
    return history.stamp() << stored_shift();
  }
  /// In which what was programmed since the checkpoint, or the format, follows what the checkpoint has.
  [[nodiscard]] std::uint64_t order_of(std::uint64_t sequence) const {
    return recorded_clock_ + (sequence - recorded_sequence_);
  }
  /// When that was: pages that the host wrote are not told from others, and times are in checkpoints alone.
  [[nodiscard]] std::uint64_t stamp_of(std::uint64_t order) const {
    return by_time() ? std::min(order, recorded_clock_ + 1) : order;
  }
  [[nodiscard]] fms::RoomLeft room_of(std::uint32_t die, bool full) const;
  void on_page(PageHistory before, PageHistory after) override;

  ProbePort& probe_;
  FlashGeometry geometry_;
  SegmentTable& segments_;
  const fms::PolicyChoice* choice_;
  std::uint32_t per_die_;
  std::uint32_t data_segments_;  ///< of a die
  // Of the choice, which counts them anew each time.
  std::uint32_t cleaning_streams_ = 1;
  std::uint32_t copy_streams_ = 1;
  bool places_ = false;  ///< the placement has streams of its own
  PageTable pages_;
  std::span<Die> dies_;
  std::span<std::uint32_t> order_;
  std::uint64_t clock_ = 0;              ///< of the policies
  std::uint64_t now_ns_ = 0;             ///< of the host
  std::uint64_t clock_offset_ = 0;       ///< between the two
  std::uint64_t recorded_clock_ = 0;     ///< clock_ by the checkpoint that was mounted
  std::uint64_t recorded_sequence_ = 0;  ///< of that; 0: there is none, or its clock is of the other kind
};

}  // namespace ftlab::volume
