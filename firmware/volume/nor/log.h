// The fixed segment: superblock, erase counts and the appended log of active segments.
// Everything in it is a hint or a second copy: losing it loses no data, so its own failures are not reported.
#pragma once

#include <cstdint>

#include "firmware/volume/segment_pool.h"
#include "firmware/volume/volume.h"

namespace ftlab::nor {

class Log {
 public:
  Log(Volume& volume, SegmentPool& pool) : v_(volume), pool_(pool) {}

  enum class Found : std::uint8_t { complete, formatting, other_layout, nothing };

  /// Reads the superblock; with `complete` also volume, provisional erase counts (row.erase_count, kUnknownCount where
  /// lost), streams (row.stream) and the active segments as logged.
  Found load();
  /// Erases the fixed segment and writes superblock, counts and the active segments anew.
  /// `blank_already`: it is erased already.
  FlashStatus rewrite(SuperblockKind kind, bool blank_already = false);
  /// Nothing is appended until the next rewrite().
  void suspend() { usable_ = false; }
  /// Ends the formatting that rewrite(formatting) began.
  FlashStatus mark_formatted();
  /// Whether a mount would find formatting begun and not ended, or cannot know.
  [[nodiscard]] bool says_formatting();
  /// The same, or would find a volume of another layout: a fixed segment may keep the superblock that it has.
  [[nodiscard]] bool keeps_from_mounting();
  /// Appends "segment is the active one of stream"; starts over when the log is full, after the erases under way: until
  /// the new one is written nothing else says what they would leave.
  void append(std::uint16_t stream, std::uint32_t segment);

  static constexpr std::uint32_t kUnknownCount = 0xFFFFFFFF;

 private:
  [[nodiscard]] bool is_other_layout(const Superblock& superblock) const;
  void load_counts(std::uint32_t check);
  void load_log();
  FlashStatus try_rewrite(SuperblockKind kind, bool blank_already);
  FlashStatus write_counts(std::uint32_t& check);
  /// put(), starting over when the log is full.
  FlashStatus write(std::uint16_t stream, std::uint32_t segment);
  FlashStatus put(std::uint16_t stream, std::uint32_t segment);

  Volume& v_;
  SegmentPool& pool_;
  std::uint32_t tail_ = 0;  ///< offset of the next entry
  bool usable_ = true;      ///< false once the fixed segment failed: the medium goes on without a log
};

}  // namespace ftlab::nor
