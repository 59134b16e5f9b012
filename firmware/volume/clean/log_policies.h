// Policies of firmware/policy at work on the log. Each die is a log of its own with its own free
// segments and victims, so it has a set of policies of its own, which sees that die's segments alone; what the policies
// remember of pages (updates, last write) is kept once. Knows no flash and no request.
//
// Until join() nothing is told to any policy: a mount fills the log first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/map/page_table.h"
#include "firmware/map/segment_info.h"
#include "firmware/map/segment_table.h"
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
  LogPolicies(ProbePort& probe, const FlashGeometry& geometry, const fms::PolicyChoice* choice);

  [[nodiscard]] bool chosen() const { return choice_ != nullptr; }
  /// The same code measures and lays out; takes nothing where no policies are chosen.
  void layout(Arena& arena, std::uint32_t logical_pages);
  /// Nothing is known of any page, and no policy is told of anything.
  void clear();
  /// The policies see every change.
  [[nodiscard]] bool live() const { return __builtin_expect(live_, false); }

  // Mounting: pages as they are found, then all segments, those that are free in the order of their list, and all
  // pages.
  void found(std::uint32_t lpn, std::uint32_t ppn, std::uint64_t sequence);
  // What a checkpoint has of the clock when it was written, then of a page, and of a segment with pages; after the
  // pages that it maps, and before those that were programmed since, of which each counts as one update more. Nothing
  // of them counts where the clock was of the other kind.
  void found_clock(const CheckpointHistory& history, std::uint64_t sequence);
  void found_page(std::uint32_t lpn, const CheckpointHistory& history);
  void found_opened(std::uint32_t segment, const CheckpointHistory& history);
  void found_segment(std::uint32_t segment, std::uint32_t stream, const SegmentInfo& info);
  void found_mapped(std::uint32_t lpn, std::uint32_t ppn);
  /// Policies go on from what was found; `sequence`: of the page programmed last.
  void join(std::uint64_t sequence);
  /// The host's clock, which ages are measured in where the choice says so; theirs never runs backwards.
  void tick(std::uint64_t now_ns) {
    now_ns_ = now_ns;
    if (live_ && by_time()) clock_ = std::max(clock_, now_ns + clock_offset_);
  }

  // --- changes; segments, places and streams as the log counts them ---
  void set_state(std::uint32_t segment, SegmentState state);
  void taken(std::uint32_t segment);
  void opened(std::uint32_t segment, std::uint32_t stream, std::uint64_t sequence);
  /// It is free, and erased before it takes a page: that counts from now on, as policies have it.
  void released(std::uint32_t segment);
  /// Its erase is under way, so many with it; one that was released since join() was counted then.
  void erased(std::uint32_t segment, std::uint32_t erases) {
    if (row_of(segment).erase_count < erases) die_of(segment).segments.count_erase(segment % per_die_);
  }
  void failed(std::uint32_t segment) { die_of(segment).segments.row(segment % per_die_).retired = true; }
  void add_valid(std::uint32_t ppn);
  void drop_valid(std::uint32_t ppn);
  /// The place of an open segment is taken, and counts: so many pages of it are used now.
  void used(std::uint32_t ppn, std::uint32_t pages);
  /// The host's page lies there.
  void written(std::uint32_t lpn, std::uint32_t ppn);
  /// A copy of it, or its version before.
  void moved(std::uint32_t lpn, std::uint32_t ppn);
  void unmapped(std::uint32_t lpn) {
    if (pages_.ppn(lpn) != ftlab::kUnmapped) pages_.unmap(lpn);
  }

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
  /// Chosen for a cleaning of several that is to come: no victim meanwhile.
  void set_cleaning(std::uint32_t segment, bool cleaning) {
    die_of(segment).segments.set_cleaning(segment % per_die_, cleaning);
  }
  /// The valid pages of victims of one die in the order and with the streams in which they are to be copied; `lpns`: of
  /// each place of the log. Holds until the next call.
  [[nodiscard]] std::span<const PageMove> plan(std::span<const std::uint32_t> victims,
                                               std::span<const std::uint32_t> lpns);
  /// Asks no more than once after each time that segments were released.
  [[nodiscard]] std::optional<fms::WearMove> level_wear(std::uint32_t die);
  /// What it wanted is done.
  void leveled(std::uint32_t die, const fms::WearMove& move) {
    dies_[die].policies.wear_leveling().moved({move.from - die * per_die_, move.to - die * per_die_});
  }

  /// What a policy keeps otherwise than it is, or null.
  [[nodiscard]] const char* self_check() const;
  /// What is kept of the segment, for the log's own check.
  [[nodiscard]] const SegmentRow& row_of(std::uint32_t segment) const {
    return dies_[segment / per_die_].segments.row(segment % per_die_);
  }
  /// The same of a page, and of free segments.
  [[nodiscard]] bool lies_at(std::uint32_t lpn, std::uint32_t ppn) const {
    if (!has_place(ppn)) return pages_.ppn(lpn) == ftlab::kUnmapped;
    return pages_.ppn(lpn) == local(ppn) && dies_[ppn / pages_per_die_].segments.lpn_at(local(ppn)) == lpn;
  }
  [[nodiscard]] std::uint32_t free_count(std::uint32_t die) const { return dies_[die].segments.free_count(); }
  [[nodiscard]] PageHistory history_of(std::uint32_t lpn) const { return {pages_.updates(lpn), pages_.stamp(lpn)}; }
  [[nodiscard]] std::uint64_t clock() const { return clock_; }

  // --- for checkpoints ---
  [[nodiscard]] CheckpointHistory clock_history() const { return {by_time() ? 1U : 0U, clock_ >> stored_shift()}; }
  [[nodiscard]] CheckpointHistory page_history(std::uint32_t lpn) const {
    const PageHistory history = history_of(lpn);
    return {history.updates, history.stamp >> stored_shift()};
  }
  [[nodiscard]] CheckpointHistory segment_history(std::uint32_t segment) const {
    return {0, row_of(segment).opened_stamp >> stored_shift()};
  }

 private:
  struct Die {
    SegmentTable segments;
    fms::PolicySet policies;
    std::uint32_t waiting = kNone;  ///< see CleaningView
    std::uint32_t data_segments = 0;
    bool erased = false;  ///< since wear leveling was asked
  };

  [[nodiscard]] Die& die_of(std::uint32_t segment) { return dies_[segment / per_die_]; }
  [[nodiscard]] std::uint32_t local(std::uint32_t ppn) const { return ppn % pages_per_die_; }
  [[nodiscard]] fms::CleaningView view(const Die& die) const {
    return {
        die.segments, pages_, clock_, die.data_segments, probe_, die.waiting, static_cast<std::uint32_t>(dies_.size())};
  }
  /// The log counts the redistribution's streams first, then the placement's.
  [[nodiscard]] std::uint32_t index_of(StreamId stream) const;
  [[nodiscard]] StreamId stream_at(std::uint32_t index) const {
    return index < cleaning_streams_ ? fms::cleaning_stream(index) : fms::kReadOnly;
  }
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
  [[nodiscard]] fms::RoomLeft room_of(const Die& die, bool full) const;
  void on_page(PageHistory before, PageHistory after) override;

  bool live_ = false;
  ProbePort& probe_;
  FlashGeometry geometry_;
  const fms::PolicyChoice* choice_;
  std::uint32_t per_die_;
  std::uint32_t pages_per_die_;
  // Of the choice, which counts them anew each time.
  std::uint32_t cleaning_streams_ = 1;
  std::uint32_t copy_streams_ = 1;
  bool places_ = false;  ///< the placement has streams of its own
  PageTable pages_;
  std::span<Die> dies_;
  std::span<PageMove> moves_;
  std::span<std::uint64_t> first_found_;  ///< of each segment, while mounting: the lowest order there
  std::span<std::uint32_t> order_;
  std::uint64_t clock_ = 0;              ///< of the policies
  std::uint64_t now_ns_ = 0;             ///< of the host
  std::uint64_t clock_offset_ = 0;       ///< between the two
  std::uint64_t recorded_clock_ = 0;     ///< clock_ by the checkpoint that was mounted
  std::uint64_t recorded_sequence_ = 0;  ///< of that; 0: there is none, or its clock is of the other kind
};

}  // namespace ftlab::volume
