// Where the next page goes: takes segments into use and appends pages.
// Knows no policy and no host request.
#pragma once

#include <cstdint>
#include <optional>

#include "firmware/volume/page_store.h"
#include "firmware/volume/segment_pool.h"
#include "firmware/volume/status.h"
#include "firmware/volume/volume.h"

namespace ftlab {

class WriteFrontier {
 public:
  WriteFrontier(Volume& volume, SegmentPool& pool) : v_(volume), pool_(pool) {}

  [[nodiscard]] bool has_room(StreamId stream) const { return v_.active[stream] != kNone; }
  /// Slots that copies can still go to, whatever the stream.
  [[nodiscard]] std::uint32_t room() const;

  /// Makes the oldest free segment the stream's active one. no_space: none is free; write_failed or read_only: it could
  /// not be recorded.
  FtlStatus open_next(StreamId stream);
  /// The same, with one segment: nullopt when it failed and is out of use, or has no room left.
  std::optional<FtlStatus> try_open(StreamId stream);
  /// Takes a segment of the pool into use, erasing it first when a mount found it free. `active`: as its stream's open
  /// segment, not to be filled by the caller alone.
  FlashStatus open_segment(std::uint32_t segment, StreamId stream, bool active);

  /// Appends a page to an active segment and marks it valid. nullopt: it failed and is retired;
  /// whether the next one may be taken is the caller's to know. The page table is the caller's.
  std::optional<Appended<FtlStatus>> try_append(std::uint32_t segment, const PageMetadata& page, const std::byte* data);
  /// For copies: to the stream's active segment, or the next free one as long as segments fail; any active segment will
  /// do when none is free, because copies must not fail for want of a stream.
  Appended<FtlStatus> append_anywhere(StreamId wish, const PageMetadata& page, const std::byte* data);
  /// One attempt in the given segment; uses up the slot whatever happens.
  Appended<FlashStatus> append_to(std::uint32_t segment, const PageMetadata& page, const std::byte* data);

  /// The only free segment waits for its erase, because it holds the page that a host write is replacing: copies that
  /// page to any active segment, and erases. False: there is no such segment, or it did not work.
  bool free_deferred();

 private:
  FtlStatus rescue_pending(std::uint32_t segment);
  [[nodiscard]] std::uint32_t any_active() const;

  Volume& v_;
  SegmentPool& pool_;
};

}  // namespace ftlab
