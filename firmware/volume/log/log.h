// The log of a volume on an array: where each logical page lies, which segments are open, free or full, and what
// becomes of both when operations end. Each die is a log of its own with its own free segments and victims, so that
// dies work at the same time and copies stay inside theirs. Knows no host request, and neither chooses a victim nor
// waits for anything: who writes to it does. Operations go to the port in batches.
//
// A page is valid exactly where the map points to it: no bit and no copy of the map says so a second time.
// Invariants: LogCheck.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/base/ftl_stats.h"
#include "firmware/base/prefetch.h"
#include "firmware/map/segment_info.h"
#include "firmware/map/segment_table.h"
#include "firmware/port/flash_port.h"
#include "firmware/port/probe_port.h"
#include "firmware/volume/clean/log_policies.h"
#include "firmware/volume/clean/own_choices.h"
#include "firmware/volume/format/checkpoint_page.h"
#include "firmware/volume/format/page_metadata.h"
#include "firmware/volume/log/die_work.h"
#include "firmware/volume/log/epochs.h"
#include "firmware/volume/log/log_rows.h"
#include "firmware/volume/log/refreshes.h"
#include "firmware/volume/log/slc_segments.h"
#include "firmware/volume/volume_config.h"

namespace ftlab::volume {

class Log {
 public:
  /// Tags of operations that are the log's own: any, the last copy out of a segment, and what ends after everything
  /// that was queued for a segment before.
  static constexpr std::uint16_t kTag = 0xFFFF;
  static constexpr std::uint16_t kLastCopy = 0xFFFE;
  static constexpr std::uint16_t kSettled = 0xFFFD;
  /// Of operations that are neither the log's nor a request's.
  static constexpr std::uint16_t kOwn = 0xFFFC;
  /// The erase of a segment that is free.
  static constexpr std::uint16_t kErasedAhead = 0xFFFB;

  Log(FlashPort& port, ProbePort& probe, const VolumeConfig& config);

  /// The same code measures and lays out.
  void layout(Arena& arena);
  /// Nothing is written, every segment is free and needs an erase before use.
  void clear();

  /// Logical pages, those of the layer's own among them.
  [[nodiscard]] std::uint32_t pages() const { return config_.logical_pages; }
  /// Of the page programmed last.
  [[nodiscard]] std::uint64_t sequence() const { return sequence_; }

  /// Programs or copies are queued or under way.
  [[nodiscard]] bool is_at_work() const { return work_.any(); }
  /// Neither those, nor anything that decides whether a segment may be cleaned.
  [[nodiscard]] bool is_at_rest() const {
    return !is_at_work() && queued_ == 0 &&
           std::ranges::all_of(dies_, [](const Die& die) { return die.settling == 0 && !die.erases; });
  }

  // For checkpoints.
  [[nodiscard]] std::uint64_t next_sequence() { return ++sequence_; }
  /// It is free again, or bad; erased in its turn, since it may say which pages on the others count.
  void release_segment(std::uint32_t segment) {
    release(segment / per_die_, segment);
    no_longer_due(segment);
  }
  [[nodiscard]] CheckpointRow row_of(std::uint32_t segment) const;
  /// Policies remember pages.
  [[nodiscard]] bool has_histories() const { return policies_.chosen(); }
  [[nodiscard]] bool keeps_lifetime() const { return config_.keeps_lifetime; }
  /// First their clock, or the time of service, then what policies do of each page, then when each segment was taken
  /// into use.
  [[nodiscard]] CheckpointHistory history(std::uint64_t nth) const;
  [[nodiscard]] bool has_valid(std::uint32_t segment) const { return segments_.valid(segment) > 0; }
  [[nodiscard]] std::uint32_t ppn_of(std::uint32_t lpn) const { return map_[lpn]; }
  /// Where its content can be read: where it lies, or, while it is being copied there, where it was, so that no read
  /// waits for the copies before it.
  [[nodiscard]] std::uint32_t place_to_read(std::uint32_t lpn) const {
    const std::uint32_t ppn = map_[lpn];
    return known_copied_ == 0 || !has_place(ppn) ? ppn : source_of(lpn, ppn);
  }
  /// Whose page was written there last.
  [[nodiscard]] std::uint32_t lpn_at(std::uint32_t ppn) const { return lpns_[ppn]; }
  /// Whether some page lies in that place.
  [[nodiscard]] bool is_mapped(std::uint32_t ppn) const { return lpns_[ppn] != kUnmapped && map_[lpns_[ppn]] == ppn; }
  // The page is about to be written: hints for the cache of the machine that runs this, first for its entry in the map,
  // later, when that has come, for the segment that holds its old version.
  void expect(std::uint32_t lpn) const { prefetch_to_write(&map_[lpn]); }
  void expect_soon(std::uint32_t lpn) const {
    if (has_place(map_[lpn])) segments_.lists().prefetch(segment_of(map_[lpn]));
  }

  /// Nanoseconds of service since the format, in steps of about a millisecond where a mount found them.
  [[nodiscard]] std::uint64_t lifetime_ns() const { return lifetime_ns_; }
  void set_lifetime(std::uint64_t ns) { lifetime_ns_ = ns; }
  /// The host's clock.
  void tick(std::uint64_t now_ns) { policies_.tick(now_ns); }
  /// Before the page is written: in how many pages of the host it is written again.
  void set_rewrite_distance(std::uint32_t lpn, std::uint32_t rewritten_in) {
    own_.set_rewrite_distance(lpn, rewritten_in);
  }
  /// Of a program of the host that was just queued: to be told when it is written().
  [[nodiscard]] std::uint32_t begin_write() { return epochs_.begin(); }
  /// In which programs of the host begin now.
  [[nodiscard]] std::uint32_t epoch() const { return epochs_.now(); }
  /// Every program of the host that had begun by the end of the epoch has ended.
  [[nodiscard]] bool has_ended(std::uint32_t epoch) const { return epochs_.passed(epoch, 0); }
  void trim(std::uint32_t lpn);
  /// Hands what is queued to the port.
  void submit_queued();
  /// The same, and fills program units where the host's pages wait for nothing else: time is about to pass until
  /// something ends.
  void submit_before_wait();
  /// Pages are in program units that are not whole.
  [[nodiscard]] bool has_waiting() const { return waiting_ > 0; }
  /// Queues the erase of a segment of each die that has become free and may be erased by now, where the part keeps them
  /// erased.
  void erase_ahead(Cause cause);
  [[nodiscard]] bool is_erasing() const { return erasing_ > 0; }
  /// erase_ahead() would queue one.
  [[nodiscard]] bool may_erase() const {
    for (std::uint32_t die = 0; due_ > 0 && die < geometry_.dies; ++die)
      if (!dies_[die].erases && next_to_erase(die) != kNoSegment) return true;
    return false;
  }
  /// Such erases are under way, or wait for copies that are.
  [[nodiscard]] bool erases_ahead() const { return erasing_ > 0 || (due_ > 0 && is_at_work()); }
  // On the way of every page: a call of its own would take an array 4 % of its speed.
  [[gnu::always_inline]] void queue(const FlashOp& op) {
    if (queued_ == queue_.size()) submit_queued();
    queue_[queued_++] = op;
  }

  // --- reports ---
  /// The host's program has ended, whatever became of it.
  void programmed(std::uint32_t ppn) {
    work_.end(segment_of(ppn) / per_die_, 1);
    filled(ppn);
  }
  /// The page that was the last of its segment has ended, whatever became of it.
  void filled(std::uint32_t ppn) {
    if (is_last_place(ppn)) settled(segment_of(ppn));
  }
  /// Everything programmed in the segment has ended: it may be cleaned from now on.
  void settled(std::uint32_t segment);
  /// Copies of its pages are queued.
  void begin_copying(std::uint32_t segment, const CopyPlaces& places);
  /// All copies out of the segment have ended.
  void copied(std::uint32_t segment);
  /// A program of the host has ended.
  void written(std::uint32_t epoch) {
    epochs_.end(epoch);
    if (leaving_ > 0) mark_empty();
  }
  /// The host's page there is written.
  void count_written(std::uint32_t ppn) { slc_.count_written(segment_of(ppn)); }
  /// The page stays where it was, if nobody has written it since.
  void copy_failed(std::uint32_t source, std::uint32_t target);
  /// True when nobody has written the page since: it is `before` again, has to be written again, and is not written()
  /// before that. Else the version at `before` has to stay until what is under way has ended.
  /// `trims`: it is a record of trims, so that what it trims must stay, too.
  bool program_failed(std::uint32_t lpn, std::uint32_t ppn, std::uint32_t before, bool trims);
  /// A page whose program failed was queued again.
  void placed_again(bool trims) { --(trims ? held_trims_ : held_); }
  /// There is no place for it; wherever it failed before it may be whole.
  void not_placed(bool trims) {
    placed_again(trims);
    keeps_trimmed_ = keeps_trimmed_ || trims;
    for (std::uint32_t id = 0; id < flags_.size(); ++id)
      flags_[id].newest = flags_[id].newest || segments_.record(id).retired;
  }
  void erased_ahead(std::uint32_t ppn) {
    dies_[segment_of(ppn) / per_die_].erases = false;
    --erasing_;
  }
  void erase_failed(std::uint32_t ppn);
  /// Of a page.
  void read_ended(const FlashDone& done) { refreshes_.read(segment_of(done.page), done); }
  [[nodiscard]] const Refreshes& refreshes() const { return refreshes_; }
  /// A checkpoint has been tried.
  void recorded_reads() { refreshes_.recorded(); }
  /// A program or an erase has failed since clear(): what lacks room lacks it for good.
  [[nodiscard]] bool has_failures() const { return has_failures_; }
  [[nodiscard]] std::uint32_t segment_of(std::uint32_t ppn) const {
    return shift_ != 0 ? ppn >> shift_ : ppn / pages_per_segment_;
  }
  [[nodiscard]] bool is_last_place(std::uint32_t ppn) const {
    const std::uint32_t segment = segment_of(ppn);
    return ppn - segment * pages_per_segment_ == slc_.last_in(segment);
  }
  [[nodiscard]] SegmentInfo info(std::uint32_t segment) const;
  [[nodiscard]] const FtlStats& stats() const { return stats_; }
  [[nodiscard]] FtlStats& stats() { return stats_; }
  [[nodiscard]] const ClassifiedWrites& classified() const { return own_.classified(); }
  [[nodiscard]] const SlcSegments& slc() const { return slc_; }
  /// Segments taken into use since the format, as far as a mount knows.
  [[nodiscard]] std::uint64_t openings() const { return openings_; }

 private:
  // Who writes to it, and finds it again: each has a duty of its own, on these tables.
  friend class Cleaning;
  friend class HostWrites;
  friend class LogCheck;
  friend class LogFound;
  friend class Moves;
  friend class PageByPage;
  friend class PlannedCleaning;
  using Open = OpenSegment;
  using Die = DieSegments;
  using Flags = SegmentFlags;
  static constexpr unsigned kLifetimeShift = 20;

  // Inline, all three, as what they call is.
  /// What is known of it is asked for soon.
  [[gnu::always_inline]] void expect_segment(std::uint32_t segment) const {
    prefetch_to_write(&segments_.record(segment));
    prefetch_to_write(&flags_[segment]);
    segments_.free().prefetch(segment);
  }
  /// May be the next to be cleaned: whose pages it holds is asked for then, too.
  [[gnu::always_inline]] void expect_victim(std::uint32_t segment) const {
    if constexpr (!kPrefetches) return;
    expect_segment(segment);
    constexpr std::uint32_t kPerLine = 64 / sizeof(std::uint32_t);
    const std::uint32_t first = segment * pages_per_segment_;
    for (std::uint32_t i = 0; i < pages_per_segment_ && i < 16 * kPerLine; i += kPerLine)
      prefetch_to_read(&lpns_[first + i]);
  }
  /// Its pages are about to be copied.
  [[gnu::always_inline]] void expect_moves(std::uint32_t segment) const {
    if constexpr (!kPrefetches) return;
    const std::uint32_t first = segment * pages_per_segment_;
    for (std::uint32_t from = first; from < first + pages_per_segment_; ++from)
      if (lpns_[from] != kUnmapped) prefetch_to_write(&map_[lpns_[from]]);
  }
  /// Whose newest version lies in the same place of the program unit before; kUnmapped: nobody's, or there is none in
  /// the segment.
  [[nodiscard]] std::uint32_t named_before(std::uint32_t ppn) const {
    if (is_in_first_unit(ppn)) return kUnmapped;
    const std::uint32_t segment = segment_of(ppn);
    const std::uint32_t before = slc_.before(segment, segment * pages_per_segment_, ppn);
    return is_mapped(before) ? lpns_[before] : kUnmapped;
  }
  /// Beside the page that is programmed next, and is counted by this.
  [[nodiscard]] FlashMetadata metadata_for(std::uint32_t lpn, std::uint32_t stream, std::uint32_t ppn) {
    ++sequence_;
    // Where the part keeps none it is not put together: a twentieth of what the firmware does for a page.
    if (!geometry_.keeps_metadata) return {};
    return metadata_of(lpn, slc_.named(segment_of(ppn), stream), sequence_, named_before(ppn));
  }
  /// Pages that an open segment still takes.
  [[nodiscard]] std::uint32_t room_in(const Open& open) const { return slc_.room_in(open.segment, open.used); }
  Open& open(std::uint32_t die, std::uint32_t stream) { return segments_.open(die, stream); }
  [[nodiscard]] std::uint32_t group_of(std::uint32_t segment) const {
    return own_.group_of(segment / per_die_, segments_.stream(segment));
  }
  void seal(std::uint32_t segment);
  /// Off its list.
  void unseal(std::uint32_t segment);
  /// Valid pages of which cleaning gains nothing.
  [[nodiscard]] std::uint32_t full_pages(std::uint32_t segment) const {
    return config_.regions == VolumeConfig::Regions::slc ? slc_.pages_in(segment) : pages_per_segment_;
  }
  /// With the fewest valid pages of all that are full.
  [[nodiscard]] std::uint32_t emptiest(std::uint32_t die) const;
  /// What moving pages out of wear has copied is no copy of cleaning.
  void count_swapped(std::uint32_t pages) {
    stats_.pages_copied -= pages;
    stats_.pages_swapped += pages;
  }

  /// The next one of an open segment, which counts as valid from now on.
  std::uint32_t take_place(std::uint32_t die, Open& open) {
    const std::uint32_t ppn = open.segment * pages_per_segment_ + open.used++;
    segments_.add_valid(open.segment);
    if (slc_.on()) open.used = slc_.next_in(open.segment, open.used);
    if (geometry_.is_last_of_unit(ppn)) end_unit(open);
    if (open.used == pages_per_segment_) {
      ++dies_[die].settling;
      open = {};
    }
    return ppn;
  }
  void end_unit(Open& open) {
    waiting_ -= open.host_pages;
    open.host_pages = 0;
    open.has_copies = false;
  }
  void pad(std::uint32_t die, Open& open);
  /// Queues its erase, which is one of those that `count` counts.
  void erase(std::uint32_t segment, std::uint64_t& count, bool ahead = false);
  /// kNoSegment: none is due that may be erased.
  [[nodiscard]] std::uint32_t next_to_erase(std::uint32_t die) const;
  void no_longer_due(std::uint32_t segment) {
    if (!flags_[segment].due) return;
    flags_[segment].due = false;
    --due_;
  }
  /// An open segment takes no more pages.
  void close_segment(Open& open);
  [[nodiscard]] bool is_open(std::uint32_t segment) const {
    return std::ranges::any_of(segments_.open(), [segment](const Open& open) { return open.segment == segment; });
  }
  [[nodiscard]] bool is_ready(std::uint32_t segment) const {
    return flags_[segment].erased || (flags_[segment].copying == 0 && epochs_.passed(flags_[segment].released, held_));
  }
  /// Of one that is not ready: nothing is under way that could make it so.
  [[nodiscard]] bool never_ready(std::uint32_t segment) const {
    return flags_[segment].copying == 0 && epochs_.under_way() == held_ + held_trims_;
  }
  [[nodiscard]] bool next_is_ready(std::uint32_t die) const {
    return segments_.free().count(die) > 0 && is_ready(segments_.free().first(die));
  }
  [[nodiscard]] bool is_in_first_unit(std::uint32_t ppn) const {
    return ppn - segment_of(ppn) * pages_per_segment_ < geometry_.pages_at_once;
  }
  /// The page lies there, as it did before.
  void put_back(std::uint32_t lpn, std::uint32_t ppn);
  /// A version there may be the only one on the array: if the segment is free it is erased when every program of the
  /// host that is under way has ended.
  void keep(std::uint32_t ppn);
  /// Not to be programmed again.
  void give_up(std::uint32_t segment);
  [[nodiscard]] bool is_short(std::uint32_t die, bool full) const {
    return segments_.free().count(die) < reserve_ + (full ? 1 : 0);
  }
  /// Of a page that is mapped to `ppn`.
  [[nodiscard]] std::uint32_t source_of(std::uint32_t lpn, std::uint32_t ppn) const;
  /// A segment without valid pages becomes free, or bad.
  void release(std::uint32_t die, std::uint32_t segment);
  /// Off the list of free segments, of which it is one.
  void take_off(std::uint32_t die, std::uint32_t segment);
  /// All copies out of a failed segment have ended.
  void leave(std::uint32_t segment);
  /// Of those that were left: marking them erases them.
  void mark_empty();
  void mark_bad(std::uint32_t segment);
  void free_segment(std::uint32_t die, std::uint32_t segment);
  /// A segment that the volume did not use takes the place of another one of the die; false: there is none.
  bool take_in(std::uint32_t die);

  FlashPort& port_;
  ProbePort& probe_;
  VolumeConfig config_;
  FlashGeometry geometry_;
  std::uint32_t pages_per_segment_;
  std::uint32_t shift_ = 0;  ///< log2 of it where it is a power of two above 1
  std::uint32_t per_die_;
  std::uint32_t reserve_;
  std::uint32_t kept_for_checkpoint_;  ///< free segments of the first die, beside the reserve; of a single die: none

  std::span<std::uint32_t> map_;   ///< of each logical page: where it lies
  std::span<std::uint32_t> lpns_;  ///< of each place: whose page was written there last
  std::span<Flags> flags_;
  std::span<std::uint16_t> found_used_;  ///< of each segment, while mounting: pages programmed
  std::span<Die> dies_;
  std::span<FlashOp> queue_;
  std::uint32_t queued_ = 0;
  DieWork work_;
  std::uint32_t waiting_ = 0;  ///< pages of the host in program units that are not whole
  SegmentTable segments_;
  SlcSegments slc_;
  Refreshes refreshes_;
  OwnChoices own_;
  std::uint32_t copies_to_ = 1;  ///< streams that pages of one victim may go to
  std::uint32_t streams_ = 1;
  std::uint32_t known_copied_ = 0;  ///< segments of which it is known where their copies go
  std::uint32_t leaving_ = 0;       ///< segments that were left and are not marked
  std::uint32_t due_ = 0;           ///< segments that erase_ahead() takes, once it may
  std::uint32_t erasing_ = 0;       ///< dies that erase one
  bool has_failures_ = false;
  bool keeps_trimmed_ = false;  ///< a record of trims found no place: without it what it trims must stay
  Epochs epochs_;
  std::uint32_t held_ = 0;        ///< programs that failed and were not queued again, but
  std::uint32_t held_trims_ = 0;  ///< records of trims
  std::uint64_t sequence_ = 0;
  std::uint64_t lifetime_ns_ = 0;
  std::uint64_t openings_ = 0;
  FtlStats stats_;
  LogPolicies policies_;  ///< decide in place of the log's own choices where they are live
};

}  // namespace ftlab::volume
