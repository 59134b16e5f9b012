// A complete flash translation layer in three small files: page-mapped, two cleaning policies, mount after a power
// loss. Written as firmware of one's own, outside the ftlab tree: it meets the world through FlashPort and ProbePort
// only, allocates nothing, and could run on a target as it is. It runs on arrays, and on what firmware/driver/paged
// serves as one: NOR cards and NAND parts.
//
// Beside each page on flash lie its logical page and a number that counts all programs, so that of several copies the
// one with the highest number is the page. A trimmed page is one of ones. A segment is erased right before it is filled
// again: until then a power loss finds it as it was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/counters.h"
#include "common/fields.h"
#include "firmware/ftl/ftl.h"
#include "firmware/port/flash_port.h"
#include "firmware/port/probe_port.h"

namespace example {

struct PageFtlConfig {
  std::uint32_t logical_pages = 0;  ///< at most max_logical_pages()
  std::uint32_t reserve = 2;        ///< free segments kept so that cleaning always has a place to copy to
  bool oldest_first = false;        ///< cleans the segment opened first, not the one with the fewest valid pages
};

/// The keys of a study that set it. The defaults are the members' initialisers.
inline constexpr ftlab::Field<PageFtlConfig> kPageFtlFields[] = {
    ftlab::integer_field<&PageFtlConfig::reserve>("reserve", "segments", 2, 1000,
                                                  "free segments that cleaning restores, which hold no data"),
};

/// Counters beside FtlStats.
struct PageFtlStats {
  std::uint64_t segments_opened = 0;
  std::uint64_t free_segments = 0;
};

/// How results, timelines and comparisons name them.
inline constexpr ftlab::Counter<PageFtlStats> kPageFtlCounters[] = {
    ftlab::flow<&PageFtlStats::segments_opened>("segments_opened", "segments", "segments that were begun to be filled"),
    ftlab::state<&PageFtlStats::free_segments>("free_segments", "segments", "free segments"),
};

class PageFtl final : public ftlab::Ftl {
 public:
  /// Why the firmware cannot work on such an array; null: it can.
  static const char* cannot_use(const ftlab::FlashGeometry& geometry);
  /// Pages of the segments that data and spare space share; 0: the reserve leaves no segment.
  static std::uint32_t usable_pages(const ftlab::FlashGeometry& geometry, const PageFtlConfig& config);
  static std::uint32_t max_logical_pages(const ftlab::FlashGeometry& geometry, const PageFtlConfig& config);
  /// 32-bit words of arena the constructor needs.
  static std::size_t arena_words(const ftlab::FlashGeometry& geometry, const PageFtlConfig& config);

  PageFtl(ftlab::FlashPort& array, ftlab::ProbePort& probe, const PageFtlConfig& config,
          std::span<std::uint32_t> arena);

  ftlab::FtlStatus format(std::uint64_t now_ns) override;
  ftlab::FtlStatus mount(std::uint64_t now_ns) override;
  ftlab::FtlStatus read(std::uint64_t offset, std::span<std::byte> into, std::uint64_t now_ns) override;
  ftlab::FtlStatus write(std::uint64_t offset, std::span<const std::byte> from, ftlab::WriteHint hint,
                         std::uint64_t now_ns) override;
  ftlab::FtlStatus trim(std::uint64_t offset, std::uint64_t length, std::uint64_t now_ns) override;
  ftlab::FtlStatus flush(std::uint64_t) override { return ftlab::FtlStatus::ok; }  // every write is durable already
  std::uint64_t idle(std::uint64_t, std::uint64_t) override { return ftlab::kNoIdleWork; }  // no background work

  [[nodiscard]] std::uint64_t capacity_bytes() const override;
  [[nodiscard]] std::uint32_t page_bytes() const override { return geometry_.page_bytes; }
  [[nodiscard]] const ftlab::FtlStats& stats() const override { return stats_; }
  [[nodiscard]] std::uint32_t segments() const override { return geometry_.segments; }
  [[nodiscard]] ftlab::SegmentInfo segment(ftlab::SegmentId id) const override;
  [[nodiscard]] const char* self_check() const override;

  /// Pages of a segment.
  [[nodiscard]] std::uint32_t slots() const { return geometry_.pages_per_segment; }
  [[nodiscard]] PageFtlStats own_stats() const { return {segments_opened_, free_}; }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  // Of the port: one for the host's page, one for a page that cleaning copies meanwhile.
  static constexpr std::uint16_t kHostBuffer = 0;
  static constexpr std::uint16_t kCopyBuffer = 1;

  /// What is known of one segment; lives in the arena.
  struct Segment {
    ftlab::SegmentState state;
    std::uint32_t used;
    std::uint32_t valid;
    std::uint32_t erase_count;  ///< since the mount
    std::uint32_t opened;       ///< number of its first program; after a mount of its last
  };

  [[nodiscard]] bool in_range(std::uint64_t offset, std::uint64_t length) const;
  /// Hands over one operation and waits for it.
  ftlab::FlashStatus run(ftlab::FlashOpKind kind, std::uint32_t segment);
  /// A part that keeps no data has no buffers.
  [[nodiscard]] std::uint16_t buffer(std::uint16_t which) const;
  bool read_page(std::uint32_t lpn, std::uint32_t from, std::span<std::byte> into);
  ftlab::FtlStatus write_page(std::uint32_t lpn, std::span<const std::byte> data);

  void forget_everything();
  void find_segment(std::uint32_t segment);
  void adopt(std::uint32_t lpn, std::uint32_t ppn);
  void sort_segments();
  void release(std::uint32_t segment);
  void retire(std::uint32_t segment);
  bool open_frontier(bool cleaning);
  [[nodiscard]] std::uint32_t choose_victim();
  bool clean_one();
  /// Programs the buffer as the page.
  ftlab::FtlStatus place(std::uint32_t lpn, std::uint16_t from_buffer, bool cleaning);
  void drop(std::uint32_t ppn);

  ftlab::FlashPort& array_;
  ftlab::ProbePort& probe_;
  const PageFtlConfig config_;
  const ftlab::FlashGeometry geometry_;
  std::span<std::uint32_t> l2p_;      ///< physical page of each logical one, or kNone
  std::span<std::uint32_t> p2l_;      ///< logical page of each physical one, or kNone: erased or not valid any more
  std::span<std::uint32_t> numbers_;  ///< mount: of the program that wrote each logical page
  std::span<Segment> table_;
  std::span<std::byte> merge_;  ///< one page: read-modify-write
  std::uint32_t frontier_ = kNone;
  std::uint32_t newest_ = kNone;  ///< segment of the last program, from which a mount goes on
  std::uint32_t free_ = 0;
  std::uint32_t next_free_ = 0;  ///< where the search for a free segment goes on, so that all take turns
  std::uint32_t programs_ = 0;   ///< number of the next one
  std::uint64_t segments_opened_ = 0;
  ftlab::FtlStats stats_;
};

}  // namespace example
