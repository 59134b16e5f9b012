// Finding out what lies on the array: the pages of every segment, or the newest checkpoint and what was written since.
// Fills a cleared log. Nothing else is under way.
//
// Any checkpoint that is whole will do: the first page of a segment tells whether it was erased since. Of pages of
// several formats those of the newest count, and nothing else does.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/volume/log/log_found.h"
#include "firmware/volume/mount/burst_reader.h"
#include "firmware/volume/mount/checkpoints.h"
#include "firmware/volume/requests/page_service.h"
#include "firmware/volume/requests/trims.h"

namespace ftlab::volume {

[[nodiscard]] inline bool is_erased(const FlashDone& done) {
  return is_ok(done.status) && done.metadata == FlashMetadata{};
}

/// How many segments carry a bad-block marker; nothing is under way.
[[nodiscard]] std::uint32_t bad_segments(FlashPort& array);

class Mount {
 public:
  Mount(PageService& pages, Trims& trims, Checkpoints& checkpoints, const VolumeConfig& config)
      : pages_(pages),
        bench_(pages.bench()),
        found_(pages.log()),
        reader_(bench_),
        trims_(trims),
        checkpoints_(checkpoints),
        config_(config) {}

  void layout(Arena& arena);
  /// Erases what can be used. `clear`: makes everything as before.
  template <class Clear>
  void format(Clear clear) {
    find_bad_segments();
    std::uint32_t begun = kNoSegment;
    volume_ = 0;
    const bool blank = !bench_.array.geometry().keeps_metadata || !holds_pages();
    if (!blank) {
      clear();
      run(clear);
      begun = begin_volume();
      clear();
      find_bad_segments();
    }
    // Where pages of a volume before may be left they are erased everywhere.
    if (blank) found_.leave_rest();
    erase_all(begun);
  }
  /// `clear`: makes everything as before, where a checkpoint turns out not to be whole.
  template <class Clear>
  void run(Clear clear) {
    must_move_count_ = 0;
    recorded_ = 0;
    volume_ = 0;
    find_bad_segments();
    if (!from_checkpoint(clear)) {
      while (!read_all()) {
        clear();
        find_bad_segments();
        must_move_count_ = 0;
      }
    }
    found_all();
  }
  /// Pages that were programmed after the newest checkpoint, or since the format where there is none, copies among
  /// them.
  [[nodiscard]] std::uint64_t programmed_since_checkpoint() const {
    return number_of(bench_.log.sequence()) - number_of(recorded_);
  }
  /// Places of pages that the part may not be able to read again there, whether they count or not. Segments with those
  /// that do not fit are cleaned first of all.
  [[nodiscard]] std::span<std::uint32_t> must_move() { return std::span(must_move_).first(must_move_count_); }

 private:
  static constexpr std::uint32_t kMustMove = 64;
  /// The first page of a segment whose metadata can be read.
  struct FirstPage {
    static constexpr std::uint32_t kNoPlace = 0xFFFFFFFF;
    std::uint64_t sequence = 0;      ///< 0: erased
    std::uint32_t place = kNoPlace;  ///< of the segment in the checkpoint that it holds
    bool torn = false;
    bool looked = false;                              ///< at the pages behind it, though it is erased
    bool begins = false;                              ///< it is the page that a volume began with
    std::uint16_t open_at = CheckpointRow::kNotOpen;  ///< by the checkpoint
    std::uint16_t used = 0;                           ///< pages, by what was read
    /// Not erased since the checkpoint.
    [[nodiscard]] bool is_kept(std::uint64_t checkpoint) const { return sequence != 0 && sequence <= checkpoint; }
  };
  /// The segment of a die and a stream with the page that was programmed last.
  struct Frontier {
    std::uint64_t newest = 0;  ///< of its pages, in the order of all programs
    std::uint32_t segment = kNoSegment;
    std::uint32_t stream = 0;
  };
  /// Where the page goes that a volume begins with, by what the old one loses when power is lost meanwhile.
  enum class BeginsIn : std::uint8_t {
    free,
    page_of_the_old,  ///< that it began with, and that may be its only one
    room,             ///< behind the last page of an open segment
    checkpoint,
    pages,  ///< a sealed segment
    none,
  };

  void find_bad_segments();
  /// Waits until every die has worked off what was queued; segments whose erase failed are bad.
  void finish_dies();
  /// Whether any page of any volume lies on the array.
  bool holds_pages();
  /// The next volume, as a page on the array where none of this one lies says it: its segment. kNoSegment: there is no
  /// place for it.
  std::uint32_t begin_volume();
  [[nodiscard]] BeginsIn begins_in(std::uint32_t segment) const;
  bool begin_volume_in(std::uint32_t segment);
  bool program_format_page(std::uint32_t ppn);
  /// All but `kept`, which comes last of those that are free.
  void erase_all(std::uint32_t kept);
  /// The page that the volume began with comes last of what is free: until then it may be the only one of the volume,
  /// and pages of an older one may be left.
  void found_all();
  /// False: a page of a newer volume was found, and the log has pages of an older one.
  bool read_all();
  /// Of this volume; a newer one is this one from now on, and the log `outdated_`.
  bool is_of_volume(std::uint64_t sequence);
  /// The page was programmed in a segment that is filled as SLC.
  [[nodiscard]] bool is_slc(const FlashMetadata& metadata) const {
    return (stream_of(metadata) & kSlcStream) != 0 && is_known(metadata);
  }
  BurstReader::Then found_burst(BurstReader::Scan& scan, std::span<const FlashDone> burst);
  /// One that is older than another of its die and stream takes no more pages: what room it seems to have an
  /// interrupted erase may have left, of a format that had no other place to begin in.
  void found_segment(const BurstReader::Scan& scan, std::uint32_t used);
  void found_page(const FlashDone& done);
  void found_must_move(const FlashDone& done);
  /// What `done` names in the same place of the program unit before, which says nothing itself: its reads will fail,
  /// and so do its copies'.
  void found_lost_before(const FlashDone& done);
  /// A version of the page, the newest until `sequence` or later.
  void found_version(std::uint32_t lpn, std::uint32_t ppn, std::uint64_t sequence);

  /// False: there is none that is whole; the log is clear.
  template <class Clear>
  bool from_checkpoint(Clear clear) {
    if (config_.checkpoint_every == 0) return false;
    look_at_segments();
    std::uint64_t sequence = UINT64_MAX;
    while ((sequence = newest(sequence)) != 0) {
      if (load(sequence)) return true;
      must_move_count_ = 0;
      clear();
      find_bad_segments();
    }
    return false;
  }
  void look_at_segments();
  [[nodiscard]] static FirstPage first_page(const FlashDone& done);
  void look_further(std::uint32_t segment);
  /// The first page is erased, and a checkpoint names pages of the segment.
  void look_behind_erased(std::uint32_t segment);
  /// Of those before `before`; the checkpoints hold its segments. 0: none.
  std::uint64_t newest(std::uint64_t before);
  bool load(std::uint64_t sequence);
  /// False: it names places that no page can lie in.
  bool load_page(std::uint32_t index, std::uint64_t sequence);
  /// What was written since the checkpoint. False: a newer volume was found, or the checkpoint names a place that was
  /// not programmed, so that a page to come would share it.
  bool find_since();
  /// Whether pages of the segment may have been programmed since, and from which one on.
  bool begin_since(BurstReader::Scan& scan);
  void found_since(const BurstReader::Scan& scan, std::uint32_t used);
  /// Pages that their records name.
  void apply_trims();
  /// The checkpoint lies there.
  [[nodiscard]] bool is_held(std::uint32_t segment) const;

  PageService& pages_;
  Workbench& bench_;
  LogFound found_;
  BurstReader reader_;
  Trims& trims_;
  Checkpoints& checkpoints_;
  const VolumeConfig& config_;
  std::span<FoundSequence> newest_;   ///< of each logical page that has a place
  std::span<FirstPage> first_pages_;  ///< of each segment
  std::span<Frontier> frontiers_;     ///< of each die its streams
  std::uint64_t volume_ = 0;          ///< the newest that was seen
  bool outdated_ = false;
  bool contradicted_ = false;         ///< a place that the checkpoint names holds another page, written since
  std::uint32_t begun_ = kNoSegment;  ///< holds the page that the volume began with
  std::uint64_t newer_than_ = 0;      ///< what is older the checkpoint has
  std::uint64_t recorded_ = 0;        ///< the same once all is found; 0: there is none
  std::array<std::uint32_t, kMustMove> must_move_;
  std::uint32_t must_move_count_ = 0;
};

}  // namespace ftlab::volume
