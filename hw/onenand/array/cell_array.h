// What the segments of one device hold and remember without supply: pages, spare areas, cycles, reads, marks.
// Knows nothing of commands, time passing or errors. Memory of a segment is taken when it is first programmed.
//
// Segments are counted over dies; behind them stand, for every die, its partition information segment and its OTP
// segment. A page with flags 0 is blank whatever its bytes are: erasing touches flags alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/units.h"
#include "hw/onenand/array/page_pool.h"
#include "hw/onenand/spec/spec.h"
#include "hw/regs/onenand_regs.h"

namespace ftlab::hw {

/// State of a page, as flags.
namespace page_flag {
inline constexpr std::uint8_t kProgrammed = 1;
inline constexpr std::uint8_t kParity = 2;   ///< written with ECC on
inline constexpr std::uint8_t kFast = 4;     ///< written as LSB, or in the SLC area
inline constexpr std::uint8_t kSpoiled = 8;  ///< partner's program was torn: only the recovery read finds the data
inline constexpr std::uint8_t kNoise = 16;   ///< its own program was torn or failed
}  // namespace page_flag

/// Pages of a segment that was ever programmed.
struct SegmentPages {
  std::array<std::uint8_t, OneNandSpec::kPagesPerSegment> flags{};
  std::array<Ticks, OneNandSpec::kPagesPerSegment> programmed_at{};
  std::unique_ptr<std::byte[]> spare;                                ///< kPagesPerSegment * kSpareBytes
  std::array<PagePool::Page, OneNandSpec::kPagesPerSegment> main{};  ///< none of blank pages and without content
};

struct Segment {
  std::uint32_t cycles = 0;       ///< erase cycles begun
  std::uint32_t limit = 0;        ///< fails from this many cycles on, in cycles of the MLC area
  std::uint32_t reads = 0;        ///< loads since the last erase
  double wear_rate = 0;           ///< raw bit error rate that cycles cause, before retention; kept by ErrorModel
  std::uint8_t next_page = 0;     ///< lowest page that may be programmed
  bool bad = false;               ///< marked at the factory
  bool worn = false;              ///< a program or erase failed here; all later ones fail
  bool fails_in_program = false;  ///< how it shows when the limit is reached
  bool noise = false;             ///< a torn erase: nothing can be read or programmed until the next one
  bool own_rating = false;        ///< limit counts as it stands in the SLC area too (special segments)
  bool slc = false;               ///< area it was in when written; read in the other one it is uncorrectable
  std::unique_ptr<SegmentPages> pages;

  [[nodiscard]] std::uint8_t flags(std::uint32_t page) const { return pages ? pages->flags[page] : std::uint8_t{0}; }
};

class CellArray {
 public:
  using Main = std::span<std::byte, flexonenand::kPageBytes>;
  using Spare = std::span<std::byte, flexonenand::kSpareBytes>;

  /// Draws endurance limits and bad segments: one stream per segment, so that they do not depend on the device size.
  CellArray(const OneNandSpec& spec, std::uint64_t seed, bool store_content);

  /// As constructed; takes no memory anew.
  void renew();

  [[nodiscard]] bool stores_content() const { return store_content_; }
  /// Whether main areas of the segment are kept.
  [[nodiscard]] bool keeps_content(std::uint32_t segment) const { return store_content_ || is_special(segment); }
  [[nodiscard]] std::uint32_t partition_segment(std::uint32_t die) const { return ordinary_ + die * 2; }
  [[nodiscard]] std::uint32_t otp_segment(std::uint32_t die) const { return ordinary_ + die * 2 + 1; }
  /// Partition information or OTP.
  [[nodiscard]] bool is_special(std::uint32_t segment) const { return segment >= ordinary_; }
  [[nodiscard]] Segment& at(std::uint32_t segment) { return segments_[segment]; }
  [[nodiscard]] const Segment& at(std::uint32_t segment) const { return segments_[segment]; }
  [[nodiscard]] std::vector<Segment>& all() { return segments_; }
  [[nodiscard]] const std::vector<Segment>& all() const { return segments_; }

  /// Bytes as they were programmed; FFh of a blank page, 00h of a programmed main area whose content is not kept.
  void read(std::uint32_t segment, std::uint32_t page, Main main, Spare spare) const;
  // The same, one by one.
  [[nodiscard]] const PagePool::Page& main_of(std::uint32_t segment, std::uint32_t page) const;
  void read_spare(std::uint32_t segment, std::uint32_t page, Spare spare) const;
  /// The page will be read soon.
  void prefetch(std::uint32_t segment, std::uint32_t page) const;
  /// Stores bytes whatever was there (the caller has checked that the page is blank) and raises next_page.
  void store(std::uint32_t segment, std::uint32_t page, std::uint8_t flags, Ticks now,
             std::span<const std::byte, flexonenand::kPageBytes> main,
             std::span<const std::byte, flexonenand::kSpareBytes> spare);
  /// The same of a page that nobody changes any more; none where content is not kept.
  void store(std::uint32_t segment, std::uint32_t page, std::uint8_t flags, Ticks now, PagePool::Page main,
             std::span<const std::byte, flexonenand::kSpareBytes> spare);
  /// All pages blank; cycles are the caller's.
  void blank(std::uint32_t segment);
  /// Pages of the segment, taken from memory when it has none yet.
  SegmentPages& pages_of(std::uint32_t segment);
  [[nodiscard]] PagePool& pool() { return *pool_; }

 private:
  /// What a segment leaves the factory with.
  struct Factory {
    std::uint32_t limit = 0;
    bool bad = false;
    bool fails_in_program = false;
    bool own_rating = false;
  };

  void draw_segments(const OneNandSpec& spec, std::uint64_t seed, std::uint32_t die);
  void write_factory_markers(std::uint32_t segment);
  void write_partition_word(std::uint32_t die);
  void write_unique_id(std::uint32_t die);

  std::uint32_t ordinary_;
  std::uint32_t segments_per_die_;
  std::uint64_t seed_;
  bool store_content_;
  std::unique_ptr<PagePool> pool_;  ///< outlives the segments, and stays where it is
  std::vector<Segment> segments_;
  std::vector<Factory> factory_;
};

}  // namespace ftlab::hw
